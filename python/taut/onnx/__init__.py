"""torch.onnx: writes a module as a file of ONNX, by recording one call of it.

A size that may change (`dynamic_axes`, `dynamic_shapes`) is found by calling the module again with one more along that axis: ints that
differ between the calls are computed in the file from the sizes of its inputs.
"""

import enum
import os

from .._C import Tensor
from . import _proto
from ._builder import Axis, Size, Unsupported, build, shown_sizes
from ._recorder import tensors_in

__all__ = ["export", "is_in_onnx_export", "ONNXProgram", "OnnxExporterError", "TrainingMode", "OperatorExportTypes", "register_custom_op_symbolic",
           "unregister_custom_op_symbolic", "select_model_mode_for_export"]

_OPSETS = range(17, 24)
_exporting = False


class OnnxExporterError(RuntimeError):
    """What is wrong with the arguments of export."""


class TrainingMode(enum.IntEnum):
    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


class OperatorExportTypes(enum.IntEnum):
    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


class ONNXProgram:
    """A model as ONNX."""

    def __init__(self, written):
        self._bytes = written

    def save(self, destination, **_):
        """Writes the file."""
        if hasattr(destination, "write"):
            destination.write(self._bytes)
        else:
            with open(os.fspath(destination), "wb") as file:
                file.write(self._bytes)

    @property
    def model_proto(self):
        """The message, as the package onnx has it."""
        import onnx

        return onnx.load_model_from_string(self._bytes)

    def __call__(self, *args, **kwargs):
        """Runs it with onnxruntime."""
        import onnxruntime

        from .. import from_numpy

        session = onnxruntime.InferenceSession(self._bytes, providers=["CPUExecutionProvider"])
        names = [i.name for i in session.get_inputs()]
        given = [t.detach().numpy() for t in tensors_in((args, kwargs))]
        return tuple(from_numpy(a) for a in session.run(None, dict(zip(names, given))))


def is_in_onnx_export():
    """Whether a module is being called by export."""
    return _exporting


class select_model_mode_for_export:
    """Puts a module into the mode of `mode` while it is exported."""

    def __init__(self, model, mode):
        self.modules = list(model.modules()) if hasattr(model, "modules") else []
        self.mode = TrainingMode.EVAL if mode is None else mode

    def __enter__(self):
        self.before = [m.training for m in self.modules]
        if self.mode != TrainingMode.PRESERVE:
            for m in self.modules:
                m.training = self.mode == TrainingMode.TRAINING

    def __exit__(self, *_):
        for m, training in zip(self.modules, self.before):
            m.training = training


def _arguments(model, args, kwargs):
    """(positional, by name) from what export takes: a tensor, a tuple, and in the old way a dict as the last of it."""
    args = args if isinstance(args, (tuple, list)) else (args,)
    kwargs = dict(kwargs or {})
    if args and isinstance(args[-1], dict) and not kwargs:
        args, kwargs = args[:-1], dict(args[-1])
    return tuple(args), kwargs


def _names(given, count, prefix):
    names = list(given or ())
    if len(names) > count:
        raise OnnxExporterError(f"torch.onnx.export: {len(names)} names of {prefix}s for {count} {prefix}s")
    if len(set(names)) != len(names):
        raise OnnxExporterError(f"torch.onnx.export: the names of {prefix}s repeat: {names}")
    taken = set(names)
    for i in range(len(names), count):
        name = prefix if count == 1 and not names else f"{prefix}_{i}"
        names.append(name if name not in taken else f"{name}_{i}")
    return names


def _of_shapes(tree, shapes, position):
    """[(position, dim, name or None)] from dynamic_shapes beside the arguments; and the next position."""
    if isinstance(tree, Tensor):
        marked = shapes.items() if isinstance(shapes, dict) else enumerate(shapes or ())
        found = [(position, d, s if isinstance(s, str) else getattr(s, "__name__", None)) for d, s in marked
                 if s is not None and not isinstance(s, int) and getattr(s, "type", None) is not getattr(s, "STATIC", 0)]
        return found, position + 1
    found = []
    if isinstance(tree, dict):
        pairs = [(v, (shapes or {}).get(k)) for k, v in tree.items()]
    elif isinstance(tree, (tuple, list)):
        pairs = list(zip(tree, shapes or [None] * len(tree)))
    else:
        return found, position
    for v, s in pairs:
        more, position = _of_shapes(v, s, position)
        found += more
    return found, position


def _axes(args, kwargs, names, dynamic_axes, dynamic_shapes):
    """The sizes that change, as Axis."""
    tensors = list(tensors_in((args, kwargs)))
    marked = []
    if dynamic_shapes is not None:
        if isinstance(dynamic_shapes, dict) and args:
            shapes = list(dynamic_shapes.values())
            found, position = _of_shapes(args, shapes[:len(args)], 0)
            marked += found + _of_shapes(kwargs, dynamic_shapes, position)[0]
        else:
            found, position = _of_shapes(args, dynamic_shapes if not isinstance(dynamic_shapes, dict) else None, 0)
            marked += found + _of_shapes(kwargs, dynamic_shapes if isinstance(dynamic_shapes, dict) else None, position)[0]
    for name, dims in (dynamic_axes or {}).items():
        if name in names:
            position = names.index(name)
            for d, label in (dims.items() if isinstance(dims, dict) else ((d, None) for d in dims)):
                marked.append((position, d % tensors[position].ndim, label))
    axes = {}
    for position, d, label in marked:
        label = label if label and label not in ("AUTO", "DYNAMIC") else f"{names[position]}_dim_{d}"
        size = tensors[position].shape[d]
        axis = axes.setdefault(label, Axis(label, size))
        if axis.size != size:
            raise OnnxExporterError(f"torch.onnx.export: the axis {label!r} has {axis.size} in one input and {size} in another")
        if size == 0:
            raise OnnxExporterError(f"torch.onnx.export: the axis {label!r} is empty in the example")
        axis.places.append((position, d))
    return list(axes.values())


def _used(nodes, results):
    """The nodes that the results need, in order."""
    needed, kept = set(results), []
    for node in reversed(nodes):
        if any(name in needed for name in node[2]):
            kept.append(node)
            needed.update(node[1])
    return kept[::-1], needed


def export(model, args=(), f=None, *, kwargs=None, verbose=None, input_names=None, output_names=None, opset_version=None, dynamo=True,
           external_data=False, dynamic_shapes=None, custom_translation_table=None, report=False, optimize=True, verify=False, profile=False,
           dump_exported_program=False, artifacts_dir=".", fallback=False, export_params=True, keep_initializers_as_inputs=False, dynamic_axes=None,
           training=TrainingMode.EVAL, operator_export_type=OperatorExportTypes.ONNX, do_constant_folding=True, custom_opsets=None,
           export_modules_as_functions=False, autograd_inlining=True):
    """Writes a module, or a function of tensors, to the file `f`; returns it as an ONNXProgram."""
    global _exporting
    opset = 18 if opset_version is None else opset_version
    if opset not in _OPSETS:
        raise OnnxExporterError(f"torch.onnx.export: opset_version={opset} is not one of {_OPSETS[0]} to {_OPSETS[-1]}")
    if custom_translation_table or custom_opsets or export_modules_as_functions or not export_params:
        raise NotImplementedError("torch.onnx.export: custom_translation_table, custom_opsets, export_modules_as_functions and export_params=False "
                                  "are not supported by Taut")
    args, kwargs = _arguments(model, args, kwargs)
    names = _names(input_names, sum(1 for _ in tensors_in((args, kwargs))), "input")
    axes = _axes(args, kwargs, names, dynamic_axes, dynamic_shapes)
    known = {}
    if hasattr(model, "named_parameters"):
        known = {id(t): name for named in (model.named_buffers(), model.named_parameters()) for name, t in named}
    before, _exporting = _exporting, True
    try:
        with select_model_mode_for_export(model, training):
            graph, results, sizes, given = build(model, args, kwargs, axes, names, output_names, opset, known, do_constant_folding)
    finally:
        _exporting = before
    out_names = _names(output_names, len(results), "output")
    for t, name in zip(results, out_names):
        graph.nodes.append(("Identity", [graph.of(t)], [name], f"/{name}", {}))
    nodes, needed = _used(graph.nodes, out_names)
    written = _proto.model(
        [_proto.node(op, inputs, outputs, name, attributes) for op, inputs, outputs, name, attributes in nodes], type(model).__name__,
        [_proto.tensor(t, name) for name, t in graph.initializers.items() if name in needed],
        [_proto.value(n, t.dtype, shown_sizes(graph.shapes[id(t)], axes, n)) for n, t in zip(names, given)],
        [_proto.value(n, t.dtype, shown_sizes(s, axes, n)) for n, t, s in zip(out_names, results, sizes)], opset, "taut", _version())
    program = ONNXProgram(written)
    if f is not None:
        program.save(f)
    return program


def _version():
    from ..version import __version__

    return __version__


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Accepted; export says of an op that it cannot translate which one it is."""


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """Accepted: nothing was kept."""


for _thing in (export, register_custom_op_symbolic, unregister_custom_op_symbolic, is_in_onnx_export, ONNXProgram, OnnxExporterError, TrainingMode, OperatorExportTypes, select_model_mode_for_export):
    _thing.__module__ = "torch.onnx"
del _thing


def __getattr__(name):
    if name in ("symbolic_helper", "symbolic_opset11"):  # packages register translations of their ops with them
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.onnx.{name} is not part of Taut")
