"""A function as a list of steps, and the Python code that it is."""

import builtins
import contextlib
import copy
import enum
import keyword
import math
import re
import types
import typing
from dataclasses import dataclass

from .._C import dtype as Dtype
from .._types import Size, device as Device, layout as Layout, memory_format as MemoryFormat
from .node import Node, _get_qualified_name, _type_repr, map_arg, public_module

__all__ = ["PythonCode", "CodeGen", "Graph"]

magic_methods = dict(eq="{} == {}", ne="{} != {}", lt="{} < {}", gt="{} > {}", le="{} <= {}", ge="{} >= {}", pos="+{}", neg="-{}", invert="~{}",
                     add="{} + {}", mul="{} * {}", sub="{} - {}", truediv="{} / {}", floordiv="{} // {}", mod="{} % {}", pow="{} ** {}", lshift="{} << {}",
                     rshift="{} >> {}", and_="{} & {}", or_="{} | {}", xor="{} ^ {}", getitem="{}[{}]", matmul="{} @ {}")
reflectable_magic_methods = dict(add="{} + {}", sub="{} - {}", mul="{} * {}", floordiv="{} // {}", truediv="{} / {}", mod="{} % {}", pow="{} ** {}",
                                 lshift="{} << {}", rshift="{} >> {}", and_="{} & {}", or_="{} | {}", xor="{} ^ {}", matmul="{} @ {}")
inplace_methods = dict(iadd="{} += {}", iand="{} &= {}", ifloordiv="{} //= {}", ilshift="{} <<= {}", imod="{} %= {}", imul="{} *= {}", imatmul="{} @= {}",
                       ior="{} |= {}", ipow="{} **= {}", irshift="{} >>= {}", isub="{} -= {}", itruediv="{} /= {}", ixor="{} ^= {}", setitem="{}[{}] = {}")
_BUILTIN_GLOBALS = ("inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree")


def _is_from_torch(obj):
    module = (getattr(obj, "__module__", None) or "").partition(".")[0]
    return module in ("torch", "taut") or type(obj).__module__.startswith(("torch._ops", "taut._C")) or type(obj).__name__ == "Op"


def _snake_case(s):
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", s).lower()


class _Namespace:
    """Names that are taken, and by what."""

    def __init__(self):
        self._names, self._used, self._counts = {}, set(), {}

    def create_name(self, candidate, obj):
        """A name like this that nothing else has; the same again for the same object."""
        if obj is not None and obj in self._names:
            return self._names[obj]
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.match(r"(.*)_(\d+)$", candidate)
        base, number = (match.group(1), int(match.group(2))) if match else (candidate, None)
        name = candidate if match is None else f"{base}_{number}"
        if not number:
            number = self._counts.get(base, 0)
        while name in self._used or self._is_illegal(name, obj):
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        self._counts[base] = number
        if obj is not None:
            self._names[obj] = name
        return name

    def associate_name_with_obj(self, name, obj):
        self._names.setdefault(obj, name)

    def _is_illegal(self, name, obj):
        if keyword.iskeyword(name):
            return True
        if name in builtins.__dict__:
            return builtins.__dict__[name] is not obj
        return name in _BUILTIN_GLOBALS

    def _rename(self, obj, name):
        self._names[obj] = name
        self._used.add(name)


@dataclass
class PythonCode:
    """The text of a graph's function, and the global names in it."""

    src: str
    globals: dict
    _lineno_map: typing.Any = None
    _prologue_start: int = 0


def _custom_globals():
    from ..utils import _pytree

    import taut

    return {"inf": math.inf, "nan": math.nan, "NoneType": type(None), "torch": taut, "device": Device, "fx_pytree": _pytree, "pytree": _pytree}


class _NodeList:
    def __init__(self, graph, reverse=False):
        self._graph, self._reverse = graph, reverse

    def __len__(self):
        return self._graph._len

    def __iter__(self):
        root = self._graph._root
        at = root._prev if self._reverse else root._next
        while at is not root:
            after = None if not at._erased else (at._prev if self._reverse else at._next)
            if after is None:
                yield at
                after = at._prev if self._reverse else at._next
            at = after

    def __reversed__(self):
        return _NodeList(self._graph, not self._reverse)


class CodeGen:
    """Writes the function of a graph: what a subclass may write in another way."""

    def gen_fn_def(self, free_vars, maybe_return_annotation, body=None):
        """The line that begins it."""
        if not free_vars or free_vars[0] != "self":
            free_vars = ["self", *free_vars]
        return f"def forward({', '.join(free_vars)}){maybe_return_annotation}:"

    def generate_output(self, output_args, *, descs=None):
        """The line that ends it."""
        return f"return {repr(output_args)}" if not isinstance(output_args, str) else f"return {output_args}"

    def process_inputs(self, *args):
        """What the function's arguments are to the graph."""
        return args

    def process_outputs(self, outputs):
        """What the graph's result is to the caller."""
        return outputs

    def additional_globals(self):
        """Other global names that the text needs."""
        return []

    def _gen_python_code(self, nodes, root_module, namespace, *, verbose=False):
        free_vars, body, globals_, wrapped, imported = [], [], {}, {}, _custom_globals()
        names = namespace

        def add_global(hint, obj):
            if _is_from_torch(obj) and obj is not Device and not isinstance(obj, type):
                return _get_qualified_name(obj)
            if isinstance(obj, type) and _is_from_torch(obj) and obj is not Device:
                return _type_repr(obj)
            hint = hint.replace(".", "_")
            if globals_.get(hint) is obj:
                return hint
            name = names.create_name(hint, obj)
            if name in globals_ and globals_[name] is not obj:
                raise AssertionError(f"two objects of the name {name}")
            globals_[name] = obj
            return name

        globals_.update(imported)

        def type_text(o):
            if o is None or o == ():
                return "None" if o is None else "()"
            if isinstance(o, str):
                return o
            origin = getattr(o, "__origin__", None)
            if isinstance(o, type) and origin is None:
                return add_global(o.__name__, o) if not _is_from_torch(o) else _type_repr(o)
            name = _type_repr(o)
            if origin is not None:
                base = f"typing.{getattr(o, '_name', None) or 'Union'}" if getattr(o, "__module__", "") == "typing" else origin.__name__
                if origin is typing.Union:
                    base = "typing.Union"
                of = getattr(typing, base.rpartition(".")[2], origin)
                text = add_global(base, of)
                args = [type_text(a) if a is not type(None) else "NoneType" for a in o.__args__]
                return f"{text}[{','.join(args)}]"
            return add_global(name, o)

        def argument(arg):
            if isinstance(arg, tuple) and hasattr(arg, "_fields"):
                return f"{add_global(type(arg).__name__, type(arg))}{repr(tuple(_Text(argument(a)) for a in arg))}"
            if isinstance(arg, tuple) and not isinstance(arg, Size):
                return "(" + ", ".join(map(argument, arg)) + ("," if len(arg) == 1 else "") + ")"
            if isinstance(arg, list):
                return "[" + ", ".join(map(argument, arg)) + "]"
            if isinstance(arg, dict):
                return "{" + ", ".join(f"{argument(k)}: {argument(v)}" for k, v in arg.items()) + "}"
            if isinstance(arg, slice):
                return f"slice({argument(arg.start)}, {argument(arg.stop)}, {argument(arg.step)})"
            if isinstance(arg, Node):
                return repr(arg)
            if isinstance(arg, enum.Enum):
                return f"{add_global(type(arg).__name__, type(arg))}.{arg.name}"
            if isinstance(arg, (Dtype, Layout, MemoryFormat)):
                return repr(arg)
            if isinstance(arg, Size):
                return f"torch.Size([{', '.join(map(argument, arg))}])"
            if callable(arg) and (isinstance(arg, type) or hasattr(arg, "__qualname__")):
                return type_text(arg) if isinstance(arg, type) else add_global(_get_qualified_name(arg), arg)
            return repr(arg)

        def arguments(args, kwargs):
            return ", ".join([*map(argument, args), *(f"{k} = {argument(v)}" for k, v in kwargs.items())])

        last_use, dies_at = {}, {}

        def register(n, user):
            if n not in last_use:
                last_use[n] = user
                dies_at.setdefault(user, []).append(n)

        for node in reversed(nodes):
            for n in node._input_nodes:
                register(n, node)

        def delete_unused(user):
            if user.op == "placeholder" or user.op == "output":
                body.append("\n")
                return
            gone = [repr(n) for n in dies_at.get(user, [])]
            if not user.users:
                gone.append(repr(user))
            body.append(f";  {' = '.join([*gone, 'None'])}\n" if gone else "\n")

        returned = [""]

        def emit(node):
            kind = "" if node.type is None or isinstance(node.type, str) and not node.type else f" : {type_text(node.type)}"
            name = repr(node)
            if node.op == "placeholder":
                default = f" = {argument(node.args[0])}" if node.args else ""
                free_vars.append(f"{node.target}{kind}{default}")
                raw = node.target.replace("*", "")
                if raw != name:
                    body.append(f"{name} = {raw}\n")
                return
            if node.op == "output":
                if node.type is not None:
                    returned[0] = f" -> {type_text(node.type)}"
                body.append(self.generate_output(_Text(argument(node.args[0]))))
                return
            if node.op == "call_method":
                body.append(f"{name}{kind} = {_attribute(argument(node.args[0]), node.target)}({arguments(node.args[1:], node.kwargs)})")
            elif node.op == "call_module":
                body.append(f"{name}{kind} = {_attribute(root_module, node.target)}({arguments(node.args, node.kwargs)})")
            elif node.op == "get_attr":
                body.append(f"{name}{kind} = {_attribute(root_module, node.target)}")
            else:
                operator_name = getattr(node.target, "__name__", "")
                if getattr(node.target, "__module__", None) == "_operator" and operator_name in magic_methods and not node.kwargs:
                    body.append(f"{name}{kind} = {magic_methods[operator_name].format(*map(argument, node.args))}")
                elif getattr(node.target, "__module__", None) == "_operator" and operator_name in inplace_methods and not node.kwargs:
                    body.append(f"{inplace_methods[operator_name].format(*map(argument, node.args))};  {name}{kind} = {argument(node.args[0])}")
                elif node.target is getattr and len(node.args) == 2 and isinstance(node.args[1], str) and node.args[1].isidentifier():
                    body.append(f"{name}{kind} = {_attribute(argument(node.args[0]), node.args[1])}")
                else:
                    text = _get_qualified_name(node.target)
                    text = add_global(text, node.target)
                    if text == "getattr" and len(node.args) == 3:
                        text = "getattr"
                    body.append(f"{name}{kind} = {text}({arguments(node.args, node.kwargs)})")
                    if getattr(node.target, "_fx_wrapped", False):
                        wrapped.setdefault(text)
            delete_unused(node)

        for node in nodes:
            if verbose:
                trace = node.meta.get("stack_trace")
                if node.op not in ("placeholder", "output") and not trace and not wrapped.get("said"):
                    wrapped["said"] = True
                    body.append("# No stacktrace found for following nodes\n")
            emit(node)
        if not body:
            body.append("pass\n")
        for name, value in self.additional_globals():
            add_global(name, value)
        wraps = [n for n in wrapped if n != "said"]
        prologue = "".join(f"wrap('{n}')\n" for n in wraps)
        code = "".join("    " + line for line in "".join(body).splitlines(True))
        head = self.gen_fn_def(free_vars, returned[0])
        if wraps:
            from ._symbolic_trace import wrap

            globals_.setdefault("wrap", wrap)
        return PythonCode(f"\n{prologue}\n\n{head}\n{code}\n    " if not wraps else f"\n{prologue}\n{head}\n{code}\n    ", globals_)


class _Text(str):
    __slots__ = ()

    def __repr__(self):
        return str(self)


def _attribute(base, target):
    text = base
    for part in target.split("."):
        text = f"{text}.{part}" if part.isidentifier() and not keyword.iskeyword(part) else f'getattr({text}, "{part}")'
    return text


class Graph:
    """A list of steps, each of which is given results of those before it."""

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._root = Node(self, "", "root", "", (), {})
        self._len = 0
        self._graph_namespace = _Namespace()
        self._insert = self._root.prepend
        self._owning_module, self._tracer_cls, self._tracer_extras = owning_module, tracer_cls, tracer_extras
        self._codegen = CodeGen()

    @property
    def owning_module(self):
        """The module that it is the graph of."""
        return self._owning_module

    @owning_module.setter
    def owning_module(self, module):
        self._owning_module = module

    @property
    def nodes(self):
        """Its steps, in order."""
        return _NodeList(self)

    def output_node(self):
        """The step that returns."""
        node = next(iter(reversed(self.nodes)))
        if node.op != "output":
            raise AssertionError("the last step is no output")
        return node

    def find_nodes(self, *, op, target=None, sort=True):
        """The steps that do this, with that target."""
        return [n for n in self.nodes if n.op == op and (target is None or n.target is target or n.target == target)]

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        """A new step, where steps are inserted now: at the end, unless inserting_before() or inserting_after() says otherwise."""
        if op not in ("call_function", "call_method", "get_attr", "call_module", "placeholder", "output"):
            raise AssertionError(f"op '{op}' is not a valid operation")
        args, kwargs = () if args is None else args, {} if kwargs is None else kwargs
        if not isinstance(args, tuple) and not isinstance(args, list):
            raise AssertionError("args must be a tuple")
        name = self._graph_namespace.create_name(name if name is not None else self._target_to_str(target), None)
        node = Node(self, name, op, target, tuple(args), kwargs, type_expr)
        self._graph_namespace.associate_name_with_obj(name, node)
        self._insert(node)
        self._len += 1
        return node

    def _target_to_str(self, target):
        op = target if isinstance(target, str) else getattr(target, "_opname", None) or getattr(target, "__name__", type(target).__name__)
        if not isinstance(target, str) and op.startswith("__") and op.endswith("__"):
            op = op[2:-2]
        elif isinstance(target, str) and op.startswith("__") and op.endswith("__"):
            op = op[2:-2]
        return _snake_case(op.replace(".", "_"))

    def process_inputs(self, *args):
        """What the function's arguments are to the graph."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        """What the graph's result is to the caller."""
        return self._codegen.process_outputs(out)

    def erase_node(self, to_erase):
        """Takes a step out that nobody reads."""
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!")
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            import warnings

            warnings.warn(f"erase_node({to_erase}) on an already erased node", stacklevel=2)
            return
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._update((), {})

    @contextlib.contextmanager
    def _inserting(self, insert):
        before, self._insert = self._insert, insert
        try:
            yield
        finally:
            self._insert = before

    def inserting_before(self, n=None):
        """Within it, new steps come before this one."""
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return self._inserting(n.prepend)

    def inserting_after(self, n=None):
        """Within it, new steps come after this one."""
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        place = [n]

        def insert(node):
            place[0].append(node)
            place[0] = node

        return self._inserting(insert if n is not self._root else n._next.prepend)

    def placeholder(self, name, type_expr=None, default_value=...):
        """An argument of the function."""
        return self.create_node("placeholder", name, () if default_value is ... else (default_value,), type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        """An attribute of the module."""
        module = self.owning_module
        if module is not None and not _has(module, qualified_name):
            import warnings

            warnings.warn("Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! Call "
                          "GraphModule.add_submodule to add the necessary submodule, GraphModule.add_parameter to add the necessary "
                          "Parameter, or nn.Module.register_buffer to add the necessary buffer", stacklevel=2)
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        """A call of a submodule."""
        if self.owning_module is not None:
            try:
                self.owning_module.get_submodule(module_name)
            except AttributeError as e:
                raise AttributeError(str(e).replace(type(self.owning_module).__name__ + " has", "GraphModule has")) from None
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        """A call of a method of the first argument."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        """A call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def output(self, result, type_expr=None):
        """What the function returns."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        """A step of another graph, given what arg_transform(node) says."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = copy.copy(node.meta)
        return made

    def graph_copy(self, g, val_map, return_output_node=False):
        """All steps of another graph; returns what its output is here. val_map has, and gets, which step is which."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                found = map_arg(node.args[0], lambda n: val_map[n])
                return (found, node) if return_output_node else found
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        made = Graph(tracer_cls=self._tracer_cls)
        found = made.graph_copy(self, val_map := {}, return_output_node=True)
        made._codegen = copy.deepcopy(self._codegen)
        if found is not None:
            value, old = found
            made.output(value, old.type).meta = copy.copy(old.meta)
        if memo is not None:
            memo[id(self)] = made
            memo.setdefault("_fx_nodes", {}).update({id(k): v for k, v in val_map.items()})
        return made

    def python_code(self, root_module, *, verbose=False, **_):
        """The text of the function, and the global names in it."""
        names = _Namespace()
        by_name = {n: names.create_name(n.name, n) for n in self.nodes}
        before = {n: n._repr_fn for n in self.nodes}
        for n in self.nodes:
            n._repr_fn = by_name.__getitem__
        try:
            return self._codegen._gen_python_code(list(self.nodes), root_module, names, verbose=verbose)
        finally:
            for n, f in before.items():
                n._repr_fn = f

    def set_codegen(self, codegen):
        """Who writes the function."""
        self._codegen = codegen

    def on_generate_code(self, make_transformer):
        """Within it, the text goes through make_transformer(None)(lines) after it was written."""
        raise NotImplementedError("torch.fx.Graph.on_generate_code is not supported: subclass torch.fx.CodeGen and call set_codegen()")

    def __str__(self):
        placeholders, returns = [], [""]
        lines = [n.format_node(placeholders, returns) for n in self.nodes]
        return f"graph({', '.join(())}){returns[0]}:" + "".join("\n    " + line for line in lines if line)

    def print_tabular(self):
        """Prints the steps as a table."""
        rows = [[n.op, n.name, str(n.target), str(n.args), str(n.kwargs)] for n in self.nodes]
        heads = ["opcode", "name", "target", "args", "kwargs"]
        widths = [max(len(r[i]) for r in [heads, *rows]) for i in range(5)]
        print("  ".join(h.ljust(w) for h, w in zip(heads, widths)).rstrip())
        print("  ".join("-" * w for w in widths))
        for r in rows:
            print("  ".join(c.ljust(w) for c, w in zip(r, widths)).rstrip())

    def lint(self):
        """Raises where the graph is not well-formed: a result that is read before it is there, a name twice, a target that is missing."""
        seen, names = set(), set()
        for node in self.nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
            for n in node._input_nodes:
                if n.graph is not self:
                    raise RuntimeError(f"Argument '{n}' of Node '{node}' does not belong to this Graph, but was used as an argument! If you are copying "
                                       "nodes from another graph, make sure to use ``arg_transform`` on node_copy() to remap values")
                if n not in seen:
                    raise RuntimeError(f"Argument '{n}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are "
                                       f"topologically ordered\n{self}")
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            seen.add(node)
            names.add(node.name)
            if self.owning_module is not None and node.op in ("get_attr", "call_module") and not _has(self.owning_module, node.target):
                raise RuntimeError(f"Node {node} target {node.target} references nonexistent attribute {node.target} of ")

    def eliminate_dead_code(self, is_impure_node=None):
        """Takes out the steps whose results nobody reads. Were there any?"""
        impure = is_impure_node or (lambda n: n.is_impure())
        changed = False
        for node in reversed(self.nodes):
            if not node.users and not impure(node):
                self.erase_node(node)
                changed = True
        return changed


def _has(module, name):
    for part in name.split("."):
        if not hasattr(module, part):
            return False
        module = getattr(module, part)
    return True


for _cls in (Graph, CodeGen, PythonCode):
    _cls.__module__ = "torch.fx.graph"
del types, public_module
