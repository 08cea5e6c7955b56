"""From recorded calls to the graph of an ONNX file."""

from .. import _C
from .._C import Tensor
from . import _proto
from ._recorder import Call, record, tensors_in


class Unsupported(NotImplementedError):
    """A call that no op of ONNX stands for."""


class Size:
    """An int that follows the sizes that change: {(): constant, (k,): times size k, (k, l): times both}."""

    def __init__(self, parts, value):
        self.parts, self.value = parts, value  # value: in the example

    def __repr__(self):
        return f"Size({self.parts})"


def solved(values, axes):
    """The int that these are for the sizes in each run, as an int or a Size; None if they are none."""
    base = values[0]
    if all(v == base for v in values):
        return base
    # Run 0 has the sizes of the example, run 1 + k one more along axis k; then pairs (k, l).
    grown = {(k,): values[1 + k] - base for k in range(len(axes))}
    pairs = [(k, m) for k in range(len(axes)) for m in range(k + 1, len(axes))]
    n = [axis.size for axis in axes]
    both = {}
    for i, (k, m) in enumerate(pairs):
        both[k, m] = values[1 + len(axes) + i] - base - grown[k,] - grown[m,]
    parts = {key: value for key, value in both.items() if value}
    rest = base
    for (k, m), a in both.items():
        rest -= a * n[k] * n[m]
    for k in range(len(axes)):
        a = grown[k,] - sum(v * (n[m] if i == k else n[i]) for (i, m), v in both.items() if k in (i, m))
        if a:
            parts[k,] = a
        rest -= a * n[k]
    if rest:
        parts[()] = rest
    return Size(parts, base)


class Axis:
    """A size that changes: its name, and the inputs and dimensions that have it."""

    def __init__(self, name, size):
        self.name, self.size, self.places = name, size, []


def grow(t, dim):
    """A tensor with one more along dim."""
    return _C.ops["cat"]([t, t.narrow(dim, 0, 1)], dim)


def _merged(trees, axes):
    """Arguments of one call in all runs as one: ints that differ become Sizes."""
    first = trees[0]
    if isinstance(first, Tensor):
        return first
    if isinstance(first, dict):
        return {k: _merged([t[k] for t in trees], axes) for k in first}
    if isinstance(first, (tuple, list)) and not hasattr(first, "numel"):
        if any(len(t) != len(first) for t in trees):
            raise Unsupported("a list of arguments has another length for another size of an input")
        return type(first)(_merged(list(parts), axes) for parts in zip(*trees)) if type(first) in (tuple, list) else first
    if hasattr(first, "numel"):  # a Size
        return tuple(_merged(list(parts), axes) for parts in zip(*trees))
    if isinstance(first, slice):
        return slice(*(_merged([getattr(t, part) for t in trees], axes) for part in ("start", "stop", "step")))
    if isinstance(first, int) and not isinstance(first, bool):
        return solved(trees, axes)
    return first


class Graph:
    """Nodes, and the names of values."""

    def __init__(self, opset, axes):
        self.opset, self.axes = opset, axes
        self.nodes, self.initializers = [], {}
        self.names, self.known, self.shapes = {}, {}, {}  # by id of a tensor: its name; what is the same in every call; its sizes
        self.kinds, self.counts, self.keep = {}, {}, []
        self.changing, self.made_sizes, self.scope = set(), {}, ""
        self.axis_source = {}

    # Values.

    def fresh(self, op):
        """A name that no value has."""
        n = self.counts[op] = self.counts.get(op, -1) + 1
        base = f"{self.scope}/{op}" if self.scope else f"/{op}"
        return f"{base}_output_{n}" if n else f"{base}_output_0"

    def add(self, op, inputs, outputs=1, **attributes):
        """A node; returns the name of its result, or their names."""
        inputs = [self.of(i) if not isinstance(i, str) else i for i in inputs]
        while inputs and inputs[-1] == "":
            inputs.pop()
        names = [self.fresh(op) for _ in range(outputs)]
        self.nodes.append((op, inputs, names, names[0].rsplit("_output_", 1)[0] + f"_{len(self.nodes)}", attributes))
        return names[0] if outputs == 1 else names

    def constant(self, t):
        """The name of a tensor that is the same in every call."""
        key = id(t)
        if key not in self.names:
            name = self.known.get(key) or f"onnx::Constant_{len(self.initializers)}"
            self.names[key] = name
            self.initializers[name] = t
            self.keep.append(t)
        return self.names[key]

    def of(self, x, like=None):
        """The name of a value: a tensor, a number (of the dtype of `like`), a Size, nothing."""
        if x is None:
            return ""
        if isinstance(x, str):
            return x
        if isinstance(x, Tensor):
            return self.names[id(x)] if id(x) in self.names else self.constant(x)
        dtype = like.dtype if isinstance(like, Tensor) else like or (_C.float32 if isinstance(x, float) else _C.int64)
        if isinstance(x, Size):
            made = self.size(x)
            return made if dtype is _C.int64 else self.cast(made, dtype)
        key = (x, type(x), dtype)
        if key not in self.kinds:
            self.kinds[key] = _C._tensor(x, None if isinstance(x, complex) else dtype)
        return self.constant(self.kinds[key])

    def ints(self, values):
        """The name of a list of int64, which may hold Sizes."""
        values = list(values)
        if not any(isinstance(v, Size) for v in values):
            key = ("ints", *values)
            if key not in self.kinds:
                self.kinds[key] = _C._tensor(values, _C.int64) if values else _C._empty((0,), None, _C.int64)
            return self.constant(self.kinds[key])
        parts, plain = [], []
        for v in [*values, None]:
            if isinstance(v, Size) or v is None:
                if plain:
                    parts.append(self.ints(plain))
                    plain = []
                if v is not None:
                    parts.append(self.add("Reshape", [self.size(v), self.ints([1])]))
            else:
                plain.append(v)
        return parts[0] if len(parts) == 1 else self.add("Concat", parts, axis=0)

    def size(self, s):
        """The name of a number of int64 without dimensions."""
        if not isinstance(s, Size):
            return self.of(s, _C.int64)
        key = tuple(sorted(s.parts.items()))
        if key not in self.made_sizes:
            total = None
            for axes, times in s.parts.items():
                product = None
                for k in axes:
                    one = self.axis(k)
                    product = one if product is None else self.add("Mul", [product, one])
                if product is None:
                    product = self.of(times, _C.int64)
                elif times != 1:
                    product = self.add("Mul", [product, self.of(times, _C.int64)])
                total = product if total is None else self.add("Add", [total, product])
            self.made_sizes[key] = total
        return self.made_sizes[key]

    def axis(self, k):
        """The name of the size of an axis that changes."""
        if k not in self.axis_source:
            name, dim = self.axes[k].places[0]
            self.axis_source[k] = self.add("Gather", [self.add("Shape", [name]), self.of(dim, _C.int64)], axis=0)
        return self.axis_source[k]

    def sizes(self, t):
        """The sizes of a tensor: ints, and Sizes where they change."""
        return self.shapes.get(id(t)) or list(t.shape)

    def cast(self, x, dtype):
        """Another dtype."""
        return self.add("Cast", [x], to=_proto.TYPES[dtype])

    def typed(self, x, dtype):
        """The name of a value with this dtype."""
        if not isinstance(x, Tensor):
            return self.of(x, dtype)
        return self.of(x) if x.dtype is dtype else self.cast(x, dtype)

    def reshape(self, x, sizes):
        """Other sizes."""
        sizes = list(sizes)
        changing = [i for i, n in enumerate(sizes) if isinstance(n, Size)]
        if len(changing) == 1 and -1 not in sizes and 0 not in sizes:
            sizes[changing[0]] = -1
        return self.add("Reshape", [x, self.ints(sizes)])


def build(module, args, kwargs, axes, input_names, output_names, opset, known, fold):
    """(graph, results, inputs in order)."""
    inputs = list(tensors_in((args, kwargs)))
    runs = []
    pairs = [(k, m) for k in range(len(axes)) for m in range(k + 1, len(axes))]
    for grown in [(), *((k,) for k in range(len(axes))), *pairs]:
        changed = {}
        for k in grown:
            for position, dim in axes[k].places:
                changed[position] = grow(changed.get(position, inputs[position]), dim)
        replaced = iter([changed.get(i, t) for i, t in enumerate(inputs)])
        runs.append(record(module, *_replaced((tuple(args), dict(kwargs)), replaced)))
        if not grown:
            given = inputs
    calls = runs[0][0]
    if runs[0][2]:
        import warnings

        warnings.warn(f"torch.onnx.export: numbers of tensors were read into Python ({', '.join(sorted(set(runs[0][2])))}); the file keeps what "
                      "they were for the example", stacklevel=4)
    for other in runs[1:]:
        if [c.name for c in other[0]] != [c.name for c in calls]:
            raise Unsupported("torch.onnx.export: for another size of an input other ops are called; a file of ONNX has one list of ops")
    graph = Graph(opset, axes)
    graph.known = known
    for position, (t, name) in enumerate(zip(given, input_names)):
        graph.names[id(t)] = name
        graph.changing.add(id(t))
        graph.shapes[id(t)] = list(t.shape)
        for k, axis in enumerate(axes):
            for place, dim in axis.places:
                if place == position:
                    graph.shapes[id(t)][dim] = Size({(k,): 1}, t.shape[dim])
    for axis in axes:
        axis.places = [(input_names[position], dim) for position, dim in axis.places]
    from ._ops import translate

    for i, call in enumerate(calls):
        same = [run[0][i] for run in runs]
        merged = Call(call.name, *_merged([(c.args, c.kwargs) for c in same], axes), call.result, call.path)
        for several in zip(*(tensors_in(c.result) for c in same)):
            graph.shapes[id(several[0])] = [solved([t.shape[d] for t in several], axes) for d in range(several[0].ndim)]
        translate(graph, merged, fold)
    results = list(tensors_in(runs[0][1]))
    sizes = [[solved([t.shape[d] for t in several], axes) for d in range(several[0].ndim)]
             for several in zip(*(tensors_in(run[1]) for run in runs))]
    return graph, results, sizes, given


def _replaced(tree, tensors):
    if isinstance(tree, Tensor):
        return next(tensors)
    if isinstance(tree, dict):
        return {k: _replaced(v, tensors) for k, v in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [_replaced(v, tensors) for v in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return tree


def shown_sizes(sizes, axes, prefix):
    """Sizes as a file says them: names of those that change."""
    shown = []
    for d, n in enumerate(sizes):
        if isinstance(n, Size):
            single = next(iter(n.parts)) if len(n.parts) == 1 else ()
            n = axes[single[0]].name if len(single) == 1 and n.parts[single] == 1 else f"{prefix}_dim_{d}"
        shown.append(n)
    return shown


