// Every op as data: its schema, a way to call it with boxed arguments, and sample calls. Bindings and the test sweep
// walk this; there is no second list of ops.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "taut/random.h"
#include "taut/tensor.h"

namespace taut {

/// None, a number, a string, a tensor, a generator, or a list of these.
class Value {
 public:
  using List = std::vector<Value>;
  using Ints = std::vector<int64_t>;
  Value() = default;
  Value(bool b) : v_(b) {}
  Value(int64_t i) : v_(i) {}
  Value(double d) : v_(d) {}
  Value(Complex<double> z) : v_(z) {}
  Value(std::string s) : v_(std::move(s)) {}
  Value(Tensor t) : v_(std::move(t)) {}
  Value(ScalarType t) : v_(t) {}
  Value(Generator g) : v_(std::move(g)) {}
  Value(List l) : v_(std::move(l)) {}
  Value(Ints l) : v_(std::move(l)) {}

  bool is_none() const { return std::holds_alternative<std::monostate>(v_); }
  template <class T>
  const T* get() const {
    return std::get_if<T>(&v_);
  }
  /// Conversions throw TypeError and say what was given.
  bool to_bool() const;
  int64_t to_int() const;
  double to_double() const;
  Scalar to_scalar() const;
  const std::string& to_string() const;
  const Tensor& to_tensor() const;
  ScalarType to_dtype() const;
  const Generator& to_generator() const;
  const List& to_list() const;
  Ints to_ints() const;  // one int, or a list of them
  std::vector<Tensor> to_tensors() const;

 private:
  std::variant<std::monostate, bool, int64_t, double, Complex<double>, std::string, Tensor, ScalarType, Generator, List,
               Ints>
      v_;
};

/// One op (or one overload of it).
struct OpEntry {
  const char* schema;   // "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"
  const char* samples;  // calls to try, one per line: "t(2, 3), beta=2.0"; see docs/adding-an-op.md
  Value (*call)(const Value* args, size_t n);  // all arguments, in the order of the schema
  /// `x.name_(...)`: writes the result into the first argument; null for an op without this twin.
  void (*in_place)(const OpEntry& op, const Value* args, size_t n) = nullptr;
  /// Computes into `out`, which has the shape and dtype of the result and shares no memory with the arguments unless it
  /// is one of them. False, and nothing is done, where it cannot; null for an op that never can.
  bool (*into)(const Value* args, size_t n, const Tensor& out) = nullptr;
  const char* doc = "";      // one sentence; with the first overload only
  const char* aliases = "";  // other names, with blanks between; with the first overload only
  enum class Form : uint8_t { ByTable, Function, Method } form = Form::ByTable;  // is it a method of Tensor too?
  /// What `out=` may be (src/ops/out.cpp), which follows from nothing but PyTorch's history.
  enum class Out : uint8_t {
    ByTable,
    None,           // it takes none
    Same,           // of the result's dtype
    Casts,          // of a dtype that the result's can be cast to
    CastsAnyway,    // of any dtype
    CastsByNumber,  // as Casts when the last operand has no dimensions and counts as a number, else as Same
    OrByte,         // as Same, or uint8
    Parts,          // real or complex, as the result is, of any width
    Range,          // as Casts; one of as many elements keeps its shape
  } out = Out::ByTable;
  /// With which arguments may `out` share no memory, not even all of it?
  enum class Apart : uint8_t { None, All, ButFirst } out_apart = Apart::None;
};

/// One argument of a schema.
struct SchemaArgument {
  std::string type, name, default_text;
  bool has_default = false, keyword_only = false;
  Value default_value;
};
struct Schema {
  std::string name, overload, returns;
  std::vector<SchemaArgument> arguments;
};
Schema parse_schema(const char* schema);

/// A plain number where an op wants a tensor: it takes part in type promotion only by its category.
Tensor number_tensor(const Scalar& s);
/// Throws if a number that must be of this dtype overflows it; a negative one may wrap into uint8, as in PyTorch.
void check_converts(const Scalar& s, ScalarType t, const char* op);

/// The object that stands for a tensor in another language, while it lives; null when there is none.
void* python_object(const Tensor& t);
void set_python_object(const Tensor& t, void* object);

/// The ops of one source file.
struct OpTable {
  const char* name;
  const OpEntry* rows;
  size_t count;
  bool methods;      // are they methods of Tensor, if they have a `self` and do not say otherwise?
  OpEntry::Out out;  // what their `out=` may be, if they do not say otherwise
};
const std::vector<OpTable>& op_tables();
bool is_method(const OpTable& table, const OpEntry& op);

/// Every op of the library.
const std::vector<const OpEntry*>& all_ops();

}  // namespace taut
