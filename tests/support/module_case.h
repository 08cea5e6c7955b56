// Modules against PyTorch: one list holds the Python text of a module and its C++ twin; the golden file has what
// PyTorch printed, initialised, computed and differentiated for that text. A test file is
//
//   const std::vector<ModuleCase> kCases = {
//       CASE("nn.Linear(3, 2)", "t(4, 3)", nn::Linear(3, 2)),
//       CASE_CALL("nn.Bilinear(2, 3, 4)", "m(x[0], x[1])", "t(5, 2), t(5, 3)", nn::Bilinear(2, 3, 4),
//                 [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
//   };
//   MODULE_CASES(nn_linear, kCases)
//
// and its golden file is written by `nn_linear_test --dump | python3 tools/golden_modules.py
// tests/golden/nn_linear.txt`. Inputs are written as in the registry's samples, and are float32.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "taut/nn.h"
#include "taut/taut.h"

namespace taut::test {

using Tensors = std::vector<Tensor>;

struct BuiltModule {
  std::shared_ptr<nn::Module> module;
  std::function<Tensors(const Tensors&)> call;
};
struct ModuleCase {
  const char *text, *call, *inputs;
  BuiltModule (*build)();
};

/// Ready to be called: f(m, inputs) may return a tensor, or tuples, pairs and vectors of them.
template <class M, class F>
BuiltModule built(M m, F f) {
  return {m.ptr(), [m, f](const Tensors& x) mutable {
            auto result = f(m, x);
            return nn::detail::tensors_of(result);
          }};
}
/// Calls m with all inputs.
struct CallWithAll {
  template <class M>
  auto operator()(M& m, const Tensors& x) const {
    if constexpr (requires { m->forward(x[0]); }) {
      check(x.size() == 1, "this module is called with one tensor; use CASE_CALL");
      return m(x[0]);
    } else if constexpr (requires { m->forward(x[0], x[1]); }) {
      check(x.size() == 2, "this module is called with two tensors; use CASE_CALL");
      return m(x[0], x[1]);
    } else {
      check(x.size() == 3, "this module is called with three tensors; use CASE_CALL");
      return m(x[0], x[1], x[2]);
    }
  }
};
template <class M>
M in_eval_mode(M m) {
  m->eval();
  return m;
}

void check_module_case(const ModuleCase& c, const std::string& golden_file);
/// Any of the parameters and the inputs frozen: the other gradients stay the same.
void check_frozen(const ModuleCase& c);
/// Python runs every case of the golden file; so must C++.
void check_all_cases_run(const std::vector<ModuleCase>& cases, const std::string& golden_file);
int module_case_main(int argc, char** argv, const std::vector<ModuleCase>& cases);

}  // namespace taut::test

#define CASE(text, inputs, ...)                                                                         \
  ::taut::test::ModuleCase {                                                                            \
    text, "m(*x)", inputs, [] { return ::taut::test::built(__VA_ARGS__, ::taut::test::CallWithAll()); } \
  }
/// The last argument is a lambda (m, inputs) that does in C++ what `call` does in Python.
#define CASE_CALL(text, call, inputs, module, ...)                              \
  ::taut::test::ModuleCase {                                                    \
    text, call, inputs, [] { return ::taut::test::built(module, __VA_ARGS__); } \
  }
#define MODULE_CASES(name, cases)                                                                     \
  class Modules : public ::testing::TestWithParam<::taut::test::ModuleCase> {};                       \
  TEST_P(Modules, AsPyTorch) { ::taut::test::check_module_case(GetParam(), #name ".txt"); }           \
  TEST_P(Modules, TrainWithAnyPartFrozen) { ::taut::test::check_frozen(GetParam()); }                 \
  TEST(ModuleCases, AreAllThatPythonRuns) { ::taut::test::check_all_cases_run(cases, #name ".txt"); } \
  INSTANTIATE_TEST_SUITE_P(name, Modules, ::testing::ValuesIn(cases),                                 \
                           [](const auto& p) { return std::to_string(p.index); });                    \
  int main(int argc, char** argv) { return ::taut::test::module_case_main(argc, argv, cases); }
