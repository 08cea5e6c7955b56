// Tensors as text: every case of tests/golden/print.txt as PyTorch prints it, and the options.
#include "taut/print.h"

#include <gtest/gtest.h>

#include <clocale>
#include <fstream>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut {
namespace {

/// Puts back what a test changes.
class Restore {
 public:
  ~Restore() {
    set_printoptions(options_);
    set_default_dtype(dtype_);
  }

 private:
  PrintOptions options_ = get_printoptions();
  ScalarType dtype_ = get_default_dtype();
};

ScalarType dtype_named(const std::string& name) {
  for (int t = 0; t < kDtypeCount; ++t)
    if (name == dtype_name(static_cast<ScalarType>(t))) return static_cast<ScalarType>(t);
  ADD_FAILURE() << "unknown dtype " << name;
  return kFloat;
}

struct Case {
  std::string name, text;
  ScalarType dtype = kFloat, default_dtype = kFloat;
  std::string grad;
  std::vector<int64_t> shape, strides;
  PrintOptions options;
  std::string values;
};

std::vector<int64_t> ints(const std::string& text) {
  std::vector<int64_t> list;
  std::istringstream in(text);
  for (std::string word; in >> word && word != "-";) list.push_back(std::stoll(word));
  return list;
}

std::vector<Case> read_cases() {
  std::ifstream in(test::golden_path("print.txt"));
  std::vector<Case> cases;
  std::string line, word;
  while (std::getline(in, line)) {
    if (line.starts_with("end ")) {
      EXPECT_EQ(std::stoull(line.substr(4)), cases.size());
      return cases;
    }
    Case c;
    c.name = line.substr(5);
    std::getline(in, line);
    std::istringstream types(line);
    types >> word;
    c.dtype = dtype_named(word);
    types >> c.grad >> word;
    c.default_dtype = dtype_named(word);
    std::getline(in, line);
    c.shape = ints(line.substr(0, line.find(';')));
    c.strides = ints(line.substr(line.find(';') + 1));
    std::getline(in, line);
    std::istringstream options(line);
    options >> c.options.precision >> c.options.threshold >> c.options.edgeitems >> c.options.linewidth >> word;
    if (word != "auto") c.options.sci_mode = word == "on";
    std::getline(in, c.values);
    std::getline(in, line);
    for (int n = std::stoi(line); n > 0; --n) {
      std::getline(in, line);
      c.text += line + (n > 1 ? "\n" : "");
    }
    cases.push_back(c);
  }
  ADD_FAILURE() << "the golden file is missing or has no end";
  return cases;
}

template <class T, class Parse>
Tensor make_values(const Case& c, Parse parse) {
  int64_t n = 1;
  for (int64_t s : c.shape) n *= s;
  std::istringstream in(c.values);
  std::string word, step;
  std::vector<T> list;
  in >> word;
  if (word == "arange") {
    in >> word >> step;
    for (int64_t i = 0; i < n; ++i) list.push_back(static_cast<T>(parse(word) + parse(step) * static_cast<T>(i)));
  } else {
    for (int64_t i = 0; i < n; ++i, in >> word) list.push_back(parse(word));
  }
  return from_vector(std::move(list));
}

Tensor make_tensor(const Case& c) {
  const Tensor flat = is_floating_point(c.dtype)
                          ? make_values<double>(c, [](const std::string& w) { return std::stod(w); })
                          : make_values<int64_t>(c, [](const std::string& w) { return std::stoll(w); });
  Tensor t = c.strides.empty() ? empty(c.shape, c.dtype) : empty_strided(c.shape, c.strides, c.dtype);
  t.copy_(flat.view(c.shape));
  if (c.grad != "none") t.requires_grad_();
  return c.grad == "mul" ? t * 1 : t;
}

TEST(Print, EveryGoldenCaseReadsAsPyTorchPrintsIt) {
  const std::vector<Case> cases = read_cases();
  ASSERT_GE(cases.size(), 120u);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Restore restore;
    const Tensor t = make_tensor(c);
    set_default_dtype(c.default_dtype);
    set_printoptions(c.options);
    EXPECT_EQ(repr(t), c.text);
  }
}

TEST(Print, StreamsPrintTheRepr) {
  std::ostringstream out;
  out << tensor({1.0, 2.5});
  EXPECT_EQ(out.str(), "tensor([1.0000, 2.5000])");
}

TEST(Print, AnUndefinedTensorHasAText) {
  EXPECT_EQ(repr(Tensor()), "[ Tensor (undefined) ]");
  EXPECT_EQ(Tensor().toString(), "UndefinedType");
}

TEST(Print, TheOptionsAreKept) {
  Restore restore;
  PrintOptions o;
  o.precision = 2;
  o.threshold = 5;
  o.edgeitems = 1;
  o.linewidth = 33;
  o.sci_mode = true;
  set_printoptions(o);
  const PrintOptions now = get_printoptions();
  EXPECT_EQ(now.precision, 2);
  EXPECT_EQ(now.threshold, 5);
  EXPECT_EQ(now.edgeitems, 1);
  EXPECT_EQ(now.linewidth, 33);
  EXPECT_EQ(now.sci_mode, true);
}

TEST(Print, BadOptionsAreRefusedAndChangeNothing) {
  Restore restore;
  const int precision = get_printoptions().precision;
  for (int bad : {-1, INT32_MIN, INT32_MAX}) {
    PrintOptions o;
    o.precision = bad;
    EXPECT_THROW(set_printoptions(o), ValueError) << bad;
  }
  for (int64_t bad : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    PrintOptions o;
    o.precision = 7;
    o.edgeitems = bad;
    EXPECT_THROW(set_printoptions(o), ValueError) << bad;
  }
  EXPECT_EQ(get_printoptions().precision, precision);
}

TEST(Print, ExtremeWidthsAndThresholdsPrint) {
  Restore restore;
  PrintOptions o;
  o.linewidth = INT32_MIN;
  o.threshold = INT64_MIN;
  set_printoptions(o);
  EXPECT_EQ(repr(tensor({1, 2})), "tensor([1,\n        2])");
  o.linewidth = INT32_MAX;
  o.threshold = INT64_MAX;
  set_printoptions(o);
  EXPECT_EQ(repr(arange(2000)).find('\n'), std::string::npos);
}

TEST(Print, ALargeTensorIsSummarisedWithoutLookingAtAllOfIt) {
  const Tensor t = zeros({1}).expand({int64_t{1} << 40});
  EXPECT_EQ(repr(t), "tensor([0., 0., 0.,  ..., 0., 0., 0.])");
}

TEST(Print, ManyDimensions) {
  const std::vector<int64_t> shape(64, 1);
  EXPECT_EQ(repr(full(shape, 2.5)), "tensor(" + std::string(64, '[') + "2.5000" + std::string(64, ']') + ")");
}

TEST(Print, GradFnNamesTheNode) {
  const Tensor x = ones({2}, requires_grad());
  EXPECT_EQ(repr(x), "tensor([1., 1.], requires_grad=True)");
  EXPECT_EQ(repr(x + x), "tensor([2., 2.], grad_fn=<AddBackward0>)");
  EXPECT_EQ(repr((x + x).detach()), "tensor([2., 2.])");
}

TEST(Print, TangentsAreShown) {
  autograd::forward_ad::DualLevel level;
  const Tensor x = autograd::forward_ad::make_dual(tensor({1.0, 2.0}), tensor({0.5, 0.25}));
  EXPECT_EQ(repr(x), "tensor([1., 2.], tangent=tensor([0.5000, 0.2500]))");
}

TEST(Print, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");  // where it is installed, 1.5 is written 1,5
  const std::string text = repr(tensor({1.5}));
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_EQ(text, "tensor([1.5000])");
}

TEST(Print, ToStringNamesTheTypeAsLibtorchDoes) {
  const std::map<ScalarType, std::string> names = {
      {kBool, "CPUBoolType"},   {kByte, "CPUByteType"},    {kChar, "CPUCharType"}, {kShort, "CPUShortType"},
      {kInt, "CPUIntType"},     {kLong, "CPULongType"},    {kHalf, "CPUHalfType"}, {kBFloat16, "CPUBFloat16Type"},
      {kFloat, "CPUFloatType"}, {kDouble, "CPUDoubleType"}};
  for (const auto& [type, name] : names) EXPECT_EQ(zeros({2}, type).toString(), name);
}

TEST(Print, PrintWritesTypeAndShapeToStandardError) {
  testing::internal::CaptureStderr();
  zeros({2, 3}).print();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[CPUFloatType [2, 3]]\n");
}

}  // namespace
}  // namespace taut
