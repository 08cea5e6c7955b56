// What calls come to, word for word: "fine" or their value, or the error they throw.
// tests/golden/outcomes/<suite>.<test>.txt has a line
// "<call> => <outcome>" for each of a test's calls, so that a bound moved by one, a check left out where another one
// stops the call later, and a message with a wrong name or number all show.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "taut/core/error.h"

namespace taut::test {

struct Outcome {
  std::string call;  // as it is written
  std::function<std::string()> run;
};
/// A row of a table of them. Put the table between clang-format off and on: one line per case.
#define OUTCOME(...)                                                               \
  ::taut::test::Outcome {                                                          \
#__VA_ARGS__, [=]() mutable { return static_cast<void>(__VA_ARGS__), "fine"; } \
  }
/// A row whose call has a value, which is written down.
#define SHOWN(...)                                                   \
  ::taut::test::Outcome {                                            \
#__VA_ARGS__, [=]() mutable { return ::taut::str(__VA_ARGS__); } \
  }

/// "fine", or "<type of the error>: <its message>", and what was warned of, in one line.
std::string outcome_of(const std::function<void()>& call);
/// The same with what the call gives in the place of "fine".
std::string value_of(const std::function<std::string()>& call);

/// Runs the calls of the current test and compares. With TAUT_RECORD_OUTCOMES in the environment its file is written
/// anew: read what has changed there before you keep it.
void expect_outcomes(const std::vector<Outcome>& calls);
/// The same for what `outcome_of` has said already: (call, outcome).
void expect_outcomes(const std::vector<std::pair<std::string, std::string>>& lines);

}  // namespace taut::test
