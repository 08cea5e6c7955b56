// What a Tensor handle points to: memory shared with other tensors, a shape of its own, and its place in the graph.
#pragma once
#include <atomic>
#include <functional>
#include <memory>

#include "core/allocator.h"
#include "core/dry.h"
#include "core/view.h"
#include "taut/core/dims.h"
#include "taut/core/error.h"
#include "taut/core/graph_node.h"
#include "taut/core/layout.h"
#include "taut/core/ref.h"

namespace taut {

/// The memory behind one or more tensors. Owned memory follows this header in the same block.
class Storage {
 public:
  static constexpr size_t kHeader = 128;
  /// Uninitialised memory of our own; in a DryScope none at all.
  static Ref<Storage> create(size_t bytes);
  /// Memory of somebody else; `deleter` runs when the last tensor goes.
  static Ref<Storage> wrap(void* data, size_t bytes, std::function<void(void*)> deleter);
  /// The same memory under a version counter of its own (`x.data()`).
  static Ref<Storage> alias(const Ref<Storage>& of);

  void* data() const { return data_; }
  bool is_meta() const { return is_nowhere(data_); }
  size_t nbytes() const { return nbytes_; }
  uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  /// Somebody wrote. `writer` is the op's name, `step` its number, for the error message of a reader that comes too
  /// late.
  void bump(const char* writer, uint64_t step) {
    version_.store(version() + 1, std::memory_order_relaxed);
    writer_ = writer;
    step_ = step;
  }
  void set_version(uint32_t v) { version_.store(v, std::memory_order_relaxed); }
  const char* writer() const { return writer_; }
  uint64_t writer_step() const { return step_; }
  bool unique() const { return refs_.count() == 1; }
  /// Must a write leave a copy for backward? See Note [Kept values].
  bool kept() const { return kept_.load(std::memory_order_relaxed); }
  void set_kept(bool on) { kept_.store(on, std::memory_order_relaxed); }

  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) destroy();
  }

 private:
  Storage() = default;
  ~Storage() = default;
  void destroy();
  RefCount refs_;
  std::atomic<uint32_t> version_{0};
  void* data_ = nullptr;
  size_t nbytes_ = 0;
  size_t block_ = 0;  // bytes of the block that holds this header
  const char* writer_ = nullptr;
  uint64_t step_ = 0;
  std::atomic<bool> kept_{false};
  std::function<void(void*)> deleter_;
};
static_assert(sizeof(Storage) <= Storage::kHeader);

/// What autograd keeps for a tensor beside its grad_fn; made on first need.
struct AutogradMetaBase {
  virtual ~AutogradMetaBase() = default;
};

/// Why a tensor has no graph although something that requires grad went into it.
enum class Cut : uint8_t { None, Detach, NoGrad, NotDifferentiable, Inference };
/// How a view came to be, which decides whether it may be written in place.
enum class ViewKind : uint8_t { None, Plain, MultiOutput, NoGradMade, InferenceMade, CustomFunction };

/// The layout of a tensor that is an item of many, of which a function under vmap sees one. Those who ask are told
/// Strided: Note [Batching].
constexpr Layout kBatched = static_cast<Layout>(-1);

struct TensorImpl {
  RefCount refs;
  ScalarType dtype = kFloat;
  bool requires_grad = false;   // of a leaf; a tensor with a grad_fn requires grad anyway
  bool wrapped_number = false;  // a plain number in an expression: takes part in promotion only by category
  bool inference = false;       // made in inference mode
  bool contiguous = true;
  bool conj = false;                // its numbers are the conjugates of those in memory: Note [Conjugate views]
  Layout layout = Layout::Strided;  // kBatched: a BatchedImpl; another: a SparseImpl, which has no memory of its own
  ViewKind view_kind = ViewKind::None;
  Cut cut = Cut::None;
  uint32_t output_nr = 0;     // which output of grad_fn this is
  uint32_t attr_version = 0;  // of a view: the storage version its grad_fn belongs to
  void* data = nullptr;       // first element
  int64_t numel = 0;
  Ref<Storage> storage;
  Dims sizes, strides;
  Ref<GraphNode> grad_fn;
  Ref<TensorImpl> base;                          // of a view: the tensor it was taken from, itself never a view
  std::atomic<AutogradMetaBase*> meta{nullptr};  // owned
  const char* cut_by = nullptr;                  // the op that cut the graph, for error messages
  uint64_t cut_step = 0;                         // and its step
  void* python = nullptr;                        // its object in Python while there is one

  static void* operator new(size_t) { return allocate_fixed<sizeof(TensorImpl)>(); }
  static void operator delete(void* p) { deallocate_fixed<sizeof(TensorImpl)>(p); }

  TensorImpl() = default;
  TensorImpl(const TensorImpl&) = delete;
  ~TensorImpl();
  void retain() { refs.retain(); }
  void release() {
    if (refs.release()) destroy();
  }

  bool is_meta() const { return is_nowhere(data); }
  View view() const {
    if (layout != Layout::Strided) [[unlikely]]
      throw_no_memory();
    return {data, dtype, sizes, strides};
  }
  [[noreturn]] void throw_no_memory() const;
  int64_t offset() const {
    return (static_cast<char*>(data) - static_cast<char*>(storage->data())) / element_size(dtype);
  }
  /// Sizes and strides are set: derive numel and contiguous.
  void refresh();

 private:
  void destroy();
};
using ImplPtr = Ref<TensorImpl>;

/// A sparse tensor: Note [Sparse tensors]. Its storage is empty and counts versions.
struct SparseImpl final : TensorImpl {
  ImplPtr indices;         // COO: [dimensions, n]; compressed: [..., lines + 1], where each row, or column, begins
  ImplPtr others;          // compressed: [..., n], the column, or row, of each element, or block
  ImplPtr values;          // [n, ...]; compressed: [..., n, ...], of blocks [..., n, rows, columns, ...]
  bool coalesced = false;  // COO: sorted, and no index twice

  static void* operator new(size_t) { return allocate_fixed<sizeof(SparseImpl)>(); }
  static void operator delete(void* p) { deallocate_fixed<sizeof(SparseImpl)>(p); }
};
inline bool is_sparse(const TensorImpl* t) { return t->layout > Layout::Strided; }

/// A dimension that functions under vmap do not see: Note [Batching].
struct HiddenDim {
  int64_t level;   // of which vmap: a number that no other one gets
  int64_t size;    // how many items
  int64_t stride;  // 0: all items are the same
  bool varies() const { return stride != 0; }
};
/// Some of them, by rising level.
class HiddenDims {
 public:
  static constexpr uint32_t kMax = 16;
  HiddenDims() {}  // what is not there is not set
  HiddenDims(const HiddenDims& o) : size_(o.size_) { std::copy(o.begin(), o.end(), dims_); }
  HiddenDims& operator=(const HiddenDims& o) {
    if (this != &o) size_ = o.size_, std::copy(o.begin(), o.end(), dims_);
    return *this;
  }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const HiddenDim* begin() const { return dims_; }
  const HiddenDim* end() const { return dims_ + size_; }
  HiddenDim* begin() { return dims_; }
  HiddenDim* end() { return dims_ + size_; }
  const HiddenDim& back() const { return dims_[size_ - 1]; }
  const HiddenDim* find(int64_t level) const {
    for (const HiddenDim& h : *this)
      if (h.level == level) return &h;
    return nullptr;
  }
  /// In its place; nothing if the level is there.
  void add(const HiddenDim& h);
  void remove(int64_t level);

 private:
  uint32_t size_ = 0;
  HiddenDim dims_[kMax];
};
/// An item of many tensors: sizes, strides and data are those of the first item.
struct BatchedImpl final : TensorImpl {
  HiddenDims hidden;

  static void* operator new(size_t) { return allocate_fixed<sizeof(BatchedImpl)>(); }
  static void operator delete(void* p) { deallocate_fixed<sizeof(BatchedImpl)>(p); }
};
inline bool is_batched(const TensorImpl* t) { return t->layout == kBatched; }
/// Its hidden dimensions: none unless it is batched.
const HiddenDims& hidden_of(const TensorImpl& t);

/// The product of sizes; throws when one is negative or the product overflows. `op` goes into the message.
int64_t checked_numel(IntArrayRef sizes, const char* op);
/// Row-major strides.
Dims contiguous_strides(IntArrayRef sizes);
/// Sizes and numel are set: makes it contiguous.
void set_contiguous_strides(TensorImpl& t);
/// A new contiguous tensor with uninitialised memory.
ImplPtr make_impl(IntArrayRef sizes, ScalarType dtype, const char* op);
/// A second tensor over the same memory with the same shape; no autograd information. Of a sparse tensor too. That of a
/// batched one has the same hidden dimensions.
ImplPtr make_alias(const TensorImpl& of);
/// The same with a shape of its own.
ImplPtr make_alias(const TensorImpl& of, IntArrayRef sizes, IntArrayRef strides, void* data);
/// The same with hidden dimensions of its own, or none.
ImplPtr make_alias(const TensorImpl& of, const HiddenDims& hidden, IntArrayRef sizes, IntArrayRef strides, void* data);

}  // namespace taut
