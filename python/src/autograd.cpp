// backward, grad, modes, hooks, graph nodes and Functions written in Python.
#include "object.h"

#include <chrono>
#include <map>

#include "autograd/engine.h"
#include "autograd/meta.h"
#include "core/interrupt.h"
#include "taut/autograd.h"
#include "taut/autograd/checkpoint.h"
#include "taut/autograd/graph.h"
#include "taut/core/runtime.h"

namespace taut::python {
namespace {

using autograd::Node;
using autograd::variable_list;

// Graph nodes.

struct NodeObject {
  PyObject_HEAD Node* node;
};
PyTypeObject* node_type = nullptr;
Node* node_of(PyObject* o) { return reinterpret_cast<NodeObject*>(o)->node; }
void node_dealloc(PyObject* self);
/// The subtype of Node for nodes of this name: scripts that draw graphs ask for type(node).__name__.
PyTypeObject* type_named(const char* name) {
  static auto* types = new std::map<std::string, PyTypeObject*>;
  const auto [it, is_new] = types->try_emplace(str("torch.autograd.function.", name), nullptr);
  if (!it->second) {
    PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(node_dealloc)}, {0, nullptr}};
    PyType_Spec spec = {it->first.c_str(), sizeof(NodeObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    const Object bases = Object::steal(checked(PyTuple_Pack(1, node_type)));
    it->second = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpecWithBases(&spec, bases.get())));
  }
  return it->second;
}
PyObject* wrap_node(const Ref<Node>& node) {
  if (!node) return Py_NewRef(Py_None);
  PyTypeObject* type = type_named(node->name());
  auto* o = reinterpret_cast<NodeObject*>(checked(type->tp_alloc(type, 0)));
  node->retain();
  o->node = node.get();
  return reinterpret_cast<PyObject*>(o);
}
void node_dealloc(PyObject* self) {
  node_of(self)->release();
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
PyObject* node_repr(PyObject* self) {
  return PyUnicode_FromFormat("<%s object at %p>", node_of(self)->name(), static_cast<void*>(node_of(self)));
}
PyObject* node_name(PyObject* self, PyObject*) {
  const std::string_view name = node_of(self)->name();
  const bool inner = name == "AccumulateGrad" || name == "CopySlices";  // PyTorch shows where it keeps these
  return PyUnicode_FromFormat("%s%s", inner ? "torch::autograd::" : "", name.data());
}
Py_hash_t node_hash(PyObject* self) { return _Py_HashPointer(node_of(self)); }
PyObject* node_compare(PyObject* a, PyObject* b, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(b, node_type)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((node_of(a) == node_of(b)) == (operation == Py_EQ));
}
PyObject* node_next(PyObject* self, void*) {
  return guarded([&] {
    const auto next = node_of(self)->next_functions();
    Object all = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(next.size()))));
    for (size_t i = 0; i < next.size(); ++i)
      PyTuple_SET_ITEM(all.get(), static_cast<Py_ssize_t>(i),
                       checked(Py_BuildValue("(NI)", wrap_node(next[i].first), next[i].second)));
    return all.release();
  });
}
/// What a hook written in Python returns: nothing, or tensors instead of those it got.
void replace(std::vector<Tensor>& list, PyObject* result) {
  if (result == Py_None) return;
  std::vector<Tensor> other = to_tensors(result, "what a hook returns");
  check(other.size() == list.size(), "hook has returned an incorrect number of values (got ", other.size(),
        ", but expected ", list.size(), ")");
  list = std::move(other);
}
/// Hooks of nodes; they have names so that the garbage collector finds the functions in them.
struct PostHook {
  std::shared_ptr<PyObject> f;
  void operator()(std::vector<Tensor>& grad_inputs, const std::vector<Tensor>& grads) const {
    const WithGil gil;
    const Object in = Object::steal(wrap_tuple(grad_inputs)), out = Object::steal(wrap_tuple(grads));
    const Object result = Object::steal(checked(PyObject_CallFunctionObjArgs(f.get(), in.get(), out.get(), nullptr)));
    replace(grad_inputs, result.get());
  }
};
struct PreHook {
  std::shared_ptr<PyObject> f;
  void operator()(std::vector<Tensor>& grads) const {
    const WithGil gil;
    const Object out = Object::steal(wrap_tuple(grads));
    const Object result = Object::steal(checked(PyObject_CallOneArg(f.get(), out.get())));
    replace(grads, result.get());
  }
};
PyObject* node_register_hook(PyObject* self, PyObject* hook) {
  return guarded([&] { return PyLong_FromUnsignedLong(node_of(self)->add_post_hook(PostHook{shared(hook)})); });
}
PyObject* node_register_prehook(PyObject* self, PyObject* hook) {
  return guarded([&] { return PyLong_FromUnsignedLong(node_of(self)->add_pre_hook(PreHook{shared(hook)})); });
}
int visit_hooks(Node& node, visitproc visit, void* arg) {
  autograd::NodeExtra* extra = node.extra();
  if (!extra) return 0;
  std::unique_lock lock(extra->mutex, std::try_to_lock);
  if (!lock) return 0;
  for (const auto& [id, hook] : extra->post)
    if (const auto* h = hook.target<PostHook>(); h && h->f.use_count() == 1) Py_VISIT(h->f.get());
  for (const auto& [id, hook] : extra->pre)
    if (const auto* h = hook.target<PreHook>(); h && h->f.use_count() == 1) Py_VISIT(h->f.get());
  return 0;
}
PyObject* node_remove_hook(PyObject* self, PyObject* handle) {
  return guarded([&] {
    node_of(self)->remove_hook(static_cast<unsigned>(to_int(handle, "handle")));
    return Py_NewRef(Py_None);
  });
}
/// Of a leaf's node: the leaf. Of a Function's node: what is in its ctx.
PyObject* node_attribute(PyObject* self, PyObject* name);
PyObject* node_sequence(PyObject* self, PyObject*) { return PyLong_FromUnsignedLongLong(node_of(self)->sequence_nr()); }
PyGetSetDef node_getters[] = {{"next_functions", node_next, nullptr, "(node, slot) of every input.", nullptr}, {}};
PyMethodDef node_methods[] = {{"name", node_name, METH_NOARGS, "Its name, such as MulBackward0."},
                              {"_register_hook", node_register_hook, METH_O, nullptr},
                              {"_register_prehook", node_register_prehook, METH_O, nullptr},
                              {"_remove_hook", node_remove_hook, METH_O, nullptr},
                              {"_sequence_nr", node_sequence, METH_NOARGS, nullptr},
                              {}};

// Functions written in Python.

struct PythonFunction;
/// What forward and backward of a Function get as `ctx`; Python adds its attributes.
struct ContextObject {
  PyObject_HEAD PythonFunction* node;  // null once the graph was freed
  PyObject* dict;
  PyObject* weak_references;
  PyObject *to_save, *for_forward, *dirty, *non_differentiable;  // as the user gave them
  bool materialize;
};
PyTypeObject* context_type = nullptr;
ContextObject* context_of(PyObject* o) { return reinterpret_cast<ContextObject*>(o); }

variable_list python_backward(autograd::AutogradContext* ctx, variable_list grads);
variable_list python_jvp(autograd::AutogradContext* ctx, variable_list tangents);

struct PythonFunction final : autograd::FunctionNode {
  PythonFunction(PyObject* type, PyObject* ctx, bool has_jvp)
      : FunctionNode("Function", python_backward, has_jvp ? python_jvp : nullptr),
        name_text(str(reinterpret_cast<PyTypeObject*>(type)->tp_name, "Backward")),
        ctx(shared(ctx)),
        type(shared(type)) {}
  ~PythonFunction() override {
    if (!Py_IsInitialized()) return;
    const WithGil gil;
    context_of(ctx.get())->node = nullptr;
  }
  const char* name() const override { return name_text.c_str(); }
  std::string name_text;
  std::shared_ptr<PyObject> ctx, type;
  std::vector<Py_ssize_t> places;  // of the tensors among what forward returned
  Py_ssize_t returned = 1;         // how much that was
};

PyObject* node_attribute(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  if (const auto* leaf = dynamic_cast<autograd::AccumulateGrad*>(node_of(self));
      leaf && PyUnicode_CompareWithASCIIString(name, "variable") == 0) {
    PyErr_Clear();
    return guarded([&] { return wrap(leaf->variable()); });
  }
  if (const auto* function = dynamic_cast<PythonFunction*>(node_of(self))) {
    PyErr_Clear();
    return PyObject_GetAttr(function->ctx.get(), name);
  }
  return nullptr;
}

variable_list python_backward(autograd::AutogradContext* context, variable_list grads) {
  const WithGil gil;
  auto* node = context->saved_data["node"].to<PythonFunction*>();
  Object args = Object::steal(checked(PyTuple_New(node->returned + 1)));
  PyTuple_SET_ITEM(args.get(), 0, Py_NewRef(node->ctx.get()));
  for (Py_ssize_t i = 1; i <= node->returned; ++i) PyTuple_SET_ITEM(args.get(), i, Py_NewRef(Py_None));
  for (size_t i = 0; i < grads.size(); ++i) checked(PyTuple_SetItem(args.get(), node->places[i] + 1, wrap(grads[i])));
  const Object f = Object::steal(checked(PyObject_GetAttrString(node->type.get(), "backward")));
  const Object result = Object::steal(checked(PyObject_Call(f.get(), args.get(), nullptr)));
  variable_list out;
  const auto add = [&](PyObject* o) {
    check(o == Py_None || is_tensor(o), "function ", node->name_text, ": expected Variable or None (got ", type_name(o),
          ") as a gradient");
    out.push_back(o == Py_None ? Tensor() : tensor_of(o));
  };
  if (PyTuple_Check(result.get()) || PyList_Check(result.get()))
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(result.get()); ++i)
      add(PySequence_Fast_GET_ITEM(result.get(), i));
  else add(result.get());
  return out;
}

variable_list python_jvp(autograd::AutogradContext* context, variable_list tangents) {
  const WithGil gil;
  auto* node = context->saved_data["node"].to<PythonFunction*>();
  const Object args = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(tangents.size()) + 1)));
  PyTuple_SET_ITEM(args.get(), 0, Py_NewRef(node->ctx.get()));
  for (size_t i = 0; i < tangents.size(); ++i)
    PyTuple_SET_ITEM(args.get(), static_cast<Py_ssize_t>(i) + 1, checked(wrap(tangents[i])));
  const Object f = Object::steal(checked(PyObject_GetAttrString(node->type.get(), "jvp")));
  const Object result = Object::steal(checked(PyObject_Call(f.get(), args.get(), nullptr)));
  const bool several = PyTuple_Check(result.get());
  const Py_ssize_t count = several ? PyTuple_GET_SIZE(result.get()) : 1;
  check(count == node->returned, "Function's jvp returned an invalid number of forward gradients (expected ",
        node->returned, " but got ", count, ")");
  variable_list out;
  for (const Py_ssize_t place : node->places) {
    PyObject* o = several ? PyTuple_GET_ITEM(result.get(), place) : result.get();
    out.push_back(o == Py_None ? Tensor() : to_tensor(o, "what jvp returns"));
  }
  return out;
}

int context_traverse(PyObject* self, visitproc visit, void* arg) {
  ContextObject* c = context_of(self);
  Py_VISIT(c->dict);
  Py_VISIT(c->to_save);
  Py_VISIT(c->for_forward);
  Py_VISIT(c->dirty);
  Py_VISIT(c->non_differentiable);
  Py_VISIT(Py_TYPE(self));
  return 0;
}
int context_clear(PyObject* self) {
  ContextObject* c = context_of(self);
  Py_CLEAR(c->dict);
  Py_CLEAR(c->to_save);
  Py_CLEAR(c->for_forward);
  Py_CLEAR(c->dirty);
  Py_CLEAR(c->non_differentiable);
  return 0;
}
void context_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (context_of(self)->weak_references) PyObject_ClearWeakRefs(self);
  context_clear(self);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
PyObject* context_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* o = type->tp_alloc(type, 0);
  if (o) context_of(o)->materialize = true;
  return o;
}
#define KEEP(name)                                           \
  PyObject* context_##name(PyObject* self, PyObject* args) { \
    Py_XSETREF(context_of(self)->name, Py_NewRef(args));     \
    Py_RETURN_NONE;                                          \
  }
KEEP(to_save)
KEEP(for_forward)
KEEP(dirty)
KEEP(non_differentiable)
#undef KEEP
PyObject* context_materialize(PyObject* self, PyObject* on) {
  context_of(self)->materialize = PyObject_IsTrue(on) == 1;
  Py_RETURN_NONE;
}
PyObject* context_saved(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    ContextObject* c = context_of(self);
    if (!c->node) return c->to_save ? Py_NewRef(c->to_save) : PyTuple_New(0);
    return wrap_tuple(c->node->context.get_saved_variables());
  });
}
PyMethodDef context_methods[] = {
    {"save_for_backward", context_to_save, METH_VARARGS,
     "Keeps tensors for backward, where they are ctx.saved_tensors."},
    {"save_for_forward", context_for_forward, METH_VARARGS, "Keeps tensors for jvp, where they are ctx.saved_tensors."},
    {"mark_dirty", context_dirty, METH_VARARGS, "Says which inputs forward wrote in place."},
    {"mark_non_differentiable", context_non_differentiable, METH_VARARGS, "Says which outputs have no gradient."},
    {"set_materialize_grads", context_materialize, METH_O, "Should missing gradients be zeros (the default) or None?"},
    {}};
PyGetSetDef context_getters[] = {{"saved_tensors", context_saved, nullptr, "What save_for_backward kept.", nullptr},
                                 {"saved_variables", context_saved, nullptr, "What save_for_backward kept.", nullptr},
                                 {}};
PyMemberDef context_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(ContextObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ContextObject, weak_references), READONLY, nullptr},
    {}};

/// Tells the node about its inputs, and ctx which of them want a gradient. Is what forward saves ever read?
bool add_inputs(PythonFunction& node, PyObject* ctx, PyObject* args) {
  const Py_ssize_t n = PyTuple_GET_SIZE(args);
  const Object needs = Object::steal(checked(PyTuple_New(n)));
  bool keep = autograd::forward_mode();
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* a = PyTuple_GET_ITEM(args, i);
    const bool is = is_tensor(a), wanted = is && tensor_of(a).requires_grad();
    node.add_input(is ? tensor_of(a) : Tensor(), is);
    keep |= wanted && GradMode::is_enabled();
    PyTuple_SET_ITEM(needs.get(), i, PyBool_FromLong(wanted));
  }
  checked(PyObject_SetAttrString(ctx, "needs_input_grad", needs.get()));
  return keep;
}

/// forward(ctx, *args, **keywords), or forward(*args) and then setup_context.
Object call_forward(PyObject* type, PyObject* ctx, bool with_ctx, PyObject* args, PyObject* keywords) {
  const autograd::FunctionNode::Forward scope;
  const Object forward = Object::steal(checked(PyObject_GetAttrString(type, "forward")));
  if (with_ctx) {
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    const Object all = Object::steal(checked(PyTuple_New(n + 1)));
    PyTuple_SET_ITEM(all.get(), 0, Py_NewRef(ctx));
    for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(all.get(), i + 1, Py_NewRef(PyTuple_GET_ITEM(args, i)));
    return Object::steal(checked(PyObject_Call(forward.get(), all.get(), keywords)));
  }
  Object result = Object::steal(checked(PyObject_Call(forward.get(), args, nullptr)));
  const Object setup = Object::steal(checked(PyObject_GetAttrString(type, "setup_context")));
  Object::steal(checked(PyObject_CallFunctionObjArgs(setup.get(), ctx, args, result.get(), nullptr)));
  return result;
}

/// Hands what forward told ctx to the node.
void read_context(const ContextObject& c, PythonFunction& node, bool keep) {
  const auto list = [](PyObject* o, const char* what) { return o ? to_tensors(o, what) : variable_list(); };
  autograd::AutogradContext& context = node.context;
  if (keep) {
    for (Py_ssize_t i = 0; c.to_save && i < PyTuple_GET_SIZE(c.to_save); ++i) {
      PyObject* o = PyTuple_GET_ITEM(c.to_save, i);
      check<TypeError>(o == Py_None || is_tensor(o), "save_for_backward can only save variables, but argument ", i,
                       " is of type ", type_name(o));
    }
    context.save_for_backward(list(c.to_save, "save_for_backward"));
  }
  if (autograd::forward_mode()) context.save_for_forward(list(c.for_forward, "save_for_forward"));
  context.mark_dirty(list(c.dirty, "mark_dirty"));
  context.mark_non_differentiable(list(c.non_differentiable, "mark_non_differentiable"));
  context.set_materialize_grads(c.materialize);
  context.saved_data["node"] = &node;
}

/// What forward returned: one object, or a tuple of them.
class Returned {
 public:
  explicit Returned(Object result) : result_(std::move(result)), is_tuple_(PyTuple_Check(result_.get())) {}
  Py_ssize_t count() const { return is_tuple_ ? PyTuple_GET_SIZE(result_.get()) : 1; }
  PyObject* item(Py_ssize_t i) const { return is_tuple_ ? PyTuple_GET_ITEM(result_.get(), i) : result_.get(); }

  /// The same with other tensors in these places.
  PyObject* with(const variable_list& tensors, const std::vector<Py_ssize_t>& places) {
    if (!is_tuple_) return places.empty() ? result_.release() : wrap(tensors[0]);
    Object all = Object::steal(checked(PyTuple_New(count())));
    size_t k = 0;
    for (Py_ssize_t i = 0; i < count(); ++i) {
      const bool replaced = k < places.size() && places[k] == i;
      PyTuple_SET_ITEM(all.get(), i, replaced ? wrap(tensors[k++]) : Py_NewRef(item(i)));
    }
    return all.release();
  }

 private:
  Object result_;
  bool is_tuple_;
};

/// _apply(cls, ctx, forward_takes_ctx, args, keywords, has_jvp): runs forward, and records it. What is given by keyword
/// is no input of the node.
PyObject* function_apply(PyObject*, PyObject* arguments) {
  PyObject *type = nullptr, *ctx = nullptr, *args = nullptr, *keywords = nullptr;
  int with_ctx = 1, has_jvp = 0;
  if (!PyArg_ParseTuple(arguments, "O!O!pO!|O!p", &PyType_Type, &type, context_type, &ctx, &with_ctx, &PyTuple_Type,
                        &args, &PyDict_Type, &keywords, &has_jvp))
    return nullptr;
  return guarded([&]() -> PyObject* {
    const auto node = Ref<PythonFunction>::adopt(new PythonFunction(type, ctx, has_jvp != 0));
    ContextObject* c = context_of(ctx);
    c->node = nullptr;  // until forward is done there is nothing saved
    const bool keep = add_inputs(*node, ctx, args);
    Returned returned(call_forward(type, ctx, with_ctx != 0, args, keywords));
    read_context(*c, *node, keep);
    variable_list outputs;
    for (Py_ssize_t i = 0; i < returned.count(); ++i)
      if (is_tensor(returned.item(i))) outputs.push_back(tensor_of(returned.item(i))), node->places.push_back(i);
    node->returned = returned.count();
    c->node = node.get();
    node->finish(outputs);
    Py_CLEAR(c->for_forward);
    Py_CLEAR(c->dirty);
    Py_CLEAR(c->non_differentiable);
    if (GradMode::is_enabled()) Py_CLEAR(c->to_save);  // the node has them, with their versions
    return returned.with(outputs, node->places);
  });
}

// backward and grad.

std::optional<bool> maybe(PyObject* o) { return o == Py_None ? std::nullopt : std::optional(PyObject_IsTrue(o) == 1); }

constexpr std::chrono::milliseconds kBetweenSignals{50};  // to take the GIL costs the other threads of Python

/// Lets Python handle signals that came while the GIL was free; what a handler raises (Ctrl-C) ends the work.
void check_signals() {
  using Clock = std::chrono::steady_clock;
  static thread_local Clock::time_point last;
  const Clock::time_point now = Clock::now();
  if (now - last < kBetweenSignals) return;
  last = now;
  const WithGil gil;
  if (PyErr_CheckSignals() < 0) throw PythonError();
}

PyObject* run_backward(PyObject*, PyObject* arguments) {
  PyObject *tensors, *grads, *retain, *inputs;
  int create = 0;
  if (!PyArg_ParseTuple(arguments, "OOOpO", &tensors, &grads, &retain, &create, &inputs)) return nullptr;
  return guarded([&] {
    const variable_list t = to_tensors(tensors, "tensors");
    const variable_list g = grads == Py_None ? variable_list() : to_tensors(grads, "grad_tensors");
    const variable_list in = inputs == Py_None ? variable_list() : to_tensors(inputs, "inputs");
    check(inputs == Py_None || !in.empty(), "'inputs' argument to backward() cannot be empty.");
    const std::optional<bool> keep = maybe(retain);
    {
      const WithoutGil without;
      const Interruptible by_signals(check_signals);
      autograd::backward(t, g, keep, create != 0, in);
    }
    return Py_NewRef(Py_None);
  });
}
PyObject* run_grad(PyObject*, PyObject* arguments) {
  PyObject *outputs, *inputs, *grads, *retain;
  int create = 0, allow_unused = 0, materialize = 0;
  if (!PyArg_ParseTuple(arguments, "OOOOppp", &outputs, &inputs, &grads, &retain, &create, &allow_unused, &materialize))
    return nullptr;
  return guarded([&] {
    const variable_list o = to_tensors(outputs, "outputs"), i = to_tensors(inputs, "inputs");
    const variable_list g = grads == Py_None ? variable_list() : to_tensors(grads, "grad_outputs");
    const std::optional<bool> keep = maybe(retain);
    variable_list result;
    {
      const WithoutGil without;
      const Interruptible by_signals(check_signals);
      result = autograd::grad(o, i, g, keep, create != 0, allow_unused != 0, materialize != 0);
    }
    return wrap_tuple(result);
  });
}
/// (node, number): where the gradient of a tensor goes, also for leaves.
PyObject* tensor_edge(PyObject*, PyObject* t) {
  return guarded([&] {
    const autograd::Edge edge = autograd::gradient_edge(to_tensor(t, "tensor").impl());
    return checked(Py_BuildValue("(NI)", wrap_node(edge.function), edge.input_nr));
  });
}
/// A tensor without memory of its own whose gradient goes to this place of the graph.
PyObject* edge_tensor(PyObject*, PyObject* arguments) {
  PyObject* o = nullptr;
  unsigned nr = 0;
  if (!PyArg_ParseTuple(arguments, "O!I", node_type, &o, &nr)) return nullptr;
  return guarded([&] {
    Node* node = node_of(o);
    check<IndexError>(nr < node->num_outputs(), "output_nr: ", node->name(), " has no output ", nr);
    if (const auto* leaf = dynamic_cast<autograd::AccumulateGrad*>(node)) return wrap(leaf->variable());
    const std::vector<int64_t> sizes(node->output_sizes(nr).begin(), node->output_sizes(nr).end());
    const NoGradGuard guard;
    const Tensor t = zeros({}, TensorOptions().dtype(node->output_dtype(nr))).expand(sizes).detach();
    autograd::set_history(t.impl(), Ref<Node>::share(node), nr);
    return wrap(t);
  });
}
PyObject* backward_number(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(autograd::running_task()); }
PyObject* is_expected(PyObject*, PyObject* t) {
  return guarded([&] {
    const autograd::Edge edge = autograd::gradient_edge(to_tensor(t, "tensor").impl());
    return PyBool_FromLong(edge.function && autograd::is_expected(edge.function.get()));
  });
}
PyObject* tensor_hook(PyObject*, PyObject* arguments) {
  PyObject *t, *hook;
  if (!PyArg_ParseTuple(arguments, "OO", &t, &hook)) return nullptr;
  return guarded([&] {
    const std::shared_ptr<PyObject> function = shared(hook);
    const unsigned id = to_tensor(t, "self").register_hook([f = function](const Tensor& g) -> Tensor {
      const WithGil gil;
      const Object grad = Object::steal(wrap(g));
      const Object result = Object::steal(checked(PyObject_CallOneArg(f.get(), grad.get())));
      if (result.get() == Py_None) return {};
      return to_tensor(result.get(), "what a hook returns");
    });
    note_hook(t, id, function);
    return PyLong_FromUnsignedLong(id);
  });
}
PyObject* tensor_post_hook(PyObject*, PyObject* arguments) {
  PyObject *t, *hook;
  if (!PyArg_ParseTuple(arguments, "OO", &t, &hook)) return nullptr;
  return guarded([&] {
    const std::shared_ptr<PyObject> function = shared(hook);
    const unsigned id = to_tensor(t, "self").register_post_accumulate_grad_hook([f = function](const Tensor& leaf) {
      const WithGil gil;
      const Object o = Object::steal(wrap(leaf));
      Object::steal(checked(PyObject_CallOneArg(f.get(), o.get())));
    });
    note_hook(t, id, function);
    return PyLong_FromUnsignedLong(id);
  });
}
PyObject* tensor_remove_hook(PyObject*, PyObject* arguments) {
  PyObject* t;
  unsigned handle = 0;
  if (!PyArg_ParseTuple(arguments, "OI", &t, &handle)) return nullptr;
  return guarded([&] {
    to_tensor(t, "self").remove_hook(handle);
    return Py_NewRef(Py_None);
  });
}
PyObject* grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(GradMode::is_enabled()); }
PyObject* set_grad_enabled(PyObject*, PyObject* on) {
  GradMode::set_enabled(PyObject_IsTrue(on) == 1);
  Py_RETURN_NONE;
}
PyObject* inference_enabled(PyObject*, PyObject*) { return PyBool_FromLong(InferenceMode::is_enabled()); }
PyObject* enter_inference(PyObject*, PyObject* on) {
  return guarded([&] {
    auto* guard = new InferenceMode(PyObject_IsTrue(on) == 1);
    return checked(PyCapsule_New(guard, "inference", nullptr));
  });
}
PyObject* exit_inference(PyObject*, PyObject* capsule) {
  auto* guard = static_cast<InferenceMode*>(PyCapsule_GetPointer(capsule, "inference"));
  if (!guard) return nullptr;
  PyCapsule_SetName(capsule, "left");
  delete guard;
  Py_RETURN_NONE;
}
PyObject* set_anomaly(PyObject*, PyObject* arguments) {
  int on = 0, check_nan = 1;
  if (!PyArg_ParseTuple(arguments, "pp", &on, &check_nan)) return nullptr;
  autograd::AnomalyMode::set_enabled(on != 0, check_nan != 0);
  Py_RETURN_NONE;
}
PyObject* anomaly_enabled(PyObject*, PyObject*) { return PyBool_FromLong(autograd::AnomalyMode::is_enabled()); }
PyObject* enter_dual(PyObject*, PyObject*) {
  return guarded([] { return PyLong_FromLongLong(autograd::forward_ad::enter_dual_level()); });
}
PyObject* exit_dual(PyObject*, PyObject* level) {
  return guarded([&] {
    autograd::forward_ad::exit_dual_level(to_int(level, "level"));
    return Py_NewRef(Py_None);
  });
}
PyObject* make_dual(PyObject*, PyObject* arguments) {
  PyObject *primal, *tangent;
  if (!PyArg_ParseTuple(arguments, "OO", &primal, &tangent)) return nullptr;
  return guarded([&] {
    return wrap(autograd::forward_ad::make_dual(to_tensor(primal, "tensor"), to_tensor(tangent, "tangent")));
  });
}
PyObject* unpack_dual(PyObject*, PyObject* dual) {
  return guarded([&] {
    const auto both = autograd::forward_ad::unpack_dual(to_tensor(dual, "tensor"));
    return Py_BuildValue("(NN)", wrap(both.primal), wrap(both.tangent));
  });
}
PyObject* push_saved_hooks(PyObject*, PyObject* arguments) {
  PyObject *pack, *unpack;
  if (!PyArg_ParseTuple(arguments, "OO", &pack, &unpack)) return nullptr;
  return guarded([&] {
    auto hooks = std::make_shared<autograd::SavedHooks>();
    hooks->pack = [f = shared(pack)](const Tensor& t) -> std::shared_ptr<void> {
      const WithGil gil;
      const Object o = Object::steal(wrap(t));
      return shared(Object::steal(checked(PyObject_CallOneArg(f.get(), o.get()))).get());
    };
    hooks->unpack = [f = shared(unpack)](const std::shared_ptr<void>& packed) -> Tensor {
      const WithGil gil;
      const Object o = Object::steal(checked(PyObject_CallOneArg(f.get(), static_cast<PyObject*>(packed.get()))));
      check<TypeError>(is_tensor(o.get()),
                       "Output of saved tensor unpack_hook expected to be a Tensor but got result of type ",
                       type_name(o.get()));
      return tensor_of(o.get());
    };
    autograd::push_saved_hooks(std::move(hooks));
    return Py_NewRef(Py_None);
  });
}
PyObject* pop_saved_hooks(PyObject*, PyObject*) {
  return guarded([] {
    autograd::pop_saved_hooks();
    return Py_NewRef(Py_None);
  });
}
/// The message of disable_saved_tensors_hooks, or None; returns the one of before.
PyObject* forbid_saved_hooks(PyObject*, PyObject* message) {
  return guarded([&] {
    using Text = std::optional<std::string>;
    const Text before = autograd::forbid_saved_hooks(message == Py_None ? Text() : Text(text_of(message)));
    return before ? PyUnicode_FromString(before->c_str()) : Py_NewRef(Py_None);
  });
}

/// _checkpoint(first, again, tensors, preserve_rng_state, determinism_check, early_stop): both functions take a tuple.
PyObject* run_checkpoint(PyObject*, PyObject* arguments) {
  PyObject *first, *again, *tensors;
  int preserve = 1, determinism = 1, early = 1;
  if (!PyArg_ParseTuple(arguments, "OOOppp", &first, &again, &tensors, &preserve, &determinism, &early)) return nullptr;
  return guarded([&] {
    const auto function = [](PyObject* f) {
      return [f = shared(f)](const variable_list& list) {
        const WithGil gil;
        const Object all = Object::steal(wrap_tuple(list));
        Object::steal(checked(PyObject_CallOneArg(f.get(), all.get())));
      };
    };
    utils::detail::run_checkpoint(function(first), function(again), to_tensors(tensors, "tensors"),
                                  {preserve != 0, determinism != 0, early != 0});
    return Py_NewRef(Py_None);
  });
}
PyObject* explain(PyObject*, PyObject* t) {
  return guarded([&] { return PyUnicode_FromString(explain_grad(to_tensor(t, "x")).c_str()); });
}

PyMethodDef functions[] = {
    {"_backward", run_backward, METH_VARARGS, nullptr},
    {"_grad", run_grad, METH_VARARGS, nullptr},
    {"_gradient_edge", tensor_edge, METH_O, nullptr},
    {"_edge_tensor", edge_tensor, METH_VARARGS, nullptr},
    {"_backward_number", backward_number, METH_NOARGS, "The backward that runs in this thread, or 0."},
    {"_is_expected", is_expected, METH_O, "Is the gradient of a tensor still to come in it?"},
    {"_register_hook", tensor_hook, METH_VARARGS, nullptr},
    {"_register_post_accumulate_grad_hook", tensor_post_hook, METH_VARARGS, nullptr},
    {"_remove_hook", tensor_remove_hook, METH_VARARGS, nullptr},
    {"is_grad_enabled", grad_enabled, METH_NOARGS, "Is the graph being recorded?"},
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_inference_mode_enabled", inference_enabled, METH_NOARGS, "Is inference mode on?"},
    {"_enter_inference", enter_inference, METH_O, nullptr},
    {"_exit_inference", exit_inference, METH_O, nullptr},
    {"_set_anomaly", set_anomaly, METH_VARARGS, nullptr},
    {"is_anomaly_enabled", anomaly_enabled, METH_NOARGS, "Is anomaly mode on?"},
    {"_enter_dual_level", enter_dual, METH_NOARGS, nullptr},
    {"_exit_dual_level", exit_dual, METH_O, nullptr},
    {"_make_dual", make_dual, METH_VARARGS, nullptr},
    {"_unpack_dual", unpack_dual, METH_O, nullptr},
    {"_push_saved_hooks", push_saved_hooks, METH_VARARGS, nullptr},
    {"_pop_saved_hooks", pop_saved_hooks, METH_NOARGS, nullptr},
    {"_forbid_saved_hooks", forbid_saved_hooks, METH_O, nullptr},
    {"_checkpoint", run_checkpoint, METH_VARARGS, nullptr},
    {"explain_grad", explain, METH_O, "In words: why x.grad is what it is."},
    {"_function_apply", function_apply, METH_VARARGS, nullptr},
    {}};

}  // namespace

PyObject* grad_fn_of(const Tensor& t) { return wrap_node(t.grad_fn()); }

int visit_graph(const Tensor& t, visitproc visit, void* arg) {
  constexpr int kMostNodes = 10000;          // a collection must end soon; what lies beyond is kept
  if (t.is_leaf() || t.is_view()) return 0;  // the node of a view may have to be made anew
  Ref<Node> first = t.grad_fn();
  if (!first || first->use_count() != 2) return 0;
  std::vector<Node*> open{first.get()};
  for (int steps = 0; !open.empty() && steps < kMostNodes; ++steps) {
    Node* node = open.back();
    open.pop_back();
    if (auto* function = dynamic_cast<PythonFunction*>(node); function && function->ctx.use_count() == 1)
      Py_VISIT(function->ctx.get());
    if (const int stop = visit_hooks(*node, visit, arg)) return stop;
    for (uint32_t j = 0; j < node->num_inputs(); ++j) {
      Node* next = node->next_edge(j).function.get();
      if (next && next->use_count() == 1) open.push_back(next);
    }
  }
  return 0;
}

/// A warning of Taut becomes one of Python's, which may be an exception. Python shows a text once for each line of
/// code, so the count of steps is left out.
static void warn_in_python(std::string text) {
  if (!Py_IsInitialized()) return;
  for (size_t at; (at = text.find(" (step ")) != text.npos;) text.erase(at, text.find(')', at) + 1 - at);
  const WithGil gil;
  checked(PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1));
}

void init_autograd(PyObject* module) {
  set_warning_handler(warn_in_python);
  PyType_Slot node_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(node_dealloc)},
                              {Py_tp_repr, reinterpret_cast<void*>(node_repr)},
                              {Py_tp_hash, reinterpret_cast<void*>(node_hash)},
                              {Py_tp_richcompare, reinterpret_cast<void*>(node_compare)},
                              {Py_tp_getattro, reinterpret_cast<void*>(node_attribute)},
                              {Py_tp_getset, node_getters},
                              {Py_tp_methods, node_methods},
                              {Py_tp_doc, const_cast<char*>("A recorded op: where a gradient goes.")},
                              {0, nullptr}};
  PyType_Spec node_spec = {"torch.autograd.graph.Node", sizeof(NodeObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, node_slots};
  node_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&node_spec)));
  checked(PyModule_AddObjectRef(module, "Node", reinterpret_cast<PyObject*>(node_type)));
  PyType_Slot context_slots[] = {{Py_tp_new, reinterpret_cast<void*>(context_new)},
                                 {Py_tp_dealloc, reinterpret_cast<void*>(context_dealloc)},
                                 {Py_tp_traverse, reinterpret_cast<void*>(context_traverse)},
                                 {Py_tp_clear, reinterpret_cast<void*>(context_clear)},
                                 {Py_tp_getset, context_getters},
                                 {Py_tp_methods, context_methods},
                                 {Py_tp_members, context_members},
                                 {Py_tp_doc, const_cast<char*>("What forward and backward of a Function share.")},
                                 {0, nullptr}};
  PyType_Spec context_spec = {"torch.autograd.function.FunctionCtx", sizeof(ContextObject), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, context_slots};
  context_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&context_spec)));
  checked(PyModule_AddObjectRef(module, "FunctionCtx", reinterpret_cast<PyObject*>(context_type)));
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace taut::python
