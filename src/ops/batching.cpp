// Hidden dimensions, and how an op is called on tensors that have them. Note [Batching].
#include "ops/batching.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "kernels/copy.h"
#include "ops/batch_rules.h"
#include "ops/complex.h"
#include "ops/op.h"
#include "taut/core/runtime.h"

namespace taut {

bool any_batched(const Tensor* const* in, size_t n) {
  return std::any_of(in, in + n, [](const Tensor* t) { return is_batched(*t); });
}

Tensor Batch::all(size_t i, const Tensor& x) const {
  return has(i) || !x.defined() ? x : x.expand(with_batch(size, x.sizes()));
}
Tensor Batch::raised(size_t i, const Tensor& x, int64_t dims) const {
  const int64_t own = dim(i, x);
  if (own >= dims || !has(i)) return x;
  Dims sizes(x.sizes());
  for (int64_t d = own; d < dims; ++d) sizes.insert(1, 1);
  return x.view(sizes);
}

namespace batching {

namespace {

/// An alias outside of the graph.
Tensor shaped(const Tensor& t, const HiddenDims& hidden, const Dims& sizes, const Dims& strides) {
  return Tensor::adopt(make_alias(*t.impl(), hidden, sizes, strides, t.impl()->data).detach());
}
/// One dimension less is hidden: that of this level is in front.
Tensor peeled(const Tensor& t, int64_t level) {
  const HiddenDim h = *hidden_of(*t.impl()).find(level);
  HiddenDims hidden = hidden_of(*t.impl());
  hidden.remove(level);
  Dims sizes = t.impl()->sizes, strides = t.impl()->strides;
  sizes.insert(0, h.size), strides.insert(0, h.stride);
  return shaped(t, hidden, sizes, strides);
}
/// The stride of a hidden dimension whose items are not all the same, since there may be one alone.
int64_t telling(int64_t size, int64_t stride) { return stride == 0 && size <= 1 ? 1 : stride; }
/// Dimension `dim` is hidden.
Tensor covered(const Tensor& t, int64_t dim, int64_t level) {
  HiddenDims hidden = hidden_of(*t.impl());
  Dims sizes = t.impl()->sizes, strides = t.impl()->strides;
  const auto d = static_cast<size_t>(dim);
  hidden.add({level, sizes[d], telling(sizes[d], strides[d])});
  sizes.erase(d), strides.erase(d);
  return shaped(t, hidden, sizes, strides);
}
Tensor without(const Tensor& t, const HiddenDims& hidden) {
  return shaped(t, hidden, t.impl()->sizes, t.impl()->strides);
}
/// Only the dimensions at which it varies.
Tensor stripped(const Tensor& t) {
  HiddenDims hidden;
  bool all = true;
  for (const HiddenDim& h : hidden_of(*t.impl()))
    if (h.varies()) hidden.add(h);
    else all = false;
  return all ? t : without(t, hidden);
}

std::mutex names_mutex;
std::set<std::string>& names() {
  static auto* set = new std::set<std::string>;
  return *set;
}
}  // namespace
void note_slow(const char* name) {
  {
    std::lock_guard lock(names_mutex);
    if (!names().insert(name).second) return;
  }
  warn(str("There is a performance drop because we have not yet implemented the batching rule for aten::", name,
           ". The op runs for one item after the other."));
}

/// Without a rule: an item at a time.

std::vector<Tensor> one_by_one(const Callee& callee, const Batch& batch, const Tensor* in, size_t n) {
  if (callee.name) note_slow(callee.name);
  std::vector<std::vector<Tensor>> columns;
  for (int64_t i = 0; i < std::max<int64_t>(batch.size, 1); ++i) {
    std::vector<Tensor> item(in, in + n);
    for (size_t j = 0; j < n; ++j)
      if (batch.has(j))
        item[j] =
            batch.size > 0 ? in[j].select(0, i) : in[j].new_zeros(in[j].sizes().slice(1, in[j].sizes().size() - 1));
    std::vector<Tensor> out = callee.call(callee.op, item.data(), n);
    for (const Tensor& t : out)
      check<NotImplementedError>(!t.defined() || !is_sparse(t), "vmap: ", callee.name ? callee.name : "an op",
                                 " gives sparse tensors, of which there are no batches");
    columns.resize(out.size());
    for (size_t k = 0; k < out.size(); ++k) columns[k].push_back(std::move(out[k]));
  }
  std::vector<Tensor> result;
  for (const std::vector<Tensor>& column : columns) {
    if (!column[0].defined()) {
      result.emplace_back();
    } else {
      const Tensor all = stack(column, 0);
      result.push_back(batch.size > 0 ? all : all.narrow(0, 0, 0));
    }
  }
  return result;
}

std::vector<std::string> without_rule() {
  std::lock_guard lock(names_mutex);
  return {names().begin(), names().end()};
}

std::vector<Tensor> run(const Callee& callee, const Tensor* const* in, size_t n) {
  RawScope raw;
  HiddenDims same;
  const HiddenDims levels = varying(in, n, &same);
  std::vector<Tensor> xs(n);
  for (size_t j = 0; j < n; ++j) xs[j] = is_batched(*in[j]) ? stripped(*in[j]) : *in[j];
  std::vector<Tensor> result;
  if (levels.empty()) {
    result = callee.call(callee.op, xs.data(), n);
  } else {
    const HiddenDim& top = levels.back();
    constexpr size_t kFew = 8;
    bool few[kFew];
    const std::unique_ptr<bool[]> many(n > kFew ? new bool[n] : nullptr);
    bool* const varies = n > kFew ? many.get() : few;
    for (size_t j = 0; j < n; ++j) {
      varies[j] = is_batched(xs[j]) && hidden_of(*xs[j].impl()).find(top.level);
      if (varies[j]) xs[j] = peeled(xs[j], top.level);
    }
    const Batch batch(top.size, varies);
    const bool sparse = std::any_of(xs.begin(), xs.end(), [](const Tensor& t) { return t.defined() && is_sparse(t); });
    result =
        callee.rule && !sparse ? callee.rule(callee.op, batch, xs.data(), n) : one_by_one(callee, batch, xs.data(), n);
    for (Tensor& r : result)
      if (r.defined()) r = covered(r, 0, top.level);
  }
  for (Tensor& r : result)
    if (r.defined() && !same.empty()) r = lifted(r, same);
  return result;
}

bool raise(const Batch& batch, const Tensor* in, size_t n, std::vector<Tensor>& out) {
  const bool single = in[0].defined() && batch.dim(0, in[0]) == 0;
  for (size_t j = 0; j < n; ++j) {
    out.push_back(batch.all(j, in[j]));
    if (single && out[j].defined() && out[j].dim() == 1) out[j] = out[j].unsqueeze(1);
  }
  return single;
}
void lower(std::vector<Tensor>& out) {
  for (Tensor& t : out)
    if (t.defined() && t.dim() == 2 && t.size(1) == 1) t = t.squeeze(1);
}

Tensor whole(const Tensor& t) {
  if (!is_batched(t)) return t;
  const HiddenDims& hidden = hidden_of(*t.impl());
  return aligned(t, hidden, t.impl()->sizes.size());
}

HiddenDims varying(const Tensor* const* in, size_t n, HiddenDims* same) {
  HiddenDims result;
  for (size_t j = 0; j < n; ++j) {
    if (!is_batched(*in[j])) continue;
    for (const HiddenDim& h : hidden_of(*in[j]->impl())) {
      if (!h.varies()) continue;
      const HiddenDim* other = result.find(h.level);
      check(!other || other->size == h.size, "vmap: tensors have ", h.size, " and ", other ? other->size : 0,
            " items at the same level");
      result.add(h);
    }
  }
  for (size_t j = 0; same && j < n; ++j)
    if (is_batched(*in[j]))
      for (const HiddenDim& h : hidden_of(*in[j]->impl()))
        if (!result.find(h.level)) same->add(h);
  return result;
}

HiddenDims varying(const Tensor& t) {
  const Tensor* const in[] = {&t};
  return varying(in, 1);
}

Tensor fresh(const HiddenDims& levels, IntArrayRef sizes, ScalarType dtype, const char* op) {
  Dims all;
  for (const HiddenDim& h : levels) all.push_back(h.size);
  for (int64_t s : sizes) all.push_back(s);
  return hide(make(all, dtype, op), levels, {});
}

Tensor zeros(const HiddenDims& levels, IntArrayRef sizes, ScalarType dtype) {
  Tensor t = fresh(levels, sizes, dtype, "zeros");
  kernels::fill(view_of(whole(t)), 0);
  return t;
}

Tensor aligned(const Tensor& t, const HiddenDims& levels, size_t dims) {
  const HiddenDims& own = hidden_of(*t.impl());
  Dims sizes, strides;
  for (const HiddenDim& level : levels) {
    const HiddenDim* h = own.find(level.level);
    const bool varies = h && (h->varies() || &levels == &own);
    sizes.push_back(varies ? h->size : 1), strides.push_back(varies ? h->stride : 0);
  }
  const TensorImpl& i = *t.impl();
  for (size_t d = i.sizes.size(); d < dims; ++d) sizes.push_back(1), strides.push_back(0);
  for (size_t d = 0; d < i.sizes.size(); ++d) sizes.push_back(i.sizes[d]), strides.push_back(i.strides[d]);
  return shaped(t, {}, sizes, strides);
}

Tensor hide(const Tensor& t, const HiddenDims& levels, const HiddenDims& same) {
  HiddenDims hidden = same;
  Dims sizes = t.impl()->sizes, strides = t.impl()->strides;
  for (const HiddenDim& level : levels) {
    hidden.add({level.level, sizes[0], telling(sizes[0], strides[0])});
    sizes.erase(0), strides.erase(0);
  }
  return shaped(t, hidden, sizes, strides);
}

Tensor lifted(const Tensor& t, const HiddenDims& levels) {
  HiddenDims hidden = hidden_of(*t.impl());
  for (const HiddenDim& h : levels) hidden.add({h.level, h.size, 0});
  return without(t, hidden);
}

void check_holds(const char* op, const Tensor& self, const HiddenDims& levels) {
  // What PyTorch calls it: ops that write by an index have a name there, all others share one.
  const std::string_view name = op;
  if (name.rfind("index_", 0) && name.rfind("fill", 0) && name.rfind("scatter", 0) && name.rfind("masked", 0))
    op = "inplace arithmetic";
  const HiddenDims& own = hidden_of(*self.impl());
  for (const HiddenDim& level : levels) {
    const HiddenDim* h = own.find(level.level);
    check((h && h->varies()) || level.size == 0, "vmap: ", op,
          "(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more "
          "elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over in "
          "a vmap. Please try to use out-of-place operators instead of ",
          op, ". If said operator is being called inside the PyTorch framework, please file a bug report instead.");
  }
}

void write(const Tensor& to, const Tensor& from) {
  RawScope raw;
  const Tensor* const in[] = {&to, &from};
  check_holds("inplace arithmetic", to, varying(from));
  const HiddenDims levels = varying(in, 2);
  const size_t dims = to.sizes().size();
  const Tensor target = aligned(to, levels, dims);
  taut::write(target, aligned(from, levels, dims).expand(target.sizes()));
}

void rescale(TensorImpl& t, int64_t by, int64_t per) {
  if (is_batched(&t))
    for (HiddenDim& h : static_cast<BatchedImpl&>(t).hidden) h.stride = h.stride * by / per;
}
bool divides(const TensorImpl& t, int64_t per) {
  const HiddenDims& hidden = hidden_of(t);
  return std::all_of(hidden.begin(), hidden.end(), [=](const HiddenDim& h) { return h.stride % per == 0; });
}

// ---- Levels.

namespace {
std::atomic<int64_t> next_level{1};
}

bool is_open(int64_t level) {
  for (const autograd::Level* l = thread_state.level; l; l = l->outer)
    if (l->id == level) return true;
  return false;
}
HiddenDims open_levels() {
  HiddenDims result;
  for (const autograd::Level* l = thread_state.level; l; l = l->outer) result.add({l->id, l->size, 0});
  return result;
}
OpenLevel::OpenLevel(int64_t size, autograd::Level::Randomness randomness)
    : level_{next_level.fetch_add(1, std::memory_order_relaxed), size, randomness, thread_state.level} {
  thread_state.level = &level_;
}
OpenLevel::~OpenLevel() { thread_state.level = level_.outer; }

bool varies_at(const Tensor& t, int64_t level) {
  const HiddenDim* h = hidden_of(*t.impl()).find(level);
  return h && h->varies();
}

namespace {

/// What is said of every op on hidden dimensions.
struct OnLevels {
  static constexpr bool complex = true, knows_conj = true, limited = true, linear = true, sees_levels = true;
};

struct Enter : OnLevels {
  static constexpr const char* name = "vmap";
  static constexpr const char* node = "VmapEnterBackward0";
  static constexpr bool view = true;
  int64_t dim, level;
  Tensor forward(const Tensor& x) const { return covered(x, dim, level); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    return leave(g, dim, level, s.sizes(0)[static_cast<size_t>(dim)]);
  }
};

struct Leave : OnLevels {
  static constexpr const char* name = "vmap";
  static constexpr const char* node = "VmapLeaveBackward0";
  int64_t dim, level, size;
  Tensor forward(const Tensor& y) const {
    HiddenDims hidden = hidden_of(*y.impl());
    const HiddenDim* h = hidden.find(level);
    const int64_t stride = h ? h->stride : 0;
    hidden.remove(level);
    Dims sizes = y.impl()->sizes, strides = y.impl()->strides;
    const auto d = static_cast<size_t>(dim);
    sizes.insert(d, size), strides.insert(d, stride);
    return shaped(y, hidden, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return enter(g, dim, level); }
};

struct Lift : OnLevels {
  static constexpr const char* name = "vmap";
  static constexpr const char* node = "VmapLiftBackward0";
  HiddenDims levels;
  Tensor forward(const Tensor& x) const { return lifted(x, levels); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }  // the engine sums
};

/// The sum over all items.
struct SumLevel : OnLevels {
  static constexpr const char* name = "vmap";
  static constexpr const char* node = "VmapSumBackward0";
  HiddenDim at;
  Tensor forward(const Tensor& x) const {
    const Tensor all = peeled(x, at.level);
    return at.varies() ? all.sum(0) : all.select(0, 0) * at.size;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    HiddenDims levels;
    levels.add(at);
    return apply(Lift{{}, levels}, g);
  }
};

}  // namespace

Tensor enter(const Tensor& x, int64_t dim, int64_t level) {
  const auto d = static_cast<size_t>(dim);
  // Something expanded is the same for all items, but may be written: to each item its own.
  const bool same = x.sizes()[d] > 1 && x.strides()[d] == 0 && !thread_state.task;
  return apply(Enter{{}, dim, level}, same ? x.clone(MemoryFormat::Contiguous) : x);
}
Tensor leave(const Tensor& y, int64_t dim, int64_t level, int64_t size) {
  Tensor result = apply(Leave{{}, dim, level, size}, y);
  // A view of a tensor from outside stays one.
  const TensorImpl* base = y.impl()->base.get();
  if (base && !hidden_of(*base).find(level)) mark_view(y, result, false);
  return result;
}
Tensor lifted_in_graph(const Tensor& t, const HiddenDims& levels) {
  const HiddenDims& own = hidden_of(*t.impl());
  HiddenDims missing;
  for (const HiddenDim& h : levels)
    if (!own.find(h.level)) missing.add({h.level, h.size, 0});
  return missing.empty() ? t : apply(Lift{{}, missing}, t);
}
Tensor lift(const Tensor& t) { return lifted_in_graph(t, open_levels()); }

HiddenDims drawn_levels(const char* /*op*/) {
  using Randomness = autograd::Level::Randomness;
  HiddenDims result;
  for (const autograd::Level* l = thread_state.level; l; l = l->outer) {
    check(l->randomness != Randomness::Error,
          "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
          "randomness flags on vmap or perform the randomness operation out of vmap");
    if (l->randomness == Randomness::Different) result.add({l->id, l->size, 1});
  }
  return result;
}

}  // namespace batching

std::vector<Tensor> by_items(const char* name, const std::vector<Tensor>& in,
                             const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& f) {
  using batching::enter, batching::leave;
  std::vector<const Tensor*> all;
  for (const Tensor& t : in) all.push_back(&t);
  const HiddenDims levels = batching::varying(all.data(), all.size());
  std::vector<Tensor> whole;
  if (levels.empty()) {  // the same for all
    for (const Tensor& t : in)
      whole.push_back(is_batched(t) && !t.requires_grad() ? batching::aligned(t, {}, t.sizes().size()) : t);
    return f(whole);
  }
  batching::note_slow(name);
  const HiddenDim top = levels.back();
  // One that is lifted gets a gradient of each item, so it has items too.
  const auto has_items = [&](const Tensor& t) { return is_batched(t) && hidden_of(*t.impl()).find(top.level); };
  for (const Tensor& t : in) whole.push_back(has_items(t) ? leave(t, 0, top.level, top.size) : t);
  std::vector<std::vector<Tensor>> columns;
  for (int64_t i = 0; i < std::max<int64_t>(top.size, 1); ++i) {
    std::vector<Tensor> item = whole;
    for (size_t j = 0; j < in.size(); ++j)
      if (has_items(in[j])) item[j] = top.size > 0 ? whole[j].select(0, i) : whole[j].sum(0).to(whole[j].scalar_type());
    const std::vector<Tensor> out = f(item);
    columns.resize(out.size());
    for (size_t k = 0; k < out.size(); ++k) columns[k].push_back(out[k]);
  }
  std::vector<Tensor> result;
  for (const std::vector<Tensor>& column : columns) {
    if (!column[0].defined()) {
      result.emplace_back();
      continue;
    }
    const Tensor stacked = stack(column);
    result.push_back(enter(top.size > 0 ? stacked : stacked.narrow(0, 0, 0), 0, top.level));
  }
  return result;
}

namespace {
/// What holds all items is drawn as it is.
class NoLevels {
 public:
  NoLevels() : before_(std::exchange(thread_state.level, nullptr)) {}
  ~NoLevels() { thread_state.level = before_; }
  NoLevels(const NoLevels&) = delete;

 private:
  const autograd::Level* before_;
};
}  // namespace
Tensor drawn_from(const char* op, const Tensor& p, const std::function<Tensor(const Tensor&)>& f) {
  if (!thread_state.level && !is_batched(p)) return f(p);
  RawScope raw;
  HiddenDims levels = batching::drawn_levels(op);
  for (const HiddenDim& h : batching::varying(p)) {
    check(levels.find(h.level) || !batching::is_open(h.level),
          "Vmap does not currently support same randomness with a batched tensor input. Please file an issue with "
          "functorch");
    levels.add(h);
  }
  Dims sizes;
  for (const HiddenDim& h : levels) sizes.push_back(h.size);
  for (int64_t s : p.sizes()) sizes.push_back(s);
  const Tensor all = batching::aligned(p, levels, p.sizes().size()).expand(sizes).contiguous();
  const NoLevels scope;
  return batching::hide(f(all), levels, {});
}

void check_items(const Tensor& index, int64_t n) {
  if (index.numel() == 0 || no_data(index)) return;
  const auto [low, high] = batching::whole(index).aminmax();
  if (low.numel() == 0) return;
  const int64_t wrong = low.item<int64_t>() < 0 ? low.item<int64_t>() : high.item<int64_t>();
  check<IndexError>(wrong >= 0 && wrong < n, "index out of range in self: ", wrong, " of ", n);
}

Tensor autograd::provided::sum_levels(const Tensor& t, const HiddenDims& hidden, bool all) {
  Tensor r = t;
  const HiddenDims own = hidden_of(*t.impl());
  for (const HiddenDim& h : own)
    if (!hidden.find(h.level) && (all || !batching::is_open(h.level)))
      r = apply(batching::SumLevel{{}, *hidden_of(*r.impl()).find(h.level)}, r);
  return r;
}

}  // namespace taut
