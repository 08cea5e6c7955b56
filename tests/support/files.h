// Files in tests: a scratch directory, golden files, and errors that must name what is wrong.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/paths.h"
#include "taut/taut.h"

namespace taut::test {

/// A directory that goes away with everything in it.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "taut_test_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  size_t count() const {
    size_t n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++n;
    return n;
  }

 private:
  std::filesystem::path path_;
};

inline std::string golden_file(const std::string& name) { return golden_path("files/" + name); }

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// `f` must throw exactly an E (not something derived from it) whose message holds every phrase.
template <class E, class F>
void expect_error(F&& f, const std::vector<std::string>& phrases, const std::string& what = "") {
  try {
    f();
    ADD_FAILURE() << what << ": nothing was thrown";
  } catch (const std::exception& e) {
    EXPECT_EQ(typeid(e), typeid(E)) << what << ": " << e.what();
    for (const std::string& phrase : phrases)
      EXPECT_NE(std::string(e.what()).find(phrase), std::string::npos)
          << what << ": the message lacks '" << phrase << "': " << e.what();
  }
}

/// Same dtype, shape and values.
inline void expect_same(const Tensor& a, const Tensor& b, const std::string& what = "") {
  ASSERT_TRUE(a.defined() && b.defined()) << what;
  EXPECT_EQ(a.scalar_type(), b.scalar_type()) << what;
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  EXPECT_TRUE(a.equal(b)) << what << ": " << a << " and " << b;
}

/// 0, 1, 2, ... in a shape.
inline Tensor count(ScalarType dtype, const std::vector<int64_t>& shape) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  return arange(n).reshape(shape).to(dtype);
}

constexpr ScalarType kAllDtypes[] = {kBool, kByte, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble};

}  // namespace taut::test
