#include "support/outcomes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>

#include "support/paths.h"
#include "taut/core/error.h"
#include "taut/core/runtime.h"
#include "taut/io.h"

namespace taut::test {
namespace {

const std::string kArrow = " => ";

template <class E>
bool is(const std::exception& e) {
  return dynamic_cast<const E*>(&e) != nullptr;
}
const char* type_of(const std::exception& e) {
  return is<IndexError>(e)            ? "IndexError"
         : is<ValueError>(e)          ? "ValueError"
         : is<TypeError>(e)           ? "TypeError"
         : is<NotImplementedError>(e) ? "NotImplementedError"
         : is<OutOfMemory>(e)         ? "OutOfMemory"
         : is<FormatError>(e)         ? "FormatError"
         : is<FileError>(e)           ? "FileError"
         : is<Error>(e)               ? "Error"
                                      : "std::exception";
}

std::string in_one_line(const std::string& text) {
  std::string line;
  for (char c : text) line += c == '\n' ? "\\n" : std::string(1, c);
  if (line.find("(step ") == line.npos) return line;
  static const std::regex step("\\(step \\d+\\)");  // counted from the start of the thread
  return std::regex_replace(line, step, "(step N)");
}

}  // namespace

std::string value_of(const std::function<std::string()>& call) {
  std::string warned, text;
  set_warning_handler([&](const std::string& words) { warned += str(" (warning: ", words, ")"); });
  try {
    text = call();
  } catch (const std::exception& e) {
    text = str(type_of(e), ": ", e.what());
  }
  set_warning_handler({});
  return in_one_line(text + warned);
}

std::string outcome_of(const std::function<void()>& call) {
  return value_of([&] { return call(), "fine"; });
}

void expect_outcomes(const std::vector<Outcome>& calls) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Outcome& c : calls) lines.emplace_back(c.call, value_of(c.run));
  expect_outcomes(lines);
}

void expect_outcomes(const std::vector<std::pair<std::string, std::string>>& lines) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string path = golden_path(str("outcomes/", test->test_suite_name(), ".", test->name(), ".txt"));
  std::map<std::string, std::string> wanted;
  if (std::getenv("TAUT_RECORD_OUTCOMES")) {
    std::ofstream out(path);
    for (const auto& [call, outcome] : lines) out << call << kArrow << outcome << '\n';
    return;
  }
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const size_t arrow = line.find(kArrow);
    ASSERT_NE(arrow, line.npos) << path << ": " << line;
    EXPECT_TRUE(wanted.emplace(line.substr(0, arrow), line.substr(arrow + kArrow.size())).second) << line;
  }
  for (const auto& [call, outcome] : lines) {
    ASSERT_TRUE(wanted.count(call)) << path << " lacks " << call;
    EXPECT_EQ(outcome, wanted[call]) << call;
  }
  EXPECT_EQ(lines.size(), wanted.size()) << path << " has calls that are made no more";
}

}  // namespace taut::test
