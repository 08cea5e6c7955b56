// Functions of functions: derivatives, mapping over a dimension, modules as functions of their parameters. They take
// lambdas of one or several tensors; where a tensor can stand, so can a vector, array, tuple or pair of them, or an
// OrderedDict<std::string, Tensor>. They nest to any depth. docs/transforms.md has examples.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "taut/autograd.h"
#include "taut/func_levels.h"
#include "taut/nn/module.h"
#include "taut/tensor_dict.h"

namespace taut::func {

namespace detail {

/// A copy of `value` in which f has replaced every tensor.
template <class F>
Tensor map_tensors(const Tensor& value, F&& f) {
  return f(value);
}
template <class T, class F>
std::vector<T> map_tensors(const std::vector<T>& value, F&& f);
template <class T, size_t N, class F>
std::array<T, N> map_tensors(const std::array<T, N>& value, F&& f);
template <class A, class B, class F>
std::pair<A, B> map_tensors(const std::pair<A, B>& value, F&& f);
template <class... T, class F>
std::tuple<T...> map_tensors(const std::tuple<T...>& value, F&& f);
template <class T, class F>
OrderedDict<std::string, T> map_tensors(const OrderedDict<std::string, T>& value, F&& f) {
  OrderedDict<std::string, T> result;
  for (const auto& item : value) result.insert(item.key(), map_tensors(item.value(), f));
  return result;
}
template <class T, class F>
std::vector<T> map_tensors(const std::vector<T>& value, F&& f) {
  std::vector<T> result;
  for (const T& item : value) result.push_back(map_tensors(item, f));
  return result;
}
template <class T, size_t N, class F>
std::array<T, N> map_tensors(const std::array<T, N>& value, F&& f) {
  std::array<T, N> result;
  for (size_t i = 0; i < N; ++i) result[i] = map_tensors(value[i], f);
  return result;
}
template <class A, class B, class F>
std::pair<A, B> map_tensors(const std::pair<A, B>& value, F&& f) {
  A first = map_tensors(value.first, f);
  return {std::move(first), map_tensors(value.second, f)};
}
template <class... T, class F>
std::tuple<T...> map_tensors(const std::tuple<T...>& value, F&& f) {
  return [&]<size_t... I>(std::index_sequence<I...>) {
    return std::tuple<T...>{map_tensors(std::get<I>(value), f)...};  // in order, between braces
  }
  (std::index_sequence_for<T...>());
}

template <class T>
std::vector<Tensor> tensors_of(const T& value) {
  std::vector<Tensor> list;
  map_tensors(value, [&](const Tensor& t) { return list.emplace_back(t); });
  return list;
}
/// `value` with these tensors in the places of its own.
template <class T>
T with_tensors(const T& value, const std::vector<Tensor>& list) {
  size_t at = 0;
  return map_tensors(value, [&](const Tensor&) { return list[at++]; });
}

/// One transform at work: it differentiates by tensors of its own, connected to those it was given. So the outer of two
/// finds its tensors in the graph that the inner one made. What it returns is cut off the graph unless that leads on to
/// something else: a tensor of an outer transform, or any that requires grad.
class Transform {
 public:
  Transform();
  std::vector<Tensor> open(const std::vector<Tensor>& given);
  /// Does the graph of these end at any leaf that is not ours?
  bool leads_out(const std::vector<Tensor>& tensors) const;
  std::vector<Tensor> close(std::vector<Tensor> tensors, bool keep) const;
  template <class T>
  T closed(const T& value, bool keep) const {
    return with_tensors(value, close(tensors_of(value), keep));
  }
  /// Gradients of the outputs, zeros where there are none. An undefined seed is 1.
  std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                const std::vector<Tensor>& seeds, bool create_graph) const;
  bool tracked() const { return tracked_; }
  void own(const Tensor& leaf);

 private:
  bool tracked_;
  std::vector<const autograd::Node*> own_;
};

/// A function at a point as a linear map: gradients are linear in their seeds, and the derivative of that map in the
/// direction of tangents is the product of the Jacobian with them. The function was called once for any number of them.
class Linear {
 public:
  Linear(Transform transform, std::vector<Tensor> outputs, const std::vector<Tensor>& inputs);
  /// An undefined tangent is zero.
  std::vector<Tensor> times(const std::vector<Tensor>& tangents) const;

 private:
  Transform transform_;
  std::vector<Tensor> outputs_, seeds_, grads_;
};

using Product = std::function<std::vector<Tensor>(const Tensor& unit)>;
/// What `product` makes of all unit vectors of t, along `dim` of its results: items of a vmap, so many at a time.
std::vector<Tensor> all_units(const Tensor& t, const Product& product, int64_t dim, std::optional<int64_t> chunk_size);
/// Gradients of a number.
void check_number(const Tensor& output);
/// The Jacobian of an output by an input, from what all_units gave.
Tensor jacobian(const Tensor& rows, const Tensor& output, const Tensor& input);

/// The number of items along the dimensions, checked; -1 where there are none.
int64_t items_along(const std::vector<std::pair<Tensor, std::optional<int64_t>>>& inputs);

}  // namespace detail

/// Where the items are: a dimension for all arguments (or results), or one for each; std::nullopt: the same for all.
class Dims {
 public:
  Dims(int64_t dim) : all_(true), list_{dim} {}
  Dims(int dim) : Dims(static_cast<int64_t>(dim)) {}
  Dims(std::nullopt_t) : all_(true), list_{std::nullopt} {}
  Dims(std::initializer_list<std::optional<int64_t>> list) : all_(false), list_(list) {}
  Dims(std::vector<std::optional<int64_t>> list) : all_(false), list_(std::move(list)) {}
  std::optional<int64_t> of(size_t i, size_t count) const {
    check<ValueError>(all_ || list_.size() == count, "vmap: got ", list_.size(), " dimensions for ", count, " values");
    return list_[all_ ? 0 : i];
  }

 private:
  bool all_;
  std::vector<std::optional<int64_t>> list_;
};

struct VmapOptions {
  Randomness randomness = Randomness::Error;
  std::optional<int64_t> chunk_size = std::nullopt;  // so many items at a time
};

namespace detail {

template <class T>
struct IsList : std::false_type {};
template <class... T>
struct IsList<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct IsList<std::pair<A, B>> : std::true_type {};

/// Items of an argument, all of whose tensors have them along one dimension.
template <class T>
T entered(const T& value, std::optional<int64_t> dim, const Level& level) {
  return dim ? map_tensors(value, [&](const Tensor& t) { return enter(t, *dim, level); }) : value;
}
template <class T>
T left(const T& value, std::optional<int64_t> dim, const Level& level) {
  return map_tensors(value, [&](const Tensor& t) {
    if (dim) return leave(t, *dim, level);
    check<ValueError>(!varies(t, level), "vmap: a function can not return a BatchedTensor when out_dim is None");
    return shared(t, level);
  });
}
/// The results of several calls as one.
Tensor joined(const std::vector<Tensor>& parts, std::optional<int64_t> dim);

template <class R>
R left_all(const R& result, const Dims& dims, const Level& level) {
  if constexpr (IsList<R>::value) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return R{left(std::get<I>(result), dims.of(I, sizeof...(I)), level)...};
    }
    (std::make_index_sequence<std::tuple_size_v<R>>());
  } else {
    return left(result, dims.of(0, 1), level);
  }
}
template <class R>
R joined_all(const std::vector<R>& parts, const Dims& dims) {
  if (parts.size() == 1) return parts[0];
  std::vector<std::vector<Tensor>> lists;
  for (const R& part : parts) lists.push_back(tensors_of(part));
  size_t at = 0;
  const auto join = [&](std::optional<int64_t> dim) {
    return [&, dim](const Tensor&) {
      std::vector<Tensor> column;
      for (const std::vector<Tensor>& list : lists) column.push_back(list[at]);
      ++at;
      return joined(column, dim);
    };
  };
  if constexpr (IsList<R>::value) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return R{map_tensors(std::get<I>(parts[0]), join(dims.of(I, sizeof...(I))))...};
    }
    (std::make_index_sequence<std::tuple_size_v<R>>());
  } else {
    return map_tensors(parts[0], join(dims.of(0, 1)));
  }
}

}  // namespace detail

/// A function that applies f to every item along a dimension of its arguments, and stacks the results. f is called
/// once: its tensors stand for all items, of which it sees one.
template <class F>
auto vmap(F f, Dims in_dims = 0, Dims out_dims = 0, VmapOptions options = {}) {
  return [f = std::move(f), in_dims, out_dims, options]<class... A>(const A&... args) {
    using R = std::decay_t<std::invoke_result_t<const F&, const A&...>>;
    constexpr size_t n = sizeof...(A);
    std::vector<std::pair<Tensor, std::optional<int64_t>>> inputs;
    size_t place = 0;
    const auto note = [&](const auto& arg) {
      const std::optional<int64_t> dim = in_dims.of(place++, n);
      detail::map_tensors(arg, [&](const Tensor& t) { return inputs.emplace_back(t, dim).first; });
    };
    (note(args), ...);
    const int64_t count = detail::items_along(inputs);
    const int64_t chunk = options.chunk_size.value_or(std::max<int64_t>(count, 1));
    check<ValueError>(chunk > 0, "vmap: chunk_size should be None or greater than 0. (got ", chunk, ")");
    std::vector<R> parts;
    for (int64_t start = 0; start == 0 || start < count; start += chunk) {
      const int64_t size = std::min(chunk, count - start);
      const Level level(size, options.randomness);
      size_t i = 0;
      const auto item = [&](const auto& arg) {
        const std::optional<int64_t> dim = in_dims.of(i++, n);
        if (!dim || size == count) return detail::entered(arg, dim, level);
        return detail::entered(detail::map_tensors(arg, [&](const Tensor& t) { return t.narrow(*dim, start, size); }),
                               dim, level);
      };
      const std::tuple<A...> items{item(args)...};
      parts.push_back(detail::left_all<R>(std::apply(f, items), out_dims, level));
    }
    return detail::joined_all(parts, out_dims);
  };
}

namespace detail {

/// The type with every Tensor in R replaced by T, and such a value from a list of them.
template <class R, class T>
struct Rebound;
template <class T>
struct Rebound<Tensor, T> {
  using type = T;
  static type make(const Tensor&, const std::vector<T>& list, size_t& at) { return list[at++]; }
};
template <class E, class T>
struct Rebound<std::vector<E>, T> {
  using type = std::vector<typename Rebound<E, T>::type>;
  static type make(const std::vector<E>& value, const std::vector<T>& list, size_t& at) {
    type result;
    for (const E& item : value) result.push_back(Rebound<E, T>::make(item, list, at));
    return result;
  }
};
template <class E, class T>
struct Rebound<OrderedDict<std::string, E>, T> {
  using type = OrderedDict<std::string, typename Rebound<E, T>::type>;
  static type make(const OrderedDict<std::string, E>& value, const std::vector<T>& list, size_t& at) {
    type result;
    for (const auto& item : value) result.insert(item.key(), Rebound<E, T>::make(item.value(), list, at));
    return result;
  }
};
template <class... E, class T>
struct Rebound<std::tuple<E...>, T> {
  using type = std::tuple<typename Rebound<E, T>::type...>;
  static type make(const std::tuple<E...>& value, const std::vector<T>& list, size_t& at) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return type{Rebound<E, T>::make(std::get<I>(value), list, at)...};
    }
    (std::index_sequence_for<E...>());
  }
};
template <class A, class B, class T>
struct Rebound<std::pair<A, B>, T> {
  using type = std::pair<typename Rebound<A, T>::type, typename Rebound<B, T>::type>;
  static type make(const std::pair<A, B>& value, const std::vector<T>& list, size_t& at) {
    auto first = Rebound<A, T>::make(value.first, list, at);
    return {std::move(first), Rebound<B, T>::make(value.second, list, at)};
  }
};

/// The arguments at these positions: one as it is, several as a tuple.
template <size_t First, size_t... Rest, class All>
auto chosen(const All& all) {
  if constexpr (sizeof...(Rest) == 0) return std::get<First>(all);
  else return std::tuple(std::get<First>(all), std::get<Rest>(all)...);
}
template <size_t First, size_t... Rest, class All, class Chosen>
void replace(All& all, const Chosen& by) {
  if constexpr (sizeof...(Rest) == 0) {
    std::get<First>(all) = by;
  } else {
    [&]<size_t... I>(std::index_sequence<I...>) {
      constexpr size_t places[] = {First, Rest...};
      ((std::get<places[I]>(all) = std::get<I>(by)), ...);
    }
    (std::make_index_sequence<1 + sizeof...(Rest)>());
  }
}
/// A call of f by which a transform differentiates.
template <class R, class Chosen>
struct Traced {
  Transform transform;
  Chosen given;
  std::vector<Tensor> inputs;
  R result;
};
template <size_t... Arg, class F, class... A>
auto trace(const F& f, const A&... args) {
  using All = std::tuple<A...>;
  using R = std::decay_t<decltype(std::apply(f, std::declval<const All&>()))>;
  All all(args...);
  Transform transform;
  auto given = chosen<Arg...>(all);
  std::vector<Tensor> inputs = transform.open(tensors_of(given));
  replace<Arg...>(all, with_tensors(given, inputs));
  R result = std::apply(f, std::as_const(all));
  return Traced<R, decltype(given)>{std::move(transform), std::move(given), std::move(inputs), std::move(result)};
}

/// The gradient, the number, and what f returned beside it.
template <size_t... Arg, class F, class... A>
auto grad_and_value_of(const F& f, const A&... args) {
  const AutoGradMode on(true);
  auto t = trace<Arg...>(f, args...);
  using R = decltype(t.result);
  const Tensor output = [&] {
    if constexpr (std::is_same_v<R, Tensor>) return t.result;
    else return std::get<0>(t.result);
  }();
  check_number(output);
  const bool keep = t.transform.leads_out({output});
  auto grads = with_tensors(t.given, t.transform.gradients({output}, t.inputs, {Tensor()}, keep));
  return std::pair(std::move(grads), t.transform.closed(t.result, keep));
}

template <class F, class T>
auto call_with(const F& f, const T& primals) {
  if constexpr (IsList<T>::value) return std::apply(f, primals);
  else return f(primals);
}
template <class... A>
auto one_or_all(const A&... args) {
  if constexpr (sizeof...(A) == 1) return std::get<0>(std::tuple(args...));
  else return std::tuple(args...);
}
/// The Jacobian of what a call gave, by one backward for all elements of an output, or for chunk_size at a time.
template <class T>
auto by_rows(const T& t, std::optional<int64_t> chunk_size) {
  using In = decltype(t.given);
  const std::vector<Tensor> outputs = tensors_of(t.result);
  const bool keep = t.transform.leads_out(outputs);
  std::vector<In> found;
  for (const Tensor& o : outputs) {
    std::vector<Tensor> rows = all_units(
        o.detach(), [&](const Tensor& unit) { return t.transform.gradients({o}, t.inputs, {unit}, keep); }, 0,
        chunk_size);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = jacobian(rows[i], o, t.inputs[i]);
    found.push_back(with_tensors(t.given, rows));
  }
  size_t at = 0;
  return Rebound<decltype(t.result), In>::make(t.result, found, at);
}
/// The same by one pass for all elements of an input.
template <class T>
auto by_columns(const T& t, std::optional<int64_t> chunk_size) {
  using In = decltype(t.given);
  const std::vector<Tensor> outputs = tensors_of(t.result);
  const Linear linear(t.transform, outputs, t.inputs);
  std::vector<std::vector<Tensor>> columns;  // for each input, the tangents of all outputs
  for (size_t i = 0; i < t.inputs.size(); ++i)
    columns.push_back(all_units(
        t.inputs[i].detach(),
        [&](const Tensor& unit) {
          std::vector<Tensor> tangents(t.inputs.size());
          tangents[i] = unit;
          return linear.times(tangents);
        },
        -1, chunk_size));
  std::vector<In> found;
  for (size_t k = 0; k < outputs.size(); ++k) {
    std::vector<Tensor> row;
    for (size_t i = 0; i < t.inputs.size(); ++i) row.push_back(jacobian(columns[i][k], outputs[k], t.inputs[i]));
    found.push_back(with_tensors(t.given, row));
  }
  size_t at = 0;
  return Rebound<decltype(t.result), In>::make(t.result, found, at);
}
template <size_t... Arg, class F, class... A>
auto jacrev_of(const F& f, std::optional<int64_t> chunk_size, const A&... args) {
  const AutoGradMode on(true);
  return by_rows(trace<Arg...>(f, args...), chunk_size);
}
template <size_t... Arg, class F, class... A>
auto jacfwd_of(const F& f, std::optional<int64_t> chunk_size, const A&... args) {
  const AutoGradMode on(true);
  return by_columns(trace<Arg...>(f, args...), chunk_size);
}
/// By whichever are fewer; a column takes one derivative more than a row.
template <size_t... Arg, class F, class... A>
auto jacobian_of(const F& f, const A&... args) {
  const AutoGradMode on(true);
  const auto t = trace<Arg...>(f, args...);
  const auto count = [](const std::vector<Tensor>& list) {
    int64_t n = 0;
    for (const Tensor& each : list) n += each.numel();
    return n;
  };
  return count(tensors_of(t.result)) <= count(t.inputs) ? by_rows(t, std::nullopt) : by_columns(t, std::nullopt);
}

}  // namespace detail

/// A function that returns the gradient of f, which returns one number, and that number. By the first argument, or by
/// those at the positions Arg: of several, a tuple. f may return more beside the number, as a pair or tuple; all of
/// that is the second result then.
template <size_t... Arg, class F>
auto grad_and_value(F f) {
  return [f = std::move(f)](const auto&... args) {
    if constexpr (sizeof...(Arg) == 0) return detail::grad_and_value_of<0>(f, args...);
    else return detail::grad_and_value_of<Arg...>(f, args...);
  };
}
/// A function that returns the gradient of f alone.
template <size_t... Arg, class F>
auto grad(F f) {
  return [both = grad_and_value<Arg...>(std::move(f))](const auto&... args) { return both(args...).first; };
}

/// f(primals...), and a function that multiplies a vector, shaped like that, with the Jacobian of f there.
template <class F, class... A>
auto vjp(F f, const A&... primals) {
  const AutoGradMode on(true);
  auto t = [&]<size_t... I>(std::index_sequence<I...>) { return detail::trace<I...>(f, primals...); }
  (std::index_sequence_for<A...>());
  const std::vector<Tensor> outputs = detail::tensors_of(t.result);
  const bool keep = t.transform.leads_out(outputs);
  auto value = t.transform.closed(t.result, keep);
  auto product = [t, outputs, keep](const decltype(t.result)& cotangents) {
    const std::vector<Tensor> seeds = detail::tensors_of(cotangents);
    bool create = keep;
    for (const Tensor& s : seeds) create |= s.requires_grad();
    create = create && GradMode::is_enabled();
    const AutoGradMode inside(true);
    return detail::with_tensors(t.given, t.transform.gradients(outputs, t.inputs, seeds, create));
  };
  return std::pair(std::move(value), std::move(product));
}

/// f(primals...), and a function that multiplies the Jacobian of f there with tangents, one for each of the primals.
template <class F, class... A>
auto linearize(F f, const A&... primals) {
  const AutoGradMode on(true);
  auto t = [&]<size_t... I>(std::index_sequence<I...>) { return detail::trace<I...>(f, primals...); }
  (std::index_sequence_for<A...>());
  const std::vector<Tensor> outputs = detail::tensors_of(t.result);
  const detail::Linear linear(t.transform, outputs, t.inputs);
  auto value = t.transform.closed(t.result, t.transform.leads_out(outputs));
  auto product = [linear, result = t.result](const A&... tangents) {
    const AutoGradMode inside(true);
    return detail::with_tensors(result, linear.times(detail::tensors_of(std::tuple<A...>(tangents...))));
  };
  return std::pair(std::move(value), std::move(product));
}
/// f at the primals, and its derivative in the direction of the tangents: of several arguments, tuples.
template <class F, class T>
auto jvp(F f, const T& primals, const T& tangents) {
  const auto run = [&](const auto&... p) { return linearize(f, p...); };
  auto both = detail::call_with(run, primals);
  auto tangent = detail::call_with(both.second, tangents);
  return std::pair(std::move(both.first), std::move(tangent));
}

/// A function that returns the Jacobian of f by one backward for all elements of a result, or for chunk_size of them at
/// a time: in the place of each tensor of the result what the argument is made of, of the shape of both.
template <size_t... Arg, class F>
auto jacrev(F f, std::optional<int64_t> chunk_size = std::nullopt) {
  return [f = std::move(f), chunk_size](const auto&... args) {
    if constexpr (sizeof...(Arg) == 0) return detail::jacrev_of<0>(f, chunk_size, args...);
    else return detail::jacrev_of<Arg...>(f, chunk_size, args...);
  };
}
/// The same by one pass for all elements of an argument.
template <size_t... Arg, class F>
auto jacfwd(F f, std::optional<int64_t> chunk_size = std::nullopt) {
  return [f = std::move(f), chunk_size](const auto&... args) {
    if constexpr (sizeof...(Arg) == 0) return detail::jacfwd_of<0>(f, chunk_size, args...);
    else return detail::jacfwd_of<Arg...>(f, chunk_size, args...);
  };
}
/// A function that returns the second derivatives of f, which returns one number.
template <size_t... Arg, class F>
auto hessian(F f) {
  return [rows = jacrev<Arg...>(std::move(f))](const auto&... args) {
    if constexpr (sizeof...(Arg) == 0) return detail::jacobian_of<0>(rows, args...);
    else return detail::jacobian_of<Arg...>(rows, args...);
  };
}

/// Parameters and buffers of a module, by name.
using State = OrderedDict<std::string, Tensor>;

/// While it lives, a module works with other parameters and buffers than its own, which are left as they are. One
/// thread at a time may lend to a module.
class Lend {
 public:
  Lend(nn::Module& module, const State& state);
  ~Lend();
  Lend(const Lend&) = delete;

 private:
  struct Loans;
  std::unique_ptr<Loans> loans_;
};

/// Calls a module with other parameters and buffers, by name.
template <class M, class... A>
auto functional_call(M& module, const State& state, const A&... args) {
  const Lend lend(
      [&]() -> nn::Module& {
        if constexpr (std::is_base_of_v<nn::Module, M>) return module;
        else return *module;
      }(),
      state);
  if constexpr (std::is_base_of_v<nn::Module, M>) return module.forward(args...);
  else return module->forward(args...);
}
/// The parameters of several modules of one kind, stacked by name, and their buffers.
std::pair<State, State> stack_module_state(const std::vector<std::shared_ptr<nn::Module>>& modules);

}  // namespace taut::func

namespace taut::nn {

/// A function of a batch and its targets that returns the gradient of the loss of each sample by each parameter of a
/// module: by name, with the samples along the first dimension. loss(output, targets...) is that of a batch, and gets
/// batches of one.
template <class M, class L>
auto per_sample_grad(M module, L loss) {
  return [module, loss = std::move(loss)]<class... T>(const Tensor& input, const T&... targets) mutable {
    func::State state;
    for (const auto& item : module->named_parameters()) state.insert(item.key(), item.value().detach());
    const auto one = [&](const func::State& parameters, const Tensor& x, const T&... t) {
      return loss(func::functional_call(module, parameters, x.unsqueeze(0)), t.unsqueeze(0)...);
    };
    std::vector<std::optional<int64_t>> dims(2 + sizeof...(T), 0);
    dims[0] = std::nullopt;
    return func::vmap(func::grad(one), dims, 0, {func::Randomness::Different})(state, input, targets...);
  };
}

}  // namespace taut::nn
