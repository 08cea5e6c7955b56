#include "core/tensor_impl.h"

#include <algorithm>
#include <new>

#include "core/lent.h"
#include "taut/core/objects.h"

namespace taut {

constinit thread_local bool dry = false;
constinit thread_local const Lent* lent = nullptr;
constinit std::atomic<bool> meta_seen = false;

void throw_no_data() {
  throw NotImplementedError(
      "attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered: what it "
      "gives follows from numbers, and a meta tensor has none.");
}

Ref<Storage> Storage::create(size_t bytes) {
  if (dry) [[unlikely]] {
    Ref<Storage> s = wrap(nullptr, bytes, nullptr);
    s->data_ = reinterpret_cast<void*>(kNowhere + reinterpret_cast<uintptr_t>(s.get()));  // NOLINT: each elsewhere
    return s;
  }
  void* block = allocate(kHeader + bytes);
  auto* s = new (block) Storage;
  s->data_ = static_cast<char*>(block) + kHeader;
  s->nbytes_ = bytes;
  s->block_ = kHeader + bytes;
  return Ref<Storage>::adopt(s);
}

Ref<Storage> Storage::wrap(void* data, size_t bytes, std::function<void(void*)> deleter) {
  auto* s = new (allocate(kHeader)) Storage;
  s->data_ = data;
  s->nbytes_ = bytes;
  s->block_ = kHeader;
  s->deleter_ = std::move(deleter);
  return Ref<Storage>::adopt(s);
}

Ref<Storage> Storage::alias(const Ref<Storage>& of) {
  return wrap(of->data(), of->nbytes(), [of](void*) {});
}

void Storage::destroy() {
  if (deleter_) deleter_(data_);
  const size_t block = block_;
  this->~Storage();
  deallocate(this, block);
}

namespace {
std::atomic<void (*)(void*)> drop_object{nullptr};
}
void set_object_dropper(void (*drop)(void*)) { drop_object = drop; }

TensorImpl::~TensorImpl() {
  if (python) [[unlikely]]
    drop_object.load()(python);
  delete meta.load(std::memory_order_acquire);
}
void TensorImpl::destroy() {
  if (is_sparse(this)) delete static_cast<SparseImpl*>(this);
  else if (is_batched(this)) delete static_cast<BatchedImpl*>(this);
  else delete this;
}
void TensorImpl::throw_no_memory() const {
  if (is_batched(this))
    throw Error(
        str("Cannot access data pointer of Tensor that doesn't have storage: it is batched by vmap, an item of shape ",
            IntArrayRef(sizes), " of many. Read numbers outside of vmap."));
  throw NotImplementedError(
      str("Cannot access data pointer of Tensor that doesn't have storage: it is sparse, of shape ", IntArrayRef(sizes),
          ". Use .to_dense() first."));
}

/// Sizes beside a size of 0 may be anything: their product means nothing, and must not be an error.
static int64_t wrapping_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

void TensorImpl::refresh() {
  numel = 1;
  contiguous = true;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && strides[d] != numel) contiguous = false;
    numel = wrapping_product(numel, sizes[d]);
  }
  if (numel == 0) contiguous = true;
  if (layout == kBatched) contiguous = false;  // as a whole, it is not known to be
}

void HiddenDims::add(const HiddenDim& h) {
  if (find(h.level)) return;
  check(size_ < kMax, "vmap: a tensor can be batched at ", kMax, " levels at most");
  HiddenDim* at = dims_ + size_++;
  for (; at > dims_ && at[-1].level > h.level; --at) *at = at[-1];
  *at = h;
}
void HiddenDims::remove(int64_t level) {
  size_ = static_cast<uint32_t>(std::remove_if(begin(), end(), [=](const HiddenDim& h) { return h.level == level; }) -
                                begin());
}
const HiddenDims& hidden_of(const TensorImpl& t) {
  static const HiddenDims none;
  if (!is_batched(&t)) return none;
  if (const Lent* l = lent ? find_lent(&t) : nullptr) return l->hidden;
  return static_cast<const BatchedImpl&>(t).hidden;
}

// Note [Destruction never recurses]: a graph of millions of nodes hangs on one reference. A node whose count reaches
// zero is put on a list of the thread; the outermost release empties the list.
static constinit thread_local GraphNode* dead = nullptr;
static constinit thread_local bool draining = false;

void GraphNode::retain() {
  if (owner_) owner_->retain();
  else refs_.retain();
}
void GraphNode::release() {
  if (owner_) return owner_->release();
  if (!refs_.release()) return;
  next_dead_ = dead;
  dead = this;
  if (draining) return;
  draining = true;
  while (GraphNode* n = dead) {
    dead = n->next_dead_;
    delete n;
  }
  draining = false;
}

/// Why a shape is refused.
[[noreturn, gnu::cold, gnu::noinline]] static void throw_bad_shape(IntArrayRef sizes, const char* op) {
  check(sizes.size() <= kMaxDims, op, ": a tensor has at most ", kMaxDims, " dimensions, got ", sizes.size());
  for (int64_t s : sizes) check(s >= 0, op, ": Trying to create tensor with negative dimension ", s, ": ", sizes);
  throw Error(str(op, ": the number of elements of a tensor of shape ", sizes,
                  " overflows (Storage size calculation overflowed). Is one of the sizes wrong?"));
}

static constexpr int64_t kMaxElements = int64_t{1} << 59;

int64_t checked_numel(IntArrayRef sizes, const char* op) {
  int64_t n = 1;
  bool ok = sizes.size() <= kMaxDims;
  for (int64_t s : sizes) ok &= s >= 0 && !__builtin_mul_overflow(n, s, &n);
  if (n == 0) {  // strides must not overflow either, beside the zero
    int64_t step = 1;
    for (size_t d = sizes.size(); d-- > 1;) ok &= !__builtin_mul_overflow(step, std::max<int64_t>(sizes[d], 1), &step);
  }
  if (!ok || n > kMaxElements) [[unlikely]]
    throw_bad_shape(sizes, op);
  return n;
}

/// Makes row-major strides of sizes. The number of elements; not positive where that takes a closer look.
static int64_t sizes_to_strides(Dims& list) {
  int64_t step = 1;
  bool plain = true;
  for (size_t d = list.size(); d-- > 0;) {
    const int64_t size = std::exchange(list[d], step);
    if (size > 1) plain &= !__builtin_mul_overflow(step, size, &step);
    else plain &= size == 1;
  }
  return plain ? step : -1;
}
Dims contiguous_strides(IntArrayRef sizes) {
  Dims strides(sizes);
  sizes_to_strides(strides);
  return strides;
}
void set_contiguous_strides(TensorImpl& t) {
  t.strides = t.sizes;
  sizes_to_strides(t.strides);
  t.contiguous = t.layout != kBatched;
}

ImplPtr make_impl(IntArrayRef sizes, ScalarType dtype, const char* op) {
  ImplPtr impl = ImplPtr::adopt(new TensorImpl);
  impl->sizes.assign(sizes);
  impl->strides = impl->sizes;
  int64_t n = sizes_to_strides(impl->strides);
  if (n <= 0 || n > kMaxElements || sizes.size() > kMaxDims) [[unlikely]]
    n = checked_numel(sizes, op);
  impl->numel = n;
  impl->dtype = dtype;
  impl->storage = Storage::create(static_cast<size_t>(n * element_size(dtype)));
  impl->data = impl->storage->data();
  return impl;
}

static BatchedImpl* make_batched(const HiddenDims& hidden) {
  auto* impl = new BatchedImpl;
  impl->layout = kBatched;
  impl->hidden = hidden;
  return impl;
}
static TensorImpl* make_sparse_alias(const SparseImpl& of) {
  auto* impl = new SparseImpl;
  impl->indices = of.indices;
  impl->others = of.others;
  impl->values = of.values;
  impl->coalesced = of.coalesced;
  impl->layout = of.layout;
  return impl;
}
[[gnu::noinline]] static TensorImpl* make_special_alias(const TensorImpl& of) {
  if (is_batched(&of)) return make_batched(hidden_of(of));
  return make_sparse_alias(static_cast<const SparseImpl&>(of));
}
ImplPtr make_alias(const TensorImpl& of) {
  TensorImpl* impl = of.layout != Layout::Strided ? make_special_alias(of) : new TensorImpl;
  impl->dtype = of.dtype;
  impl->conj = of.conj;
  impl->storage = of.storage;
  impl->data = of.data;
  impl->sizes = of.sizes;
  impl->strides = of.strides;
  impl->inference = of.inference;
  impl->contiguous = of.contiguous;
  impl->numel = of.numel;
  return ImplPtr::adopt(impl);
}

static ImplPtr fill_alias(TensorImpl* impl, const TensorImpl& of, IntArrayRef sizes, IntArrayRef strides, void* data) {
  impl->dtype = of.dtype;
  impl->conj = of.conj;
  impl->storage = of.storage;
  impl->data = data;
  impl->sizes.assign(sizes);
  impl->strides.assign(strides);
  impl->inference = of.inference;
  impl->refresh();
  return ImplPtr::adopt(impl);
}

ImplPtr make_alias(const TensorImpl& of, IntArrayRef sizes, IntArrayRef strides, void* data) {
  if (is_sparse(&of)) of.throw_no_memory();
  return fill_alias(of.layout != Layout::Strided ? make_special_alias(of) : new TensorImpl, of, sizes, strides, data);
}
ImplPtr make_alias(const TensorImpl& of, const HiddenDims& hidden, IntArrayRef sizes, IntArrayRef strides, void* data) {
  return fill_alias(hidden.empty() ? new TensorImpl : make_batched(hidden), of, sizes, strides, data);
}

}  // namespace taut
