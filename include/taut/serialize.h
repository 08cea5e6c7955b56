// save and load, as libtorch spells them. The name decides the format: .npy, .npz, .pt or .pth; all others are
// safetensors.
#pragma once
#include <concepts>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

#include "taut/io/file.h"
#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut {

namespace io::detail {

using State = OrderedDict<std::string, Tensor>;

template <class T>
concept HasState = requires(T& x, const State& s) {
  { x.state_dict() } -> std::convertible_to<State>;
  x.load_state_dict(s);
};
template <class T>
concept PointsToState = requires(T& x) {
  requires HasState<std::remove_reference_t<decltype(*x)>>;
};
/// A module, an optimiser, a scheduler; or a holder or a pointer to one.
template <class T>
concept Stateful = HasState<std::remove_const_t<T>> || PointsToState<std::remove_const_t<T>>;

template <Stateful T>
auto& stateful(T& value) {
  if constexpr (HasState<std::remove_const_t<T>>) return value;
  else return *value;
}

/// Runs `load` and puts `what` before the message of an error.
template <class F>
void load_state(const std::string& what, F&& load) {
  try {
    load();
  } catch (const FileError&) {
    throw;
  } catch (const Error& e) {
    throw Error(str(what, ": ", e.what()));
  }
}

}  // namespace io::detail

/// One tensor; .npz, .safetensors and .pt hold it under a name of its own or alone.
void save(const Tensor& tensor, const std::string& path);
void save(const std::vector<Tensor>& tensors, const std::string& path);
/// Names and tensors, in this order.
void save(const OrderedDict<std::string, Tensor>& tensors, const std::string& path);
/// As a safetensors file.
void save(const Tensor& tensor, std::ostream& stream);
void save(const std::vector<Tensor>& tensors, std::ostream& stream);
void save(const OrderedDict<std::string, Tensor>& tensors, std::ostream& stream);

/// Everything in a file, by name, whatever wrote it. A single array has the name "0", those of a list their number.
OrderedDict<std::string, Tensor> load(const std::string& path, io::LoadOptions options = {});
OrderedDict<std::string, Tensor> load(std::istream& stream);
void load(Tensor& tensor, const std::string& path);
void load(std::vector<Tensor>& tensors, const std::string& path);
void load(OrderedDict<std::string, Tensor>& tensors, const std::string& path);
void load(Tensor& tensor, std::istream& stream);
void load(std::vector<Tensor>& tensors, std::istream& stream);
void load(OrderedDict<std::string, Tensor>& tensors, std::istream& stream);

/// The state_dict of a module, an optimiser or a scheduler (or of what a holder or a pointer points to).
template <io::detail::Stateful T>
void save(const T& value, const std::string& path) {
  save(io::detail::State(io::detail::stateful(value).state_dict()), path);
}
template <io::detail::Stateful T>
void save(const T& value, std::ostream& stream) {
  save(io::detail::State(io::detail::stateful(value).state_dict()), stream);
}
/// Throws, and changes nothing, when the names or shapes do not fit.
template <class T>
requires io::detail::Stateful<std::remove_reference_t<T>>
void load(T&& value, const std::string& path) {
  const auto state = load(path);
  io::detail::load_state(str("load: '", path, "'"), [&] { io::detail::stateful(value).load_state_dict(state); });
}
/// The device must be the CPU.
template <class T>
requires io::detail::Stateful<std::remove_reference_t<T>>
void load(T&& value, const std::string& path, Device device) {
  device.require();
  load(value, path);
}
template <class T>
requires io::detail::Stateful<std::remove_reference_t<T>>
void load(T&& value, std::istream& stream) {
  const auto state = load(stream);
  io::detail::load_state("load", [&] { io::detail::stateful(value).load_state_dict(state); });
}

}  // namespace taut
