// Notes what each test of a program reaches (reached.cpp). The name of one that fails begins with an exclamation mark.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

extern "C" void reached_note(const char* test, long milliseconds);

namespace {

class Notes : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + '.' + test.name();
    reached_note(((test.result()->Failed() ? "!" : "") + name).c_str(), test.result()->elapsed_time());
  }
};

[[maybe_unused]] const bool begun = [] {
  if (getenv("TAUT_REACHED")) testing::UnitTest::GetInstance()->listeners().Append(new Notes);
  return true;
}();

}  // namespace
