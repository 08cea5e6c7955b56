// The overloads of an op, as a call in Python sees them, and which of them a call fits.
#pragma once
#include <string>
#include <vector>

#include "object.h"

namespace taut::python {

enum class Kind : uint8_t { Tensor, Tensors, Scalar, Int, Ints, Float, Floats, Bool, String, Dtype, Index, Generator };

struct Argument {
  Kind kind;
  bool optional, has_default, keyword_only;
  std::string name;
  PyObject* key;    // its name, interned
  PyObject* alias;  // another name it goes by (`input` for self, `axis` for dim), or null
  Value default_value;
};
struct Overload {
  const OpEntry* entry;
  bool makes_tensors = false;  // a factory: takes device, requires_grad and so on
  bool old_order = false;      // takes its factors (alpha, beta, value) among the tensors too, as PyTorch once did
  std::vector<Argument> arguments;
  PyObject *result_type = nullptr, *out_type = nullptr;  // named tuples
};
/// The overloads of an op, in the order in which a call tries them.
std::vector<Overload> parse_overloads(const std::string& name, const std::vector<const OpEntry*>& entries);

/// What Python passes: `n` arguments by position, then those that `keywords` (a tuple, or null) names.
struct Call {
  PyObject* const* args;
  Py_ssize_t n;
  PyObject* keywords;
  Py_ssize_t named() const { return keywords ? PyTuple_GET_SIZE(keywords) : 0; }
  PyObject* key(Py_ssize_t k) const { return PyTuple_GET_ITEM(keywords, k); }
  PyObject* value(Py_ssize_t k) const { return args[n + k]; }
};

constexpr size_t kMaxArguments = 32;

/// What a call says beside the arguments of the schema.
struct Extras {
  PyObject *out = nullptr, *requires_grad = nullptr, *layout = nullptr;
};
/// Boxed arguments, made one by one.
class Values {
 public:
  Values() = default;
  Values(const Values&) = delete;
  ~Values() {
    for (size_t i = 0; i < size_; ++i) data()[i].~Value();
  }
  void add(Value v) { new (data() + size_++) Value(std::move(v)); }
  Value* data() { return reinterpret_cast<Value*>(memory_); }
  size_t size() const { return size_; }

 private:
  alignas(Value) std::byte memory_[kMaxArguments * sizeof(Value)];
  size_t size_ = 0;
};

/// Puts the arguments of a call in the places of an overload. False when they do not fit; `reason`, if wanted, then
/// says why. `numbers_too`: a number may stand for a tensor.
bool match(const Overload& o, const Call& call, Values& values, Extras& extras, std::string* reason,
           bool numbers_too = false);

/// The name of an object's type without its module.
std::string short_name(PyObject* o);

/// What the Python package makes named tuples and checks devices with; null until it says so.
extern PyObject *named_tuple_maker, *device_checker;

void init_overloads();

}  // namespace taut::python
