"""Short programs over `torch`, what comes of them, and how two outcomes differ: tools/compare_graphs.py runs random ones in
PyTorch and in Taut, test_programs.py those that once came out differently (golden/programs.txt).

A program is a list of lines, of which each makes or writes the first `v3` that it names. If it is to be refused, that is its
last line. In a file, its lines are followed by `=>` and PyTorch's outcome, or `=> refused`.
"""

import json
import math
import re
import warnings

TOLERANCE = {"float64": 1e-7, "complex128": 1e-7, "float32": 1e-3, "complex64": 1e-3, "float16": 2e-2, "bfloat16": 1e-1}
# As Python prints them.
SPECIAL_NUMBERS = {"inf": math.inf, "nan": math.nan, "infj": complex(0, math.inf), "nanj": complex(0, math.nan)}


def flat(result):
    if isinstance(result, (tuple, list)):
        return [r for item in result for r in flat(item)]
    return [result]


def described(torch, value, names=()):
    """Dtype, shape, numbers, flags; with the first of the names whose memory it shares."""
    if not isinstance(value, torch.Tensor):
        return str(value)
    numbers = value.detach() if value.layout is torch.strided else value.detach().to_dense()
    if numbers.is_complex():
        numbers = torch.view_as_real(numbers.resolve_conj()).to(torch.float64)
    else:
        numbers = numbers.to(torch.float64 if value.is_floating_point() else torch.int64)
    flags = [f for f, on in (("requires_grad", value.requires_grad), ("leaf", value.is_leaf)) if on]
    place = value.untyped_storage().data_ptr() if value.layout is torch.strided else 0
    flags += [f"in {n}" for n in names if isinstance(names[n], torch.Tensor) and place and names[n].numel() and
              names[n].layout is torch.strided and names[n].untyped_storage().data_ptr() == place][:1]
    return [str(value.dtype)[6:], list(value.shape), numbers.reshape(-1).tolist(), " ".join(flags)]


def total(torch, names):
    """The leaves, and the sum over all results that follow from them, each with a weight of its own."""
    tensors = {n: t for n, t in names.items() if isinstance(t, torch.Tensor)}
    leaves = [t for t in tensors.values() if t.is_leaf and t.requires_grad and not t._is_view()]
    ends = [t for v in names.values() for t in flat(v)
            if isinstance(t, torch.Tensor) and t.requires_grad and not t.is_leaf]
    ends = [part for t in ends for part in ((t.real, t.imag) if t.is_complex() else (t,))]
    if not leaves or not ends:
        return leaves, None
    return leaves, sum((t.double() * torch.linspace(0.5, 1.5, t.numel(), dtype=torch.float64).reshape(t.shape)).sum() for t in ends)


def derivatives(torch, names, way):
    """Of the sum over all results. 0: by backward(), of everything that has a .grad then; 1: with respect to the leaves;
    2: the same with create_graph, then of the squares of these gradients."""
    tensors = {n: t for n, t in names.items() if isinstance(t, torch.Tensor)}
    leaves, end = total(torch, names)
    if end is None:
        return [[], []]
    if way == 0:
        end.backward(retain_graph=True)
        kept = [t.grad for t in tensors.values() if t.is_leaf or t.retains_grad]
        for t in tensors.values():
            if t.is_leaf:
                t.grad = None
        return [[None if g is None else described(torch, g) for g in kept], []]
    first = torch.autograd.grad(end, leaves, retain_graph=True, create_graph=way == 2, allow_unused=True)
    squares = [(part.double() ** 2).sum() for g in first if g is not None and g.requires_grad
               for part in ((g.real, g.imag) if g.is_complex() else (g,))]
    second = torch.autograd.grad(sum(squares), leaves, allow_unused=True) if way == 2 and squares else []
    return [[None if g is None else described(torch, g.detach()) for g in found] for found in (first, second)]


WAYS = ("backward", "gradients", "double backward")


def raised(problem):
    return {"raises": f"{type(problem).__name__}: {str(problem)[:300]}"}


def outcome(torch, op, program, refused=False):
    """What each line gives, then the derivatives: descriptions, or {"raises": ...} as the last. If the last line is to be
    refused, also the names of what it changed all the same."""
    torch.manual_seed(0)
    names, seen = {}, []
    space = {"torch": torch, "op": op, **SPECIAL_NUMBERS}

    def state():
        return {n: repr([described(torch, t), t.layout is torch.strided and t.stride()])
                for n, t in names.items() if isinstance(t, torch.Tensor)}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k, line in enumerate(program):
            before = state() if refused and k + 1 == len(program) else {}
            try:
                exec(line, space, names)
                seen.append([described(torch, r, names) for r in flat(names[re.search(r"\bv\d+", line)[0]])])
            except Exception as problem:
                after = state() if before else {}
                return seen + [raised(problem) | {"changed": [n for n in before if after[n] != before[n]]}]
        for way in range(3) if not refused else ():
            try:
                seen.append(derivatives(torch, names, way))
            except Exception as problem:
                seen.append(raised(problem))
    return seen


def close(found, wanted, tolerance, signs):
    if found == wanted:
        return not signs or found != 0 or math.copysign(1, found) == math.copysign(1, wanted)
    if found != found and wanted != wanted:
        return True
    return math.isfinite(found) and math.isfinite(wanted) and abs(found - wanted) <= tolerance * max(abs(wanted), 1)


def difference(found, wanted, signs=False, any_infinity=False, least_scale=0.0):
    """Why two descriptions differ, or None. What is computed from larger numbers is rounded as they are: least_scale."""
    if not isinstance(found, list) or not isinstance(wanted, list):
        return None if found == wanted else f"gives {str(found)[:80]}, PyTorch {str(wanted)[:80]}"
    if found[:2] != wanted[:2]:
        return f"gives {found[0]}{found[1]}, PyTorch {wanted[0]}{wanted[1]}"
    if found[3] != wanted[3]:
        return f"is [{found[3]}], in PyTorch [{wanted[3]}]"
    scale = max([abs(v) for v in wanted[2] if math.isfinite(v)], default=0)
    scale = max(scale, least_scale)
    tolerance = TOLERANCE.get(wanted[0], 0) * max(1, scale if wanted[0] not in ("float64", "complex128") else math.sqrt(scale))
    for k, (a, b) in enumerate(zip(found[2], wanted[2])):
        if any_infinity and not (math.isfinite(a) and math.isfinite(b)):
            continue
        if not close(a, b, tolerance, signs):
            return f"element {k} is {a}, PyTorch has {b}"
    return None


def is_zero(grad):
    return grad is None or not any(grad[2])


def zeros(grad):
    """What stands for no gradient beside one."""
    return [*grad[:2], [0.0] * len(grad[2]), grad[3]]


def disagreement(program, refused, found, wanted):
    """(where, kind, text) of the first disagreement, or None."""
    for k, (a, b) in enumerate(zip(found, wanted)):
        line = k < len(program)
        where = program[k] if line else WAYS[k - len(program)]
        if isinstance(b, dict):
            if line and not (refused and k + 1 == len(program)):
                return None
            if line and not isinstance(a, dict):
                return where, "accepts", f"gives {str(a)[:100]}, PyTorch raises {b['raises']}"
            if line and a["changed"]:
                return where, "changes", f"raises and changes {a['changed']}"
            continue
        if b is None and not isinstance(a, dict):  # a line before one that is refused
            continue
        if isinstance(a, dict):
            return where, "raises", f"raises {a['raises']}; PyTorch gives {[x if x is None else x[:2] for x in (b or [] if line else b[0])]}"
        if line:
            if len(a) != len(b):
                return where, "differs", f"gives {len(a)} results, PyTorch {len(b)}"
            pairs = zip(a, b)
        else:
            pairs = [(x or zeros(y), y or zeros(x)) for order in (0, 1) for x, y in zip(a[order], b[order])
                     if not (is_zero(x) and is_zero(y))]
        # The second derivatives are those of the squares of the first.
        firsts = [v for x in (b[0] if where == WAYS[2] else []) if x for v in x[2] if math.isfinite(v)]
        for x, y in pairs:
            second = where == WAYS[2] and any(y is z for z in b[1])
            text = difference(x, y, signs=line, any_infinity=where == WAYS[2],
                              least_scale=max([v * v for v in firsts], default=0.0) if second else 0.0)
            if text:
                return where, "differs", text
    return None


def read(path):
    """(program, is it refused?, PyTorch's outcome) of each program of a file."""
    found, program = [], []
    with open(path) as lines:
        for line in map(str.strip, lines):
            if line.startswith("=> "):
                refused = line == "=> refused"
                wanted = [None] * (len(program) - 1) + [{"raises": "", "changed": []}] if refused else json.loads(line[3:])
                found.append((program, refused, wanted))
                program = []
            elif line and not line.startswith("#"):
                program.append(line)
    return found
