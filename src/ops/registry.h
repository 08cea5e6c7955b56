// How an op file lists its ops: a constexpr table of rows, which costs nothing at start. registry.cpp names the tables.
//   constexpr OpEntry kTable[] = {
//       op<softplus>("softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", "t(2, 3)\nt(4), beta=2.0"),
//       op("max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)", "t(2, 3), 1",
//          [](const Tensor& x, int64_t dim, bool keepdim) { return max(x, dim, keepdim); }),
//   };
#pragma once
#include <optional>
#include <string_view>
#include <tuple>

#include "taut/factories.h"
#include "taut/indexing.h"
#include "taut/random.h"
#include "taut/registry.h"

namespace taut {

/// The options that the call of a row asks for: a dtype, and where the result is to be.
TensorOptions options_of(std::optional<ScalarType> dtype);

namespace detail {

/// The tensor of a value; None is an undefined one.
const Tensor& tensor_or_none(const Value& v);
[[noreturn]] void throw_count(size_t takes, size_t given);

/// A boxed argument as the C++ type a function takes, for the time of its call: borrowed from the value where it can
/// be, so that there is nothing to copy and nothing to undo.
template <class T>
struct Unboxed;
#define TAUT_UNBOX(Type, Store, expression)                                  \
  template <>                                                                \
  struct Unboxed<Type> {                                                     \
    Store value;                                                             \
    explicit Unboxed([[maybe_unused]] const Value& v) : value(expression) {} \
    operator Type() { return value; }                                        \
  };
TAUT_UNBOX(bool, bool, v.to_bool())
TAUT_UNBOX(int64_t, int64_t, v.to_int())
TAUT_UNBOX(double, double, v.to_double())
TAUT_UNBOX(const Scalar&, Scalar, v.to_scalar())
TAUT_UNBOX(std::string_view, std::string_view, v.to_string())
TAUT_UNBOX(ScalarType, ScalarType, v.to_dtype())
TAUT_UNBOX(const Tensor&, const Tensor&, tensor_or_none(v))
TAUT_UNBOX(Tensor&, Tensor&, const_cast<Tensor&>(v.to_tensor()))  // what it points to is written, the handle is not
TAUT_UNBOX(TensorList, std::vector<Tensor>, v.to_tensors())
TAUT_UNBOX(const std::vector<Value>&, const std::vector<Value>&, v.to_list())
TAUT_UNBOX(OptionalTensor, const Tensor&, tensor_or_none(v))
TAUT_UNBOX(Generator, const Generator&, v.to_generator())
#undef TAUT_UNBOX
template <class T>
struct Unboxed<std::optional<T>> {
  std::optional<Unboxed<T>> value;
  explicit Unboxed(const Value& v) {
    if (!v.is_none()) value.emplace(v);
  }
  operator std::optional<T>() { return value ? std::optional<T>(static_cast<T>(*value)) : std::nullopt; }
};
template <>
struct Unboxed<const std::optional<Scalar>&> {
  std::optional<Scalar> value;
  explicit Unboxed(const Value& v) {
    if (!v.is_none()) value = v.to_scalar();
  }
  operator const std::optional<Scalar>&() { return value; }
};
template <>
struct Unboxed<IntArrayRef> {
  Value::Ints made;  // unless the value is a list of ints already
  IntArrayRef value;
  explicit Unboxed(const Value& v) {
    if (auto* ints = v.get<Value::Ints>()) value = *ints;
    else value = made = v.to_ints();
  }
  operator IntArrayRef() { return value; }
};
template <>
struct Unboxed<OptionalIntArrayRef> {
  std::optional<Unboxed<IntArrayRef>> value;
  explicit Unboxed(const Value& v) {
    if (!v.is_none()) value.emplace(v);
  }
  operator OptionalIntArrayRef() { return value ? OptionalIntArrayRef(value->value) : OptionalIntArrayRef(); }
};

inline Value box(Tensor t) { return Value(std::move(t)); }
inline Value box(bool b) { return b; }
inline Value box(int64_t i) { return i; }
inline Value box(ScalarType t) { return t; }
inline Value box(const std::vector<Tensor>& list) { return Value::List(list.begin(), list.end()); }
template <class... T>
Value box(const std::tuple<T...>& t) {
  return std::apply([](const T&... x) { return Value::List{Value(x)...}; }, t);
}

template <class R, class... A, class F, size_t... I>
Value call_unboxed(F f, const Value* args, std::index_sequence<I...>) {
  return box(f(static_cast<A>(Unboxed<A>(args[I]))...));
}
template <class F, class R, class... A>
Value call_as(F f, R (*)(A...), const Value* args, size_t n) {
  if (n != sizeof...(A)) [[unlikely]]
    throw_count(sizeof...(A), n);
  return call_unboxed<R, A...>(f, args, std::index_sequence_for<A...>());
}

}  // namespace detail

/// A row for a function that has one signature.
template <auto F>
constexpr OpEntry op(const char* schema, const char* samples) {
  return {schema, samples, [](const Value* args, size_t n) { return detail::call_as(F, F, args, n); }};
}
/// The same, with its in-place twin G.
template <auto F, auto G>
constexpr OpEntry op(const char* schema, const char* samples) {
  return {schema, samples, [](const Value* args, size_t n) { return detail::call_as(F, F, args, n); },
          [](const OpEntry&, const Value* args, size_t n) { detail::call_as(G, G, args, n); }};
}
template <class F, class G>
constexpr OpEntry op(const char* schema, const char* samples, F, G) {
  return {schema, samples, [](const Value* args, size_t n) { return detail::call_as(F{}, +F{}, args, n); },
          [](const OpEntry&, const Value* args, size_t n) { detail::call_as(G{}, +G{}, args, n); }};
}
/// A row for one overload, picked by a lambda without captures.
template <class F>
constexpr OpEntry op(const char* schema, const char* samples, F) {
  return {schema, samples, [](const Value* args, size_t n) { return detail::call_as(F{}, +F{}, args, n); }};
}

struct PointwiseOp;
/// The `into` of a pointwise op: its operands come first, what follows them must be factors of 1.
bool compute_into(const PointwiseOp& formula, const void* attributes, const Value* args, size_t n, const Tensor& out);
/// The row of an op that is this formula (formula::mul_op) when it has its default attributes.
template <const auto& Formula>
constexpr OpEntry direct(OpEntry row) {
  row.into = [](const Value* args, size_t n, const Tensor& out) {
    static constexpr typename std::remove_cvref_t<decltype(Formula)>::Attributes attributes{};
    return compute_into(Formula, &attributes, args, n, out);
  };
  return row;
}

/// The row with what it does, in one sentence.
constexpr OpEntry doc(const char* text, OpEntry row) {
  row.doc = text;
  return row;
}
/// The row under other names too: alias("absolute", op<abs>(…)).
constexpr OpEntry alias(const char* names, OpEntry row) {
  row.aliases = names;
  return row;
}
/// A row that is, or is not, a method of Tensor, unlike the others of its table.
constexpr OpEntry method(OpEntry row) {
  row.form = OpEntry::Form::Method;
  return row;
}
constexpr OpEntry function(OpEntry row) {
  row.form = OpEntry::Form::Function;
  return row;
}

/// A row whose `out=` is not that of the others of its table.
using Out = OpEntry::Out;
template <Out kind>
constexpr OpEntry out(OpEntry row) {
  row.out = kind;
  return row;
}
constexpr OpEntry no_out(OpEntry row) { return out<Out::None>(row); }
constexpr OpEntry out_same(OpEntry row) { return out<Out::Same>(row); }
constexpr OpEntry out_casts(OpEntry row) { return out<Out::Casts>(row); }
/// The destination may not overlap the arguments; or only the first, of which the result begins as a copy.
constexpr OpEntry out_apart(OpEntry row) {
  row.out_apart = OpEntry::Apart::All;
  return row;
}
constexpr OpEntry out_apart_but_first(OpEntry row) {
  row.out_apart = OpEntry::Apart::ButFirst;
  return row;
}

/// The row with an in-place twin that computes beside and assigns.
void assign_in_place(const OpEntry& op, const Value* args, size_t n);
constexpr OpEntry in_place_too(OpEntry row) {
  row.in_place = assign_in_place;
  return row;
}

}  // namespace taut
