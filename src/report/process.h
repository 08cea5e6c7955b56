// Running another program without a shell.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace taut::report {

struct ProcessResult {
  bool found = false;  // was there such a program?
  bool timed_out = false;
  int status = 0;  // as waitpid gives it
  std::string out, err;
};

/// Runs `arguments[0]`, looked up in PATH, with `input` as its standard input. It is ended when it takes longer than
/// `patience`.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::string& input,
                          std::chrono::milliseconds patience);

}  // namespace taut::report
