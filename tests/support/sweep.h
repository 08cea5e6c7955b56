// What the sweeps over the registry share: a sample call as a differentiable function, gradients with respect to its
// float inputs, and comparisons that say where two tensors differ.
#pragma once
#include <gtest/gtest.h>

#include <optional>

#include "support/sample.h"

namespace taut::test {

using Tensors = std::vector<Tensor>;

/// A sample call as a function of its float tensors. Made only when the call succeeds and autograd records it.
class Function {
 public:
  static std::optional<Function> of(const Sample& sample, const Make& make = {});
  /// With other tensors (all of them, of any dtype) in the places of the sample's.
  static std::optional<Function> of(const Sample& sample, const std::vector<Value>& arguments, const Tensors& tensors);

  /// Leaves that share the memory, and the layout, of the sample's float tensors.
  Tensors leaves() const;
  /// The outputs that autograd follows.
  Tensors operator()(const Tensors& floats) const;
  /// The gradients for these cotangents; zeros where there is none.
  Tensors gradients(const Tensors& floats, const Tensors& cotangents, bool create_graph = false) const;
  /// Fixed numbers of the shapes of the outputs, or of the inputs; another `seed`, other numbers.
  Tensors cotangents(int seed = 100) const;
  Tensors tangents(int seed = 200) const;
  const Tensors& outputs() const { return outputs_; }
  bool is_finite() const;
  /// Are inputs and outputs all of this dtype?
  bool all_of(ScalarType dtype) const;
  const Sample& sample() const { return sample_; }

 private:
  explicit Function(const Sample& sample) : sample_(sample) {}
  Sample sample_;
  std::vector<Value> arguments_;
  Tensors tensors_;             // all tensor arguments
  std::vector<size_t> floats_;  // those of them that are floats
  std::vector<size_t> kept_;    // the outputs that require a gradient
  Tensors outputs_;             // as first computed
};

/// Sum of products of all elements.
double dot(const Tensors& a, const Tensors& b);

struct Tolerance {
  double relative, absolute;  // absolute: times the largest element of what is wanted
};
/// Where `got` differs from `want` in shape, dtype or value; empty when nowhere. nan equals nan.
std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance, bool same_dtype = true);
std::string difference(const Tensors& got, const Tensors& want, Tolerance tolerance);

/// The derivatives of <weights, f(x)> for every element of every x, by central differences.
Tensors finite_differences(const std::function<Tensors(const Tensors&)>& f, const Tensors& x, const Tensors& weights);

/// By how much all sizes of a sample can grow so that no tensor has more than `most` elements; 1 if they do not matter.
int64_t scale_of(const Sample& s, double most);

/// Is `name` (with or without an overload) among these?
bool among(const std::string& name, std::initializer_list<const char*> names);

/// Writes NaN into memory that the allocator hands out next, so that an op which reads what it never wrote is noticed.
void spoil_memory();

/// A test per op of the registry.
class Sweep : public ::testing::TestWithParam<const OpEntry*> {
 protected:
  /// Calls check(sample) for every sample; what it returns (if not empty) or throws is a failure.
  void each(const std::function<std::string(const Sample&)>& check) {
    for (const Sample& s : samples_of(*GetParam())) {
      std::string problem;
      spoil_memory();
      try {
        problem = check(s);
      } catch (const std::exception& e) {
        // Seeds of any kind say that the phases of complex vectors matter, and such a loss has no gradient; and some
        // ops say that they have none.
        const std::string_view words = e.what();
        const bool none = words.ends_with("ill-defined.") || words.find("the derivative for '") != words.npos;
        if (!none) problem = std::string("threw: ") + e.what();
      }
      if (!problem.empty()) ADD_FAILURE() << s.call_text() << "\n  " << problem;
    }
  }
  /// The same for those that autograd records.
  void each_function(const Make& make, const std::function<std::string(const Function&)>& check) {
    each([&](const Sample& s) {
      const auto f = Function::of(s, make);
      return f ? check(*f) : std::string();
    });
  }
};

}  // namespace taut::test

#define TAUT_SWEEP(Suite)                                                   \
  INSTANTIATE_TEST_SUITE_P(Op, Suite, ::testing::ValuesIn(taut::all_ops()), \
                           [](const auto& p) { return taut::test::test_name(*p.param); })
