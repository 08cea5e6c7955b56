#include "kernels/optim.h"

#include <memory>
#include <vector>

#include "core/parallel.h"
#include "kernels/copy.h"
#include "kernels/nest.h"

namespace taut::kernels {
namespace {

constexpr int64_t kChunk = 16384;  // elements that are worth a chunk of their own
constexpr int64_t kBlock = 1024;   // elements that pass through buffers at a time

}  // namespace

void optim_step(StepLoop run, bool wide, const StepRow* rows, int64_t count) {
  if (dry) return;
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) total += rows[i].n;
  if (total <= kChunk) return run(rows, count);

  // Large parameters are cut, small ones put together, until every chunk has about as much to do.
  std::vector<StepRow> pieces;
  std::vector<int64_t> starts{0};
  pieces.reserve(static_cast<size_t>(count + total / kChunk + 1));
  const int64_t width = wide ? 8 : 4;
  int64_t filled = 0;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t begin = 0; begin < rows[i].n; begin += kChunk) {
      StepRow piece = rows[i];
      for (void*& p : piece.data)
        if (p) p = static_cast<char*>(p) + begin * width;
      piece.n = std::min(kChunk, rows[i].n - begin);
      pieces.push_back(piece);
      filled += piece.n;
      if (filled >= kChunk) starts.push_back(static_cast<int64_t>(pieces.size())), filled = 0;
    }
  }
  if (starts.back() != static_cast<int64_t>(pieces.size())) starts.push_back(static_cast<int64_t>(pieces.size()));
  parallel_for(static_cast<int64_t>(starts.size()) - 1, 1, [&](int64_t begin, int64_t end) {
    const int64_t first = starts[static_cast<size_t>(begin)];
    run(pieces.data() + first, starts[static_cast<size_t>(end)] - first);
  });
}

void optim_step(const StepLoop (&run)[2], const StridedStep& item) {
  if (dry) return;
  constexpr int K = kStepStreams;
  const View& param = item.views[0];
  int streams[K], n_streams = 0;
  for (int k = 0; k < K; ++k)
    if (item.there >> k & 1) streams[n_streams++] = k;
  Nest<K> nest;
  for (int d = 0; d < param.dim(); ++d) {
    int64_t s[K];
    for (int k = 0; k < K; ++k) s[k] = item.views[item.there >> k & 1 ? k : 0].strides[d];
    nest.add(param.sizes[d], s[0], s[1], s[2], s[3], s[4], s[5]);
  }
  nest.normalize();
  const int64_t n = nest.numel();
  const bool wide = param.dtype == kDouble;
  bool direct = (wide || param.dtype == kFloat) && nest.dims <= 1;
  for (int k = 0; k < K && nest.dims == 1; ++k) direct &= nest.stride[0][k] == 1;
  StepRow row{{}, n, item.numbers};
  if (direct) {  // every one dense, in the same order
    for (int i = 0; i < n_streams; ++i) row.data[streams[i]] = item.views[streams[i]].data;
    return optim_step(run[wide], wide, &row, 1);
  }
  const ScalarType type = wide ? kDouble : kFloat;
  const int64_t size = element_size(param.dtype);
  parallel_for(n, kChunk, [&](int64_t begin, int64_t end) {
    alignas(64) char buffer[K][kBlock * 8];
    StepRow part = row;
    for (int i = 0; i < n_streams; ++i) part.data[streams[i]] = buffer[streams[i]];
    Cursor<K> at(nest, begin);
    for (int64_t i = begin; i < end;) {
      part.n = std::min({kBlock, end - i, at.left()});
      const auto element = [&](int k) { return item.views[k].template ptr<char>() + at.offset[k] * size; };
      const auto step = [&](int k) { return nest.dims ? nest.stride[nest.dims - 1][k] : 1; };
      for (int j = 0; j < n_streams; ++j) {
        const int k = streams[j];
        copy_row(type, buffer[k], 1, param.dtype, element(k), step(k), part.n);
      }
      run[wide](&part, 1);
      for (int j = 0; j < n_streams; ++j) {
        const int k = streams[j];
        if (k != 1) copy_row(param.dtype, element(k), step(k), type, buffer[k], 1, part.n);
      }
      i += part.n;
      at.advance(part.n);
    }
  });
}

}  // namespace taut::kernels
