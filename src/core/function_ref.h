// A function to be called while its owner still stands: std::function without memory, copies and type names.
#pragma once
#include <type_traits>
#include <utility>

namespace taut {

template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(const F& f)
      : object_(&f), call_([](const void* object, A... args) -> R {
          return (*static_cast<const F*>(object))(std::forward<A>(args)...);
        }) {}
  R operator()(A... args) const { return call_(object_, std::forward<A>(args)...); }

 private:
  const void* object_;
  R (*call_)(const void* object, A... args);
};

}  // namespace taut
