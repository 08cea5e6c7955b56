// Reductions of stretches of a dimension, and of bits.
#include <bit>
#include <limits>
#include <numeric>

#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

namespace {

/// Where segments begin and end along the last dimension of a batch.
struct Segments {
  Tensor begins, lengths;  // of one shape, int64
  int64_t count;           // in each element of the batch
};

Segments segments_of(OptionalTensor lengths, OptionalTensor offsets) {
  const Tensor& given = offsets ? *offsets : *lengths;
  check<NotImplementedError>(given.scalar_type() == kLong || given.scalar_type() == kInt,
                             "\"_segment_reduce_lengths\" not implemented for '", toString(given.scalar_type()), "'");
  check(given.dim() >= 1, "segment_reduce(): lengths or offsets must have at least 1 dimension");
  const Tensor ends = given.to(kLong);
  if (!offsets) return {ends.cumsum(-1) - ends, ends, ends.size(-1)};
  check(ends.size(-1) >= 1, "segment_reduce(): offsets must have at least one element");
  return {ends.narrow(-1, 0, ends.size(-1) - 1), ends.diff(), ends.size(-1) - 1};
}

/// Which segment each of n places is in; those in none are in one more.
Tensor segment_index(const Segments& s, int64_t n) {
  Dims shape(s.lengths.sizes());
  shape[shape.size() - 1] = n;
  const Tensor index = full(shape, s.count, kLong), begins = s.begins.contiguous(), lengths = s.lengths.contiguous();
  auto* to = index.data_ptr<int64_t>();
  const auto *begin = begins.data_ptr<int64_t>(), *length = lengths.data_ptr<int64_t>();
  for (int64_t b = 0; s.count > 0 && b < begins.numel() / s.count; ++b)
    for (int64_t k = 0; k < s.count; ++k) {
      const int64_t from = begin[b * s.count + k], count = length[b * s.count + k];
      check(count >= 0, "lengths contains negative value!");
      check(from >= 0 && from <= n && count <= n - from, "segment_reduce(): the segment of ", count, " elements from ",
            from, " on is not inside of ", n, " elements");
      std::fill_n(to + b * n + from, count, k);
    }
  return index;
}

/// The bits of all numbers along the last dimension of contiguous int64, by exclusive or.
Tensor exclusive_or(const Tensor& bits) {
  const int64_t n = bits.size(-1);
  Dims shape(bits.sizes().slice(0, bits.sizes().size() - 1));
  const Tensor y = make(shape, kUInt64, "hash_tensor");
  if (no_data(bits)) return y;
  const auto* from = static_cast<const uint64_t*>(bits.data_ptr());
  auto* to = static_cast<uint64_t*>(y.data_ptr());
  for (int64_t i = 0; i < y.numel(); ++i, from += n)
    to[i] = std::accumulate(from, from + n, uint64_t{0}, std::bit_xor<>());
  return y;
}

}  // namespace

Tensor segment_reduce(const Tensor& data, std::string_view reduce, OptionalTensor lengths, OptionalTensor indices,
                      OptionalTensor offsets, int64_t axis, bool unsafe, const std::optional<Scalar>& initial) {
  constexpr const char* op = "segment_reduce";
  check_defined(data, op, "data");
  axis = wrap_dim(axis, data.dim(), op);
  const bool mean = reduce == "mean", low = reduce == "max" || reduce == "amax",
             high = reduce == "min" || reduce == "amin";
  check(mean || low || high || reduce == "sum" || reduce == "prod",
        "reduce argument must be either sum, prod, mean, amax or amin, got ", reduce);
  check(data.numel() > 0, "segment_reduce(): data must not be empty");
  const Tensor given_lengths = lengths ? *lengths : Tensor(), given_offsets = offsets ? *offsets : Tensor();
  if (is_batched(given_lengths) || is_batched(given_offsets))
    return by_items(op, {data, given_lengths, given_offsets}, [&](const std::vector<Tensor>& in) {
      const auto maybe = [](const Tensor& t) { return t.defined() ? OptionalTensor(t) : OptionalTensor(); };
      return std::vector<Tensor>{
          segment_reduce(in[0], reduce, maybe(in[1]), indices, maybe(in[2]), axis, unsafe, initial)};
    })[0];
  check(!indices, "segment_reduce(): indices based reduction is not supported yet.");
  check(offsets || lengths, "segment_reduce(): Either lengths or offsets must be defined.");
  check<NotImplementedError>(data.is_floating_point() && !is_limited(data.scalar_type()),
                             "\"_segment_reduce_cpu\" not implemented for '", toString(data.scalar_type()), "'");
  const Segments s = segments_of(lengths, offsets);
  check(s.lengths.dim() - 1 == axis, "segment_reduce(): Expected axis to be the last dimension of ",
        offsets ? "offsets" : "lengths", " but got ", axis, ".");
  check(s.lengths.dim() <= data.dim() &&
            s.lengths.sizes().slice(0, static_cast<size_t>(axis)) == data.sizes().slice(0, static_cast<size_t>(axis)),
        "segment_reduce(): the shape of the batch of ", offsets ? "offsets" : "lengths",
        " differs from that of data: ", s.lengths.sizes(), " and ", data.sizes());
  Tensor index = segment_index(s, data.size(axis));
  check(unsafe || offsets || s.lengths.sum(-1).eq(data.size(axis)).all().item<bool>(),
        "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");

  Tensor counts = s.lengths;
  while (index.dim() < data.dim()) index = index.unsqueeze(-1), counts = counts.unsqueeze(-1);
  Dims shape(data.sizes());
  shape[static_cast<size_t>(axis)] = s.count + 1;
  const double infinity = std::numeric_limits<double>::infinity();
  const Scalar neutral = low ? -infinity : high ? infinity : reduce == "prod" ? 1.0 : 0.0;
  const Tensor start = full(shape, low || high ? neutral : initial.value_or(neutral), data.scalar_type());
  Tensor y = start
                 .scatter_reduce(axis, index.expand(data.sizes()), data,
                                 low                ? "amax"
                                 : high             ? "amin"
                                 : reduce == "prod" ? "prod"
                                                    : "sum",
                                 true)
                 .narrow(axis, 0, s.count);
  if ((low || high) && initial) {
    const Tensor first = full({}, *initial, data.scalar_type());
    y = where(low ? y.lt(first) : y.gt(first), first, y);
  }
  if (mean) {
    y = y / counts.clamp_min(1).to(data.scalar_type());
    if (!initial) y = y.masked_fill(counts.eq(0), std::numeric_limits<double>::quiet_NaN());
  }
  return own_result(y.contiguous(), data);
}

Tensor hash_tensor(const Tensor& self, IntArrayRef dim, bool keepdim, int64_t mode) {
  const AsDry as(self);
  constexpr const char* op = "hash_tensor";
  check_defined(self, op);
  check(mode == 0, "Unknown hash_tensor mode: ", mode);
  check(
      self.numel() > 0 || !dim.empty(),
      "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
      "'dim' argument.");
  check<NotImplementedError>(!self.is_complex(), "\"xor_sum_cpu\" not implemented for '", toString(self.scalar_type()),
                             "'");
  const Dims dims = wrap_dims(dim, self.dim(), op);
  Dims order, kept, shape(self.sizes());
  for (int64_t d = 0; d < self.dim(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d), kept.push_back(self.size(d));
  for (const int64_t d : dims) order.push_back(d), shape[static_cast<size_t>(d)] = 1;
  kept.push_back(-1);
  NoGradGuard guard;
  const Tensor wide = self.detach().to(self.is_floating_point() ? kDouble : kLong).permute(order);
  int64_t n = 1;
  for (const int64_t d : dims) n *= self.size(d);
  kept[kept.size() - 1] = n;
  const Tensor y = exclusive_or(wide.contiguous().view(kept));
  return keepdim ? y.view(shape) : y;
}

extern const OpEntry segment_ops[];
extern const size_t segment_ops_count;
const OpEntry segment_ops[] = {
    doc("The sum, mean, product, maximum or minimum of each segment of a dimension, given by their lengths or offsets.",
        function(no_out(op<segment_reduce>(
            "segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? "
            "offsets=None, "
            "int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
            "t(6), 'sum', lengths=c([2, 0, 4])\nt(6, 2), 'mean', lengths=c([2, 0, 4])\nt(6), 'max', lengths=c([2, 1, "
            "3])\n"
            "t(6), 'min', lengths=c([2, 0, 4]), initial=1\nt(6), 'prod', offsets=c([0, 2, 2, 6])\n"
            "t(2, 3), 'sum', lengths=c([[2, 1], [0, 3]]), axis=1\nt(6), 'sum', lengths=c([2, 3]), unsafe=True\n"
            "t(6), 'sum', lengths=c([2, 3])\nt(6), 'sum'")))),
    doc("The numbers along dim, as int64 or float64, by exclusive or of their bits.",
        op<hash_tensor>("hash_tensor(Tensor self, int[] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
                        "t(0)\nt(2), mode=1")),
};
const size_t segment_ops_count = std::size(segment_ops);

}  // namespace taut
