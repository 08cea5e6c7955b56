// Nodes, saved values, and a tensor's place in the graph.
#include "taut/autograd/node.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "autograd/autocast.h"
#include "autograd/engine.h"
#include "autograd/meta.h"
#include "autograd/state.h"
#include "core/interrupt.h"
#include "core/lent.h"
#include "taut/autograd/graph.h"

namespace taut::autograd {

constinit thread_local ThreadState thread_state;
constinit thread_local AutocastState autocast_state;
GlobalState global_state;

Node::Node(uint32_t outputs, Edge* edges, uint32_t edge_count)
    : edge_count_(edge_count), edges_(edges), sequence_(thread_state.step), outputs_(outputs) {}
Node::~Node() { delete extra(); }
void* Node::operator new(size_t bytes) { return allocate(bytes); }
void Node::operator delete(void* p, size_t bytes) { deallocate(p, bytes); }

std::vector<std::pair<Ref<Node>, uint32_t>> Node::next_functions() const {
  std::vector<std::pair<Ref<Node>, uint32_t>> result;
  for (uint32_t j = 0; j < edge_count_; ++j) result.emplace_back(edges_[j].function, edges_[j].input_nr);
  return result;
}

void Node::set_output_info(uint32_t i, IntArrayRef sizes, ScalarType dtype) {
  if (i > 0 && !more_) more_ = std::make_unique<OutputInfo[]>(outputs_ - 1);
  (i == 0 ? sizes_ : more_[i - 1].sizes).assign(sizes);
  (i == 0 ? dtype_ : more_[i - 1].dtype) = dtype;
}

NodeExtra& Node::make_extra() {
  if (NodeExtra* e = extra()) return *e;
  auto made = std::make_unique<NodeExtra>();
  NodeExtra* expected = nullptr;
  return extra_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel) ? *made.release() : *expected;
}

static std::atomic<unsigned> hook_ids{0};
unsigned next_hook_id() { return hook_ids++; }
void check_hook(unsigned handle) {
  check<IndexError>(handle < hook_ids, "Invalid index, no hook at position ", handle);
}
unsigned Node::add_pre_hook(std::function<void(std::vector<Tensor>&)> hook) {
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.pre.emplace_back(id, std::move(hook));
  return id;
}
unsigned Node::add_post_hook(std::function<void(std::vector<Tensor>&, const std::vector<Tensor>&)> hook) {
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.post.emplace_back(id, std::move(hook));
  return id;
}
unsigned Node::add_tensor_hook(uint32_t output, std::function<Tensor(const Tensor&)> hook) {
  check<IndexError>(output < outputs_, "add_tensor_hook: output ", output, " of ", name(), ", which has ", outputs_);
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.tensor_hooks.push_back({id, output, std::move(hook)});
  return id;
}
void Node::remove_hook(unsigned handle) {
  NodeExtra* extra = this->extra();
  if (!extra) return;
  std::lock_guard lock(extra->mutex);
  std::erase_if(extra->tensor_hooks, [&](auto& h) { return h.id == handle; });
  std::erase_if(extra->pre, [&](auto& h) { return h.first == handle; });
  std::erase_if(extra->post, [&](auto& h) { return h.first == handle; });
}

bool Node::wants(uint32_t j) const {
  const Ref<Node>& next = edges_[j].function;
  return next && (!thread_state.task || is_needed(*thread_state.task, next.get()));
}

// ---- Saved values.

namespace {
/// One backward may free what another one, in another thread, is about to read. A few locks serve all saved values.
class SavedLock {
 public:
  explicit SavedLock(const SavedValue* v)
      : flag_(flags[reinterpret_cast<uintptr_t>(v) / 64 % std::size(flags)]), used_(!TAUT_SINGLE_THREADED) {
    if (used_)
      while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~SavedLock() {
    if (used_) flag_.clear(std::memory_order_release);
  }
  SavedLock(const SavedLock&) = delete;

 private:
  static inline std::atomic_flag flags[64];
  std::atomic_flag& flag_;
  bool used_;
};

[[noreturn]] void throw_freed(const Node& owner) {
  throw Error(str(
      "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
      "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(): `",
      owner.name(), "`, the ", owner.output_sizes(), " result of `", op_name(owner), "` (step ", owner.sequence_nr(),
      "), has lost them. Specify retain_graph=True in the first call if you need to backward through the graph a "
      "second time, or compute the loss again."));
}

[[noreturn]] void throw_overwritten(const Node& owner, const TensorImpl& t, bool is_output, uint32_t version) {
  const Storage& storage = *t.storage;
  std::string writer = ". Clone before writing.";
  if (storage.writer()) {
    const std::string name = storage.writer();
    writer = str("; `", name, "` (step ", storage.writer_step(), ") wrote it. ");
    if (name.back() == '_')
      writer += str("Use `", name.substr(0, name.find_last_not_of('_') + 1), "` instead of `", name,
                    "`, or clone before writing.");
    else writer += "Clone before writing.";
  }
  throw Error(
      str("one of the variables needed for gradient computation has been modified by an inplace operation: the ",
          IntArrayRef(t.sizes), " ", t.dtype, is_output ? " result of `" : " input of `", op_name(owner), "` (step ",
          owner.sequence_nr(), ") was saved for backward at version ", version, " and is at version ",
          storage.version(), writer));
}
}  // namespace

std::string op_name(const Node& node) {
  std::string name = node.name();
  const size_t end = name.rfind("Backward");
  if (end == std::string::npos) return name;
  const bool builtin = end + 8 < name.size();  // "MulBackward0" is ours, "SquareBackward" a user's
  name.resize(end);
  if (!builtin) return name;
  std::string snake;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !snake.empty()) snake += '_';
    snake += static_cast<char>(upper ? c - 'A' + 'a' : c);
  }
  return snake;
}

// ---- Hooks on saved values.

// Note [Packed values]: with hooks, a saved value is a tensor without a dtype; its meta holds what the hooks made of
// the tensor, and where in the graph an input came from.
namespace {
struct Packed final : AutogradMetaBase {
  std::shared_ptr<const SavedHooks> hooks;
  std::shared_ptr<void> value;
  Edge edge;  // of an input
};
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
constinit thread_local size_t hooks_open = 0;  // the length of the list, and 0 while a hook runs
std::vector<std::shared_ptr<const SavedHooks>>& hook_list() {
  static thread_local std::vector<std::shared_ptr<const SavedHooks>> list;
  return list;
}
/// While a hook of the program runs, it may call any op.
struct InHook {
  ThreadState before = thread_state;
  size_t open = std::exchange(hooks_open, 0);
  InHook() { thread_state.raw = thread_state.forward_off = false; }
  ~InHook() {
    const uint64_t step = thread_state.step;
    thread_state = before;
    thread_state.step = step;
    hooks_open = open;
  }
};
bool is_packed(const TensorImpl* t) { return t->dtype == ScalarType::Undefined; }

Tensor alias_of(TensorImpl* t) { return Tensor::adopt(make_alias(*t).detach()); }

Tensor pack(TensorImpl* t, bool is_output) {
  auto made = std::make_unique<Packed>();
  made->hooks = hook_list().back();
  if (!is_output) made->edge = gradient_edge(t);
  const uint32_t version = t->storage->version();
  Tensor given;  // an output without its graph, so no cycle forms
  if (is_output) (given = alias_of(t)).impl()->requires_grad = is_differentiable(t->dtype);
  else t->retain(), given = Tensor::adopt(t);
  {
    const InHook scope;
    thread_state.grad_mode = false;
    made->value = made->hooks->pack(given);
  }
  check(t->storage->version() == version,
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
        "to perform in-place operations on the input to a pack hook.");
  auto* holder = new TensorImpl;
  holder->dtype = ScalarType::Undefined;
  holder->meta = made.release();
  return Tensor::adopt(holder);
}

/// The tensor that the hooks make of a packed value, at `place` in the graph, or where it came from.
Tensor unpack_packed(const TensorImpl& holder, Edge place) {
  const auto& packed = static_cast<const Packed&>(*holder.meta.load(std::memory_order_acquire));
  Tensor t = [&] {
    const InHook scope;
    return packed.hooks->unpack(packed.value);
  }();
  if (!thread_state.grad_mode) return t;
  if (!place.function) place = packed.edge;
  if (!place.function) return t;
  Tensor y = alias_of(t.impl());
  y.impl()->grad_fn = Ref<GraphNode>::share(place.function.get());
  y.impl()->output_nr = place.input_nr;
  return y;
}
}  // namespace

static std::optional<std::string>& saved_hooks_forbidden() {
  static thread_local std::optional<std::string> text;
  return text;
}
std::optional<std::string> forbid_saved_hooks(std::optional<std::string> text) {
  if (text && !hook_list().empty()) throw Error(*text);
  return std::exchange(saved_hooks_forbidden(), std::move(text));
}
void push_saved_hooks(std::shared_ptr<const SavedHooks> hooks) {
  if (saved_hooks_forbidden()) throw Error(*saved_hooks_forbidden());
  hook_list().push_back(std::move(hooks));
  hooks_open = hook_list().size();
}
void pop_saved_hooks() {
  check(!hook_list().empty(), "pop_saved_hooks: there are none");
  hook_list().pop_back();
  hooks_open = hook_list().size();
}
size_t saved_hooks_open() { return hook_list().size(); }
graph::save_on_cpu::save_on_cpu(bool)
    : saved_tensors_hooks([](const Tensor& t) { return t; }, [](const Tensor& t) { return t; }) {}

SavedValue::SavedValue(const Tensor& t, bool is_output) : is_output_(is_output ? 1 : 0) {
  if (!t.defined()) return;
  TensorImpl* impl = t.impl();
  check(!impl->inference, "Inference tensors cannot be saved for backward: one of shape ", IntArrayRef(impl->sizes),
        " was made in InferenceMode. Please do not use Tensors created in inference mode in computation tracked by "
        "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use a "
        "NoGradGuard instead of InferenceMode.");
  version_ = impl->storage->version();
  output_nr_ = impl->output_nr & 0x3fffffff;
  if (hooks_open && !impl->wrapped_number) [[unlikely]] {  // a plain number is nobody's to pack
    tensor_ = pack(impl, is_output);
    return;
  }
  if (!is_output) {
    tensor_ = lent && find_lent(impl) ? alias_of(impl) : t;  // what is lent goes back
    return;
  }
  tensor_ = Tensor::adopt(make_alias(*impl).detach());  // Note [No cycles]
  if (Tensor tangent = tangent_of(t); tangent.defined()) set_tangent(tangent);
}

SavedValue SavedValue::output(const Tensor& t, uint32_t output_nr) {
  SavedValue v(t, true);
  v.output_nr_ = output_nr & 0x3fffffff;
  return v;
}

// Note [Kept values]: an op may read in its derivative what PyTorch's, made of several steps, does not keep. A program
// may then overwrite it before backward. Such values are listed by their storage; who is about to write there first
// gives them a copy of their own. All others raise when they were overwritten.
class KeptValues {
 public:
  static KeptValues& instance() {
    static auto* all = new KeptValues;  // never destroyed: graphs may be freed while statics are
    return *all;
  }
  void add(Storage* storage, SavedValue* v) {
    std::lock_guard lock(mutex_);
    values_.emplace(storage, v);
    storage->set_kept(true);
  }
  void remove(Storage* storage, SavedValue* v) {
    std::lock_guard lock(mutex_);
    auto [at, end] = values_.equal_range(storage);
    while (at != end && at->second != v) ++at;
    if (at != end) values_.erase(at);
  }
  void leave_copies(Storage* storage) {
    std::vector<Tensor> before;  // freed after the lock
    NoGradGuard guard;
    std::lock_guard lock(mutex_);
    const auto [begin, end] = values_.equal_range(storage);
    for (auto it = begin; it != end; ++it) {
      SavedValue& v = *it->second;
      Tensor copy = provided::dense_copy(v.tensor_, v.tensor_);
      if (Tensor tangent = tangent_of(v.tensor_); tangent.defined()) set_tangent(copy, tangent);
      SavedLock value(&v);
      v.version_ += copy.impl()->storage->version() - storage->version();  // overwritten before: stays so
      v.kept_ = 0;
      before.push_back(std::exchange(v.tensor_, std::move(copy)));
    }
    values_.erase(begin, end);
    storage->set_kept(false);
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<Storage*, SavedValue*> values_;
};
void leave_copies_slowly(Storage& storage) { KeptValues::instance().leave_copies(&storage); }

void SavedValue::keep() {
  if (!tensor_.defined() || is_packed(tensor_.impl())) return;
  kept_ = 1;
  KeptValues::instance().add(tensor_.impl()->storage.get(), this);
}
void SavedValue::forget() {
  kept_ = 0;
  if (tensor_.defined()) KeptValues::instance().remove(tensor_.impl()->storage.get(), this);
}

void SavedValue::reset() {
  if (kept_) forget();
  Tensor gone;
  SavedLock lock(this);
  gone.swap(tensor_);
}

void SavedValue::set_tangent(const Tensor& tangent) {
  if (!tensor_.defined() || !is_output_ || is_packed(tensor_.impl())) return;
  autograd::set_tangent(tensor_, tangent);
}

Tensor SavedValue::unpack(Node* owner, const Edge* edge) const {
  Tensor saved = [&] {
    SavedLock lock(this);
    return tensor_;
  }();
  if (!saved.defined()) throw_freed(*owner);
  TensorImpl* impl = saved.impl();
  if (is_packed(impl)) [[unlikely]]
    return unpack_packed(*impl, is_output_ ? Edge{Ref<Node>::share(owner), output_nr_} : edge ? *edge : Edge());
  if (impl->storage->version() != version_ && impl->numel > 0) [[unlikely]]
    throw_overwritten(*owner, *impl, is_output_, version_);
  if (!thread_state.grad_mode && (!is_output_ || global_state.dual_level < 0)) return saved;
  // An output gets its graph back. An input whose history was changed since without a write (detach_, requires_grad_)
  // gets the one it had.
  if (!is_output_ && (!edge || gradient_edge(impl) == *edge)) return saved;
  Tensor t = Tensor::adopt(make_alias(*impl).detach());
  if (is_output_) {
    t.impl()->grad_fn = Ref<GraphNode>::share(owner);
    t.impl()->output_nr = output_nr_;
  } else if (edge->function) {
    t.impl()->grad_fn = Ref<GraphNode>::share(edge->function.get());
    t.impl()->output_nr = edge->input_nr;
  }
  if (Tensor tangent = tangent_of(saved); tangent.defined()) autograd::set_tangent(t, tangent);
  return t;
}

// ---- A tensor's place in the graph.

AutogradMeta::~AutogradMeta() {
  if (retaining && retaining->extra()) {
    std::lock_guard lock(retaining->extra()->mutex);
    std::erase_if(retaining->extra()->retain, [&](auto& r) { return r.second == this; });
  }
}

AutogradMeta& make_meta(TensorImpl* t) {
  if (AutogradMeta* m = find_meta(t)) return *m;
  auto* made = new AutogradMeta;
  made->self = t;
  made->born = backward_count();
  AutogradMetaBase* expected = nullptr;
  if (t->meta.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *static_cast<AutogradMeta*>(expected);
}

/// A view whose memory was written since its grad_fn was made.
static bool is_stale(const TensorImpl* t) {
  if (!t->base) return false;
  std::atomic_ref<uint32_t> version(const_cast<TensorImpl*>(t)->attr_version);
  return version.load(std::memory_order_acquire) != t->storage->version();
}
/// Stale, and its base has a history for it to take over.
static bool is_outdated(const TensorImpl* t) {
  return is_stale(t) && is_differentiable(t->dtype) && requires_grad(t->base.get());
}

/// Views of these kinds may not be written, nor may their base: whether the write is to be recorded would be unclear.
[[noreturn]] static void throw_forbidden(const TensorImpl& t, bool indirect, const char* op, uint64_t step) {
  const Node* fn = static_cast<const Node*>(t.grad_fn.get());
  const char* written = indirect ? " and its base or another view of its base has been modified inplace"
                                 : " and is being modified inplace";
  std::string m;
  if (fn && (t.view_kind == ViewKind::MultiOutput || t.view_kind == ViewKind::CustomFunction)) {
    const std::string name = fn->name();
    m = str("Output ", t.output_nr, " of ", name.substr(0, name.rfind("Backward")), " is a view", written, ". ");
  } else {
    const bool inference = t.view_kind == ViewKind::InferenceMade;
    m = str("A view was created in ", inference ? "inference" : "no_grad", " mode", written,
            inference ? " in normal mode. " : " with grad mode enabled. ");
  }
  switch (t.view_kind) {
    case ViewKind::MultiOutput:
      m += "This view is the output of a function that returns multiple views. Such functions do not allow the output "
           "views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
      break;
    case ViewKind::CustomFunction:
      m += "This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
           "logic to handle view+inplace would override the custom backward associated with the custom Function, "
           "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
           "custom Function.";
      break;
    default: {
      const char* block = t.view_kind == ViewKind::InferenceMade ? "inference_mode" : "no_grad";
      m +=
          str("Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
              "moving both the view and the inplace either both inside the ",
              block,
              " block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
              "tracked).");
    }
  }
  throw Error(str(m, " The write is `", op ? op : "an in-place op", "` (step ", step, "), the view has shape ",
                  IntArrayRef(t.sizes), ", its base ", IntArrayRef(t.base->sizes), "."));
}

/// retain_grad follows the tensor to its new node. Hooks stay with the old value, as in PyTorch.
static void move_retain(TensorImpl* t, const Ref<Node>& node, uint32_t nr) {
  AutogradMeta* m = find_meta(t);
  if (!m || !m->retaining) return;
  {
    NodeExtra& before = *m->retaining->extra();
    std::lock_guard lock(before.mutex);
    std::erase_if(before.retain, [&](auto& r) { return r.second == m; });
  }
  NodeExtra& extra = node->make_extra();
  std::lock_guard lock(extra.mutex);
  extra.retain.emplace_back(nr, m);
  m->retaining = node;
}

const Ref<GraphNode>& current_grad_fn(TensorImpl* t) {
  if (is_stale(t)) [[unlikely]] {
    static ForkSafeMutex mutex;
    Ref<GraphNode> before;  // freed after the lock
    std::lock_guard lock(mutex);
    if (is_outdated(t)) {
      if (t->view_kind != ViewKind::Plain) throw_forbidden(*t, true, t->storage->writer(), t->storage->writer_step());
      Ref<Node> node = provided::view_node(t);
      move_retain(t, node, 0);
      before = std::exchange(t->grad_fn, Ref<GraphNode>::share(node.get()));
      t->output_nr = 0;
    }
    std::atomic_ref(t->attr_version).store(t->storage->version(), std::memory_order_release);
  }
  return t->grad_fn;
}

// An outdated grad_fn must not be looked at: another thread may be renewing it.
bool requires_grad(const TensorImpl* t) { return t->requires_grad || is_outdated(t) || t->grad_fn; }
bool is_leaf(const TensorImpl* t) { return !is_outdated(t) && !t->grad_fn; }

Edge gradient_edge(TensorImpl* t) {
  if (const Ref<GraphNode>& fn = current_grad_fn(t))
    return {Ref<Node>::share(static_cast<Node*>(fn.get())), t->output_nr};
  if (!t->requires_grad) return {};
  AutogradMeta& m = make_meta(t);
  if (!m.accumulator) {
    std::lock_guard lock(m.mutex);
    if (!m.accumulator) m.accumulator.set(new AccumulateGrad(t));
  }
  return {Ref<Node>::share(m.accumulator.get()), 0};
}

void set_output(Node& node, uint32_t nr, const TensorImpl* t) {
  node.set_output_info(nr, t->sizes, t->dtype);
  if (!is_batched(t)) [[likely]]
    return;
  auto& list = node.make_extra().hidden;
  std::erase_if(list, [&](const auto& h) { return h.first == nr; });
  list.emplace_back(nr, hidden_of(*t));
}
void set_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr) {
  set_output(*node, nr, t);
  t->grad_fn = Ref<GraphNode>::share(node.get());
  t->output_nr = nr;
}

void check_inplace(TensorImpl* t, const char* op) {
  if (t->inference && !thread_state.inference)
    throw Error(
        str(op,
            ": Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a "
            "normal tensor before doing inplace update."));
  if (!thread_state.grad_mode) {  // nothing else is forbidden
  } else if (t->base && is_differentiable(t->dtype) && (requires_grad(t) || requires_grad(t->base.get()))) {
    check_rebase(t, op);
    if (is_leaf(t->base.get()))
      throw Error(str("a view of a leaf Variable that requires grad is being used in an in-place operation: `", op,
                      "` (step ", thread_state.step, ") on a view of shape ", IntArrayRef(t->sizes),
                      " of a leaf of shape ", IntArrayRef(t->base->sizes),
                      ". Do it inside a NoGradGuard block, or on a clone()."));
  } else if (t->requires_grad && !t->grad_fn) {
    throw Error(str("a leaf Variable that requires grad is being used in an in-place operation: `", op, "` (step ",
                    thread_state.step, ") would overwrite a leaf of shape ", IntArrayRef(t->sizes),
                    " whose gradient you asked for. Do it inside a NoGradGuard block (as optimisers do), or use the "
                    "op without the underscore."));
  }
  leave_copies(*t->storage);
}

void check_rebase(TensorImpl* t, const char* op) {
  if (t->base && t->view_kind != ViewKind::Plain) throw_forbidden(*t, false, op, thread_state.step);
}

void rebase_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr) {
  if (!node) return;
  if (t->base) {
    Ref<Node> slices = provided::copy_slices(t, node, nr);
    move_retain(t->base.get(), slices, 0);
    set_history(t->base.get(), slices, 0);
    // The view's own grad_fn is out of date now, and made when somebody asks. retain_grad asks.
    if (AutogradMeta* m = find_meta(t); m && m->retaining) current_grad_fn(t);
    return;
  }
  move_retain(t, node, nr);
  set_history(t, node, nr);
}

// ---- Forward mode.

// Note [Tangents of views]: a write through one view changes the tangents of its base and of all other views. So the
// tangent of a view is that part of its root's tangent; a copy is kept with the view until the root's changes. The root
// is the base, or the dual tensor among the views: its base, the primal, knows nothing of tangents.

static bool has_tangent(const AutogradMeta* m) {
  return m && m->tangent_generation == global_state.dual_generation && m->tangent.defined();
}

TensorImpl* forward_root(const TensorImpl* t) {
  AutogradMeta* m = find_meta(t);
  if (m && m->own_root) return nullptr;
  return m && m->root ? m->root.get() : t->base.get();
}
void set_forward_root(const TensorImpl* t, TensorImpl* view) {
  AutogradMeta* m = find_meta(t);
  if (!m) return;
  if (m->own_root) make_meta(view).root = Ref<TensorImpl>::share(const_cast<TensorImpl*>(t));
  else if (m->root) make_meta(view).root = m->root;
}

Tensor tangent_of(const Tensor& t) {
  if (!forward_mode()) return {};
  AutogradMeta* m = find_meta(t.impl());
  if (TensorImpl* root = forward_root(t.impl())) {
    AutogradMeta* r = find_meta(root);
    if (!has_tangent(r) || !is_differentiable(t.scalar_type())) return {};
    if (!has_tangent(m) || m->root_version != r->tangent_version) {
      const bool before = std::exchange(thread_state.forward_off, true);
      Tensor part = provided::part_of(r->tangent, root, t.impl());
      thread_state.forward_off = before;
      set_tangent(t, part);
      return part;
    }
  }
  return has_tangent(m) ? m->tangent : Tensor();
}

// A tangent may have been computed from the very node that saved the tensor, which makes a ring: it is cut when the
// level is left.
static ForkSafeMutex saved_tangents_mutex;
static std::vector<Tensor>& saved_tangents() {
  static auto* list = new std::vector<Tensor>;  // never destroyed: levels may be left while statics are
  return *list;
}
void drop_tangent_at_exit(const Tensor& t) {
  std::lock_guard lock(saved_tangents_mutex);
  saved_tangents().push_back(t);
}
void drop_saved_tangents() {
  std::vector<Tensor> list;
  {
    std::lock_guard lock(saved_tangents_mutex);
    list.swap(saved_tangents());
  }
  for (const Tensor& t : list) find_meta(t.impl())->tangent.reset();
}
void set_tangent(const Tensor& t, Tensor tangent) {
  if (tangent.requires_grad()) drop_tangent_at_exit(t);
  AutogradMeta& m = make_meta(t.impl());
  m.tangent = std::move(tangent);
  m.tangent_generation = global_state.dual_generation;
  ++m.tangent_version;
  TensorImpl* root = forward_root(t.impl());
  if (AutogradMeta* r = root ? find_meta(root) : nullptr) m.root_version = r->tangent_version;
}

// ---- The leaf.

AccumulateGrad::AccumulateGrad(TensorImpl* leaf) : Node(1, nullptr, 0) {
  owner_ = leaf;
  sequence_ = UINT64_MAX;  // leaves first, as in PyTorch
  set_output(*this, 0, leaf);
}

Tensor AccumulateGrad::variable() const {
  owner_->retain();
  return Tensor::adopt(owner_);
}

/// May `g` become the .grad of `leaf` as it is: nobody else has it, and it is laid out like the leaf?
static bool can_steal(const Tensor& g, const TensorImpl& leaf) {
  const TensorImpl& t = *g.impl();
  if (thread_state.grad_mode || t.refs.count() != 1 || !t.storage->unique() || t.base || t.inference || t.conj)
    return false;
  if (is_sparse(&t)) {  // what it consists of must be its own, too
    const auto& parts = static_cast<const SparseImpl&>(t);
    const TensorImpl& values = *parts.values;
    return values.refs.count() == 1 && values.storage->unique() && values.contiguous;
  }
  if (is_batched(&t)) return false;
  for (size_t d = 0; d < t.sizes.size(); ++d)
    if (t.sizes[d] != 1 && (t.strides[d] != leaf.strides[d] || t.strides[d] == 0)) return false;
  return true;
}

void AccumulateGrad::backward(Tensor* grads, Tensor*) {
  if (!grads[0].defined() || !owner_->requires_grad) return;
  AutogradMeta& m = *find_meta(owner_);
  Tensor g = std::move(grads[0]), before;
  if (is_batched(g.impl())) [[unlikely]]
    g = provided::sum_levels(g, hidden_of(*owner_), true);
  std::vector<std::pair<unsigned, std::function<void(const Tensor&)>>> hooks;
  {
    const Interruptible not_now(nullptr);  // a gradient is added as a whole, and others may wait for the lock
    std::lock_guard lock(m.mutex);
    m.reached = backward_count();
    if (!m.grad.defined()) {
      if (!can_steal(g, *owner_)) m.grad = provided::dense_copy(g, variable());
      else m.grad = g.requires_grad() ? provided::detach(g) : std::move(g);
    } else {
      check(m.grad.sizes() == g.sizes(), "the gradient of a leaf of shape ", IntArrayRef(owner_->sizes),
            " is to be added to its .grad, which has shape ", m.grad.sizes(),
            ". Assign a gradient of the same shape, or reset it.");
      const bool grows = is_sparse(m.grad.impl()) && !is_sparse(g.impl());  // out of what is sparse
      if (!thread_state.grad_mode && !grows) provided::add_into(m.grad, g);
      else if (grows) before = std::exchange(m.grad, provided::add(g, m.grad));
      else before = std::exchange(m.grad, provided::add(m.grad, g));
    }
    if (!m.post_accumulate.empty()) hooks = m.post_accumulate;
  }
  for (auto& hook : hooks) hook.second(variable());
}

}  // namespace taut::autograd
