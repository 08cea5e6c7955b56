// Linked into every test program: what the errors that a test meets say is compared word for word, whatever else the
// test looks at. So a message with a wrong name or number shows, and a check left out where another one stops the call
// later.
//
// tests/golden/messages/<program>.txt has, under the name of each test, the messages that it must meet; it may meet
// others. A test that meets very many has their number and a fingerprint in the place of most. With
// TAUT_RECORD_MESSAGES in the environment the tests that run are recorded anew: read what has changed there before you
// keep it.
#include <cxxabi.h>
#include <dlfcn.h>
#include <errno.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <set>

#include "core/cpu.h"
#include "support/paths.h"
#include "taut/core/error.h"
#include "taut/io/file.h"

namespace taut::test {
namespace {

using Messages = std::set<std::string>;
constexpr size_t kListed = 150;  // of a test

// Never destroyed: the library is still at work when the program ends.
std::mutex& lock = *new std::mutex;
Messages& met = *new Messages;

/// What every run has in common.
std::string without_places(std::string text) {
  const auto replace = [&](const std::string& what, const char* by) {
    for (size_t at = 0; (at = text.find(what, at)) != text.npos;) text.replace(at, what.size(), by);
  };
  replace("\n", "\\n");
  replace(golden_path(""), "GOLDEN/");
  replace(std::filesystem::temp_directory_path().string(), "TMP");
  static const std::regex scratch("taut_test_\\w{6}"), step("\\(step \\d+\\)"), in_use("\\d+ bytes are in use"),
      library("(is not a valid (PNG|JPEG) file: ).*");
  text = std::regex_replace(text, scratch, "taut_test");
  text = std::regex_replace(text, step, "(step N)");  // counted from the start of the thread
  text = std::regex_replace(text, in_use, "N bytes are in use");
  return std::regex_replace(text, library, "$1...");  // the words of libpng and libjpeg
}

/// What the system says of files depends on who runs the tests.
void note(void* thrown, const std::type_info* type) {
  if (!typeid(Error).__do_catch(type, &thrown, 1) || *type == typeid(FileError)) return;
  int status = 0;
  char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string text = str(name, ": ", static_cast<Error*>(thrown)->what());
  std::free(name);
  const std::lock_guard guard(lock);
  met.insert(text);
}

/// The messages as the golden file has them.
Messages recorded(const Messages& all) {
  Messages lines;
  for (const std::string& text : all) lines.insert(without_places(text));
  if (lines.size() <= kListed) return lines;
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const std::string& line : lines)
    for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  Messages some{str("(", lines.size(), " in all, of fingerprint ", std::hex, hash, ")")};
  size_t i = 0;
  for (const std::string& line : lines)
    if (i++ % (lines.size() / 10) == 0) some.insert(line);
  return some;
}

class Comparison : public testing::EmptyTestEventListener {
 public:
  Comparison() : path_(golden_path(str("messages/", program_invocation_short_name, ".txt"))) {
    std::ifstream in(path_);
    std::string test;
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("  ")) wanted_[test].insert(line.substr(2));
      else test = line;
  }

  void OnTestStart(const testing::TestInfo&) override {
    const std::lock_guard guard(lock);
    met.clear();
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::lock_guard guard(lock);
    const std::string name = str(test.test_suite_name(), '.', test.name());
    if (std::filesystem::exists(golden_path(str("outcomes/", name, ".txt")))) return;  // has them already
    if (std::getenv("TAUT_RECORD_MESSAGES")) {
      if (Messages lines = recorded(met); lines.empty()) wanted_.erase(name);
      else wanted_[name] = std::move(lines);
      return;
    }
    const auto wanted = wanted_.find(name);
    if (wanted == wanted_.end() || isa_level == 0 || test.result()->Failed() || test.result()->Skipped()) return;
    const Messages here = recorded(met);
    for (const std::string& line : wanted->second)
      if (!here.count(line))
        ADD_FAILURE() << "no error said, as " << path_ << " has it (TAUT_RECORD_MESSAGES=1 writes it anew): " << line;
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    if (!std::getenv("TAUT_RECORD_MESSAGES")) return;
    std::filesystem::remove(path_);
    if (wanted_.empty()) return;
    std::ofstream out(path_);
    for (const auto& [test, lines] : wanted_) {
      out << test << '\n';
      for (const std::string& line : lines) out << "  " << line << '\n';
    }
  }

 private:
  std::string path_;
  std::map<std::string, Messages> wanted_;
};

[[maybe_unused]] const bool begun = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Comparison);
  return true;
}();

}  // namespace
}  // namespace taut::test

/// In the place of the C++ library's own. Its name is only the linker's: compilers have a declaration of their own.
extern "C" [[noreturn]] void noted_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) asm("__cxa_throw");
extern "C" void noted_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) {
  static const auto real = reinterpret_cast<decltype(&noted_throw)>(dlsym(RTLD_NEXT, "__cxa_throw"));
  taut::test::note(thrown, type);
  real(thrown, type, destroy);
  __builtin_unreachable();
}
