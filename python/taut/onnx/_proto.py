"""ONNX's messages (onnx.proto) as bytes."""

from .. import _C

TYPES = {_C.float32: 1, _C.uint8: 2, _C.int8: 3, _C.uint16: 4, _C.int16: 5, _C.int32: 6, _C.int64: 7, _C.bool: 9, _C.float16: 10,
         _C.float64: 11, _C.uint32: 12, _C.uint64: 13, _C.bfloat16: 16}


def tensor(t, name=""):
    """TensorProto"""
    plain = t.detach().contiguous()
    raw = bytes(memoryview(plain.view(-1).view(_C.uint8))) if plain.numel() else b""
    return _C._proto([(1, "i", n) for n in plain.shape] + [(2, "i", TYPES[plain.dtype]), (8, "b", name), (9, "b", raw)])


def attribute(name, value):
    """AttributeProto"""
    if isinstance(value, _C.Tensor):
        what = [(5, "b", tensor(value)), (20, "i", 4)]
    elif isinstance(value, bool) or isinstance(value, int):
        what = [(3, "i", int(value)), (20, "i", 2)]
    elif isinstance(value, float):
        what = [(2, "f", value), (20, "i", 1)]
    elif isinstance(value, str):
        what = [(4, "b", value), (20, "i", 3)]
    elif value and isinstance(value[0], str):
        what = [(9, "b", v) for v in value] + [(20, "i", 8)]
    elif value and isinstance(value[0], float):
        what = [(7, "f", v) for v in value] + [(20, "i", 6)]
    else:
        what = [(8, "i", v) for v in value] + [(20, "i", 7)]
    return _C._proto([(1, "b", name), *what])


def node(op, inputs, outputs, name, attributes):
    """NodeProto"""
    return _C._proto([(1, "b", i) for i in inputs] + [(2, "b", o) for o in outputs] + [(3, "b", name), (4, "b", op)] +
                     [(5, "b", attribute(k, v)) for k, v in attributes.items() if v is not None])


def value(name, dtype, sizes):
    """ValueInfoProto; sizes are ints, or names of those that change."""
    dims = [(1, "b", _C._proto([(2, "b", n)] if isinstance(n, str) else [(1, "i", n)])) for n in sizes]
    kind = _C._proto([(1, "i", TYPES[dtype]), (2, "b", _C._proto(dims))])
    return _C._proto([(1, "b", name), (2, "b", _C._proto([(1, "b", kind)]))])


def model(nodes, name, initializers, inputs, outputs, opset, producer, version, doc=""):
    """ModelProto: bytes of nodes, tensors and values."""
    graph = _C._proto([(1, "b", n) for n in nodes] + [(2, "b", name)] + [(5, "b", t) for t in initializers] + [(11, "b", v) for v in inputs] +
                      [(12, "b", v) for v in outputs])
    return _C._proto([(1, "i", _IR[max(k for k in _IR if k <= opset)]), (2, "b", producer), (3, "b", version), (7, "b", graph),
                      (8, "b", _C._proto([(1, "b", ""), (2, "i", opset)]))])


_IR = {0: 8, 17: 8, 19: 9, 21: 10, 23: 11}  # the version of the format that an opset came with
