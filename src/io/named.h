// Small things that all formats share: names in messages, and the bytes of a tensor.
#pragma once
#include <string>

#include "io/output.h"
#include "taut/autograd.h"
#include "taut/tensor.h"

namespace taut::io {

/// A name as a message shows it: not the whole of a very long one.
inline std::string shortened(const std::string& name) {
  constexpr size_t kShown = 100;
  return name.size() <= kShown ? name : name.substr(0, kShown) + "...";
}

inline void check_named_tensor(const std::string& name, const Tensor& t) {
  check<ValueError>(t.defined(), "save: tensor '", shortened(name), "' is undefined");
}

/// The elements in order, without gaps.
inline void write_elements(Output& out, const Tensor& t) {
  if (t.numel() == 0) return;
  const Tensor dense = t.is_contiguous() && !t.is_conj() ? t : t.data().resolve_conj().contiguous();
  out.write(dense.data_ptr(), dense.nbytes());
}

}  // namespace taut::io
