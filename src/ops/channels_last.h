// Memory in the order of channels last: a tensor (N, C, ...) whose elements lie as if it were (N, ..., C).
#pragma once
#include "taut/core/dims.h"
#include "taut/tensor.h"

namespace taut {

inline bool is_channels_last(MemoryFormat f) {
  return f == MemoryFormat::ChannelsLast || f == MemoryFormat::ChannelsLast3d;
}
/// The number of dimensions that the format is for.
inline size_t channels_last_dims(MemoryFormat f) { return f == MemoryFormat::ChannelsLast3d ? 5 : 4; }
/// (N, C, ...) seen as (N, ..., C).
inline Tensor channels_moved_last(const Tensor& t) { return t.movedim(1, -1); }
/// And back.
inline Tensor channels_moved_back(const Tensor& t) { return t.movedim(-1, 1); }
inline void check_channels_last(IntArrayRef sizes, MemoryFormat format) {
  const size_t rank = channels_last_dims(format);
  check(sizes.size() == rank, "required rank ", rank, " tensor to use channels_last", rank == 5 ? "_3d" : "",
        " format");
}
/// The strides of such a tensor.
inline Dims channels_last_strides(IntArrayRef sizes) {
  Dims strides(sizes.size());
  int64_t step = sizes[1];
  strides[1] = 1;
  for (size_t d = sizes.size() - 1; d >= 2; --d) {
    strides[d] = step;
    step *= sizes[d];
  }
  strides[0] = step;
  return strides;
}

}  // namespace taut
