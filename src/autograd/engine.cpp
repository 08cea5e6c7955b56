// The backward pass: walk the graph once to count how many gradients each node waits for, then run nodes whose
// gradients are all there, the most recently recorded first. Nothing here recurses.
#include "autograd/engine.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <unordered_map>

#include "autograd/meta.h"
#include "autograd/state.h"
#include "core/interrupt.h"
#include "taut/autograd/graph.h"

namespace taut::autograd {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr unsigned kPoll = 64;  // small nodes between two looks for an interrupt; in long ones the kernels look

/// What one backward keeps for one node.
struct State {
  Node* node;
  uint32_t waiting : 30 = 0;            // gradients still to come
  uint32_t needed : 1 = 1;              // leads to an input that was asked for
  uint32_t explored : 1 = 0;            // its edges have been counted
  uint32_t capture = kNone;             // the first of its captures
  Tensor first = {};                    // the gradient of output 0 so far
  std::unique_ptr<Tensor[]> more = {};  // and of the others
  bool wanted() const { return needed || capture != kNone; }
  Tensor& gradient(uint32_t nr) {
    if (nr == 0) return first;
    if (!more) more = std::make_unique<Tensor[]>(node->num_outputs() - 1);
    return more[nr - 1];
  }
};

struct Ready {
  uint64_t sequence;
  uint32_t slot;
  bool operator<(const Ready& o) const { return sequence < o.sequence; }
};

/// The gradient of output `output` of a node was asked for; `next` is another capture of the same node.
struct Capture {
  uint32_t output, next;
};

std::atomic<uint64_t> backward_calls{0};
std::atomic<uint32_t> next_task{1};

}  // namespace

// Note [Claiming nodes]: the state of a node is found through a slot number in the node itself, which belongs to the
// backward that claimed the node. A second backward on the same graph, from another thread or from inside a hook, finds
// the node taken and keeps its own slot number in a table.
struct Task {
  uint32_t id = next_task.fetch_add(1, std::memory_order_relaxed) | 1u << 31;
  bool keep_graph = false, create_graph = false, prune = false;
  std::vector<State, CachingAllocator<State>> states;
  std::unordered_map<Node*, uint32_t> table;
  std::vector<Ready, CachingAllocator<Ready>> ready;
  std::vector<Capture> captures;  // one for each input
  variable_list captured;         // what was captured
  std::vector<Ref<Node>> keep;    // nodes of roots and inputs: a hook may drop the last tensor that leads to them
  std::vector<std::function<void()>> callbacks;  // what is called when all nodes have run

  ~Task() { free_claims(); }
  void free_claims();
  void free_claim(State& s);
  /// The slot of a node, or kNone when it was not visited.
  uint32_t find(Node* node) const;
  /// Makes a slot; false when there was one.
  bool visit(Node* node, uint32_t& slot);
  void count(const std::vector<uint32_t>& roots);
  void run();
  void evaluate(uint32_t slot);
  void deliver(State& from, Tensor* out);
  void capture(const State& state, const Tensor* grads);
};

class Engine {
 public:
  static std::atomic<uint32_t>& task(Node* n) { return n->task_; }
  static uint32_t& slot(Node* n) { return n->slot_; }
};

void Task::free_claims() {
  for (State& s : states) free_claim(s);
}
void Task::free_claim(State& s) {
  if (!s.node) return;
  if (Engine::task(s.node).load(std::memory_order_relaxed) == id)
    Engine::task(s.node).store(0, std::memory_order_release);
  s.node = nullptr;
}

uint32_t Task::find(Node* node) const {
  if (Engine::task(node).load(std::memory_order_relaxed) == id) return Engine::slot(node);
  auto it = table.find(node);
  return it == table.end() ? kNone : it->second;
}

bool Task::visit(Node* node, uint32_t& slot) {
  if (slot = find(node); slot != kNone) return false;
  slot = static_cast<uint32_t>(states.size());
  states.push_back({.node = node, .needed = !prune});
  uint32_t nobody = 0;
  if (Engine::task(node).compare_exchange_strong(nobody, id, std::memory_order_acq_rel)) Engine::slot(node) = slot;
  else table.emplace(node, slot);
  return true;
}

bool is_needed(const Task& task, Node* node) {
  if (!task.prune) return true;
  const uint32_t slot = task.find(node);
  return slot != kNone && task.states[slot].wanted();
}

uint32_t running_task() { return thread_state.task ? thread_state.task->id : 0; }
bool frees_saved() { return thread_state.task && !thread_state.task->keep_graph; }
bool is_expected(Node* node) {
  const uint32_t slot = thread_state.task ? thread_state.task->find(node) : kNone;
  return slot != kNone && thread_state.task->states[slot].node && thread_state.task->states[slot].wanted();
}

static thread_local const char* cut_seen = nullptr;
const char* last_cut() { return cut_seen; }
uint64_t backward_count() { return backward_calls.load(std::memory_order_relaxed); }

/// Depth first with a stack of our own; on the way back a node learns whether it leads to an input that was asked for.
void Task::count(const std::vector<uint32_t>& roots) {
  struct Frame {
    uint32_t slot, edge;
  };
  std::vector<Frame, CachingAllocator<Frame>> stack;
  const auto explore = [&](uint32_t slot) {
    if (states[slot].explored) return false;
    states[slot].explored = 1;
    stack.push_back({slot, 0});
    return true;
  };
  unsigned steps = 0;
  for (uint32_t root : roots) {
    explore(root);
    while (!stack.empty()) {
      if (++steps % (16 * kPoll) == 0) poll_interrupt();
      Frame& f = stack.back();
      Node* node = states[f.slot].node;
      if (f.edge == node->num_inputs()) {
        const uint32_t done = f.slot;
        stack.pop_back();
        if (prune && !stack.empty() && states[done].wanted()) states[stack.back().slot].needed = true;
        continue;
      }
      if (node->cut_by) cut_seen = node->cut_by;
      Node* next = node->next_edge(f.edge++).function.get();
      if (!next) continue;
      uint32_t slot;
      const uint32_t from = f.slot;
      visit(next, slot);
      if (!explore(slot) && prune && states[slot].wanted()) states[from].needed = true;
      ++states[slot].waiting;
    }
  }
}

static Tensor call_hook(const std::function<Tensor(const Tensor&)>& hook, const Tensor& g) {
  Tensor r = hook(g);
  if (!r.defined()) return g;
  check(r.sizes() == g.sizes(), "a hook changed the size of the gradient from ", g.sizes(), " to ", r.sizes());
  check(r.scalar_type() == g.scalar_type(), "a hook changed the type of the gradient from ", g.scalar_type(), " to ",
        r.scalar_type());
  return r;
}

/// A copy of a list of hooks: a hook may add or remove hooks.
template <class T>
static std::vector<T> snapshot(NodeExtra& extra, const std::vector<T>& hooks) {
  std::lock_guard lock(extra.mutex);
  return hooks;
}

/// Hooks on tensors whose gradient has arrived, then what retain_grad asked for: it keeps what the hooks made of it.
static void run_tensor_hooks(Node& node, Tensor* grads) {
  NodeExtra* extra = node.extra();
  if (!extra) return;
  for (auto& h : snapshot(*extra, extra->tensor_hooks))
    if (grads[h.output].defined()) grads[h.output] = call_hook(h.call, grads[h.output]);
  variable_list before;  // freed after the lock
  const Interruptible not_now(nullptr);
  std::lock_guard lock(extra->mutex);
  for (auto [nr, meta] : extra->retain) {
    if (!grads[nr].defined()) continue;
    before.push_back(meta->grad);
    meta->grad =
        meta->grad.defined() ? provided::add(meta->grad, grads[nr]) : provided::dense_copy(grads[nr], grads[nr]);
    meta->reached = backward_count();
  }
}

static void run_pre_hooks(Node& node, Tensor* grads) {
  NodeExtra* extra = node.extra();
  if (!extra) return;
  const auto hooks = snapshot(*extra, extra->pre);
  if (hooks.empty()) return;
  variable_list list(grads, grads + node.num_outputs());
  for (auto& h : hooks) {
    h.second(list);
    check(list.size() == node.num_outputs(), "a pre-hook of ", node.name(), " returned ", list.size(),
          " gradients instead of ", node.num_outputs());
  }
  std::move(list.begin(), list.end(), grads);
}

/// Is it the recorded call of an op with a batched result, or is a gradient batched? Then kernels may not be called.
static bool is_batched(const Node& node, const Tensor* grads) {
  const NodeExtra* extra = node.extra();
  if (extra && !extra->hidden.empty()) return true;
  for (uint32_t i = 0; i < node.num_outputs(); ++i)
    if (grads[i].defined() && is_batched(grads[i].impl())) return true;
  return false;
}

/// Runs the node's backward and the hooks around it.
static void call(Node& node, Tensor* grads, Tensor* out) {
  run_pre_hooks(node, grads);
  NodeExtra* extra = node.extra();
  if (!extra) return node.backward(grads, out);
  const auto hooks = snapshot(*extra, extra->post);
  const variable_list before(grads, hooks.empty() ? grads : grads + node.num_outputs());
  node.backward(grads, out);
  if (hooks.empty()) return;
  variable_list list(out, out + node.num_inputs());
  for (auto& h : hooks) {
    h.second(list, before);
    check(list.size() == node.num_inputs(), "a post-hook of ", node.name(), " returned ", list.size(),
          " gradients instead of ", node.num_inputs());
  }
  std::move(list.begin(), list.end(), out);
}

/// The hidden dimensions of an output.
static const HiddenDims& hidden_of(const Node& node, uint32_t nr) {
  static const HiddenDims none;
  if (const NodeExtra* extra = node.extra())
    for (const auto& [output, hidden] : extra->hidden)
      if (output == nr) return hidden;
  return none;
}

/// Make `g` a gradient of the shape and dtype that `edge` expects: broadcasting is undone here, for every op.
static void fit(Node& from, uint32_t j, const Edge& edge, Tensor& g) {
  const Node& to = *edge.function;
  const IntArrayRef want = to.output_sizes(edge.input_nr);
  if (is_batched(g.impl())) [[unlikely]]
    g = provided::sum_levels(g, hidden_of(to, edge.input_nr), false);
  if (!(g.sizes() == want)) [[unlikely]] {
    bool fits = g.dim() >= static_cast<int64_t>(want.size());
    for (size_t d = 0; fits && d < want.size(); ++d) {
      const int64_t have = g.sizes()[g.sizes().size() - want.size() + d];
      fits = want[d] == have || want[d] == 1;
    }
    check(fits, "Function ", from.name(), " (step ", from.sequence_nr(), ") returned an invalid gradient at index ", j,
          " - got ", g.sizes(), " but expected shape compatible with ", want);
    g = provided::sum_to(g, want);
  }
  if (g.scalar_type() != to.output_dtype(edge.input_nr)) [[unlikely]]
    g = provided::cast(g, to.output_dtype(edge.input_nr));
}

static void check_anomaly(Node& node, Tensor* out) {
  for (uint32_t j = 0; j < node.num_inputs(); ++j) {
    if (!out[j].defined()) continue;
    bool nan = false;
    if (int64_t n = provided::count_non_finite(out[j], nan))
      throw Error(str("Function '", node.name(), "' returned ", nan ? "nan" : "inf", " values in its ", j,
                      "th output: the backward of step ", node.sequence_nr(), " made ", n, " non-finite values in the ",
                      out[j].sizes(), " gradient of its input ", j, ". Look at the values that went into that op."));
  }
}

bool is_ours(const Tensor& g) {
  const TensorImpl& t = *g.impl();
  return t.refs.count() == 1 && t.storage->unique() && t.contiguous && !t.base && !t.inference;
}

/// A view of all of a tensor that nobody else has may as well be that tensor: then it is ours to write to, or to keep.
static void forget_base(TensorImpl& g) {
  if (thread_state.grad_mode || global_state.dual_level >= 0 || g.refs.count() != 1 || g.base->refs.count() != 1 ||
      g.base->numel != g.numel)
    return;
  g.base = nullptr;
  g.view_kind = ViewKind::None;
}

static void accumulate(Tensor& sum, Tensor&& g) {
  if (!sum.defined()) sum = std::move(g);
  else if (!thread_state.grad_mode && global_state.dual_level < 0 && is_ours(sum) && !is_batched(g.impl()))
    provided::add_into(sum, g);
  else if (!thread_state.grad_mode && global_state.dual_level < 0 && is_ours(g) && !is_batched(sum.impl()))
    provided::add_into(g, sum), sum = std::move(g);
  else sum = provided::add(sum, g);
}

void Task::deliver(State& from, Tensor* out) {
  Node& node = *from.node;
  for (uint32_t j = 0; j < node.num_inputs(); ++j) {
    const Edge& edge = node.next_edge(j);
    if (!edge.function) continue;
    const uint32_t slot = find(edge.function.get());
    State& to = states[slot];
    if (out[j].defined() && to.wanted()) {
      fit(node, j, edge, out[j]);
      if (out[j].impl()->base) forget_base(*out[j].impl());
      accumulate(to.gradient(edge.input_nr), std::move(out[j]));
    }
    if (--to.waiting == 0) {
      ready.push_back({to.node->sequence_nr(), slot});
      std::push_heap(ready.begin(), ready.end());
    }
  }
}

void Task::capture(const State& state, const Tensor* grads) {
  for (uint32_t i = state.capture; i != kNone; i = captures[i].next) captured[i] = grads[captures[i].output];
}

static bool is_meta(const Tensor& t) { return t.defined() && t.impl()->is_meta(); }

void Task::evaluate(uint32_t slot) {
  State& state = states[slot];
  Node& node = *state.node;
  if (!state.wanted()) return deliver(state, std::vector<Tensor>(node.num_inputs()).data());
  constexpr uint32_t kInline = 4;
  Tensor few_grads[kInline], few_out[kInline];
  std::vector<Tensor> many_grads, many_out;
  Tensor *grads = few_grads, *out = few_out;
  if (node.num_outputs() > kInline) many_grads.resize(node.num_outputs()), grads = many_grads.data();
  if (node.num_inputs() > kInline) many_out.resize(node.num_inputs()), out = many_out.data();
  grads[0] = std::move(state.first);
  bool any = grads[0].defined();
  if (state.more)
    for (uint32_t i = 1; i < node.num_outputs(); ++i) any |= (grads[i] = std::move(state.more[i - 1])).defined();

  // As in PyTorch, a gradient that was asked for is taken before the hooks when the pass goes on through the node.
  if (state.needed) capture(state, grads);
  if (any) run_tensor_hooks(node, grads);
  if (!state.needed) capture(state, grads);
  if (state.needed) {
    const DryScope scope(meta_used() && std::any_of(grads, grads + node.num_outputs(), is_meta));
    const bool before = std::exchange(thread_state.batched, is_batched(node, grads));
    call(node, grads, out);
    thread_state.batched = before;
    if (global_state.anomaly && global_state.check_nan) check_anomaly(node, out);
    if (!keep_graph) node.release_variables();
  }
  for (uint32_t i = 0; i < node.num_outputs(); ++i) grads[i].reset();
  deliver(states[slot], out);
}

void Task::run() {
  for (unsigned done = 1; !ready.empty(); ++done) {
    if (done % kPoll == 0) poll_interrupt();
    std::pop_heap(ready.begin(), ready.end());
    const uint32_t slot = ready.back().slot;
    ready.pop_back();
    evaluate(slot);
    free_claim(states[slot]);  // nothing leads to it any more, and it is still in the cache
  }
}

namespace {
/// The thread's state for the time of one backward.
struct Running {
  ThreadState before = thread_state;
  Running(Task* task, bool record) {
    thread_state.task = task;
    thread_state.grad_mode = record;
    ++thread_state.depth;
  }
  ~Running() {
    thread_state.task = before.task;
    thread_state.grad_mode = before.grad_mode;
    thread_state.depth = before.depth;
    thread_state.batched = before.batched;
  }
};
constexpr int kDepthPerThread = 48;  // nested backward calls on one stack, then a thread with a stack of its own
}  // namespace

static void run_on(Task& task) {
  Running running(&task, task.create_graph);
  if (thread_state.depth % kDepthPerThread != 0) return task.run();
  std::exception_ptr failure;
  ThreadState state = thread_state;
  const auto run = [&] {
    thread_state = state;
    try {
      task.run();
    } catch (...) {
      failure = std::current_exception();
    }
    state.step = thread_state.step;
  };
  try {
    std::thread(run).join();
  } catch (const std::system_error&) {  // no more threads: the stack we have must do
    return task.run();
  }
  thread_state.step = state.step;
  if (failure) std::rethrow_exception(failure);
}

variable_list run_backward(const variable_list& roots, const variable_list& gradients, bool keep_graph,
                           bool create_graph, const variable_list& inputs, bool accumulate_inputs) {
  backward_calls.fetch_add(1, std::memory_order_relaxed);
  Task task;
  task.keep_graph = keep_graph;
  task.create_graph = create_graph;
  task.prune = !inputs.empty();
  task.captured.resize(inputs.size());
  task.captures.resize(inputs.size());

  for (uint32_t i = 0; i < inputs.size(); ++i) {
    Edge edge = gradient_edge(inputs[i].impl());
    uint32_t slot;
    task.visit(edge.function.get(), slot);
    if (accumulate_inputs && inputs[i].is_leaf()) task.states[slot].needed = true;
    else task.captures[i] = {edge.input_nr, std::exchange(task.states[slot].capture, i)};
    task.keep.push_back(std::move(edge.function));
  }
  std::vector<uint32_t> starts;
  {
    Running running(&task, create_graph);
    for (size_t i = 0; i < roots.size(); ++i) {
      Edge edge = gradient_edge(roots[i].impl());
      uint32_t slot;
      task.visit(edge.function.get(), slot);
      starts.push_back(slot);
      accumulate(task.states[slot].gradient(edge.input_nr), Tensor(gradients[i]));
      task.keep.push_back(std::move(edge.function));
    }
  }
  cut_seen = nullptr;
  task.count(starts);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (uint32_t slot : starts)
    if (task.states[slot].waiting == 0) task.ready.push_back({task.states[slot].node->sequence_nr(), slot});
  std::make_heap(task.ready.begin(), task.ready.end());
  run_on(task);
  for (size_t i = 0; i < task.callbacks.size(); ++i)
    std::exchange(task.callbacks[i], nullptr)();  // one may add another
  return std::move(task.captured);
}

void queue_callback(std::function<void()> callback) {
  check(thread_state.task != nullptr, "Final callbacks can only be installed during backward pass.");
  thread_state.task->callbacks.push_back(std::move(callback));
}

Edge graph::get_gradient_edge(const Tensor& tensor) { return gradient_edge(tensor.impl()); }

}  // namespace taut::autograd
