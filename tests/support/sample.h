// The sample calls of the registry as values: "t(2, 3), dim=1" becomes the arguments of an op. tools/golden_ops.py
// makes the same numbers, bit for bit.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "taut/registry.h"
#include "taut/taut.h"

namespace taut::test {

enum class Kind { Any, Positive, Unit };  // t, p, u

/// Element `k` of the `argument`th tensor of a call: in (-2, 2) away from integers, in (0.2, 2.2), or in (-0.9, 0.9).
double number(Kind kind, int argument, int64_t k);
/// A contiguous tensor of such numbers; of whole ones when `dtype` is not a float.
Tensor numbers(Kind kind, int argument, IntArrayRef sizes, ScalarType dtype = kDouble);

/// How a call is made from its text.
struct Make {
  ScalarType dtype = kDouble;  // of t, p, u, s and of literals that are floats; of z the complex one
  int64_t scale = 1;           // every size above 1 is multiplied by it
};

/// One line of an op's samples.
class Sample {
 public:
  Sample(const OpEntry* op, std::string text) : op_(op), text_(std::move(text)), schema_(parse_schema(op->schema)) {}
  const std::string& text() const { return text_; }
  /// "add.Tensor"
  std::string name() const;
  /// "add.Tensor(t(2, 3), t(3))", for messages.
  std::string call_text() const { return name() + "(" + text_ + ")"; }
  /// The arguments in the order of the schema, defaults filled in.
  std::vector<Value> arguments(const Make& make = {}) const;
  /// Has a float written out: an edge, where a finite difference would mislead.
  bool has_float_literal() const;
  /// Has a symmetric matrix, of which an op may read one half: a finite difference of an element would mislead.
  bool is_symmetric() const;
  /// Of complex numbers: tangents that are no such matrices are none of an op that reads one half.
  bool is_hermitian() const;
  /// Has t, p, u, z or s, whose dtype can be chosen.
  bool has_numbers() const;
  /// Has sp, csr, csc, bsr or bsc: `arguments` has all their elements, and `run` calls the op with two of three as a
  /// sparse tensor.
  bool is_sparse() const;
  /// Calls the op; one that writes its first argument gets a copy of it. Results as one flat list.
  std::vector<Value> run(const std::vector<Value>& arguments) const;
  /// The tensors among the results, which are dense.
  std::vector<Tensor> tensors(const std::vector<Value>& arguments) const;
  bool in_place() const { return schema_.name.ends_with('_') && !schema_.name.ends_with("__"); }
  const OpEntry* op() const { return op_; }

 private:
  const OpEntry* op_;
  std::string text_;
  Schema schema_;
};

std::vector<Sample> samples_of(const OpEntry& op);

/// The tensors among the arguments, those in lists too, in order; and the arguments with others in their places.
std::vector<Tensor> tensors_in(const std::vector<Value>& arguments);
std::vector<Value> with_tensors(const std::vector<Value>& arguments, const std::vector<Tensor>& tensors);

/// The elements in order, as doubles; complex numbers as two each.
std::vector<double> values_of(const Tensor& t);
/// "float64[2, 3]: 1 2 3 ...", shortened.
std::string describe(const Tensor& t);

/// A name for a test: "add_Tensor".
std::string test_name(const OpEntry& op);

/// Why the results of this op cannot be foretold (random numbers, memory left as it was); null for all others.
const char* unpredictable(const std::string& name);

}  // namespace taut::test
