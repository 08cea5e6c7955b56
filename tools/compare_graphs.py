#!/usr/bin/env python3
"""Random programs in PyTorch and in Taut: compare_graphs.py [--graphs 20000] [--first 0] [--seed 0] [--taut python] [--only op].

What PyTorch runs (see random_programs.py), Taut must run too, with the same dtypes, shapes, values and requires_grad, and the
same first and second derivatives; what PyTorch refuses, Taut must refuse, and change nothing. Each disagreement is shrunk to a
short program and shown once per op and kind, unless EXPLAINED says why it is meant. The same seed gives the same programs.
Skips, loudly, where torch is not installed.
"""

import argparse
import ast
import json
import math
import os
import re
import subprocess
import sys
import time
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "python", "tests")]
from programs import WAYS, disagreement, outcome, read  # noqa: E402
from random_programs import ROOT, UNDEFINED, Writer, samples  # noqa: E402

# Disagreements that are meant: a pattern of "the shrunk program \n where \n kind: text", and why.
EMPTY = r"[^@]*(\.reshape\(\([^)]*\b0\b|PyTorch gives \[\['\w+', \[[^]]*\b0\b)"
SPECIAL = r"[^@]*\b(inf|nan)\b[^@]*\n"
EXPLAINED = [
    # What is refused on purpose.
    (r"raises: raises .*(not implemented for|expected .*floating dtype|expected floating point|Expected dtype int32/int64|"
     r"the same dtype|target dtype to be|should be the same|must match the size).*PyTorch gives \[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at dtypes and shapes only where there is an element"),
    (r"\.reshape\(\([^)]*\b0\b[^@]*raises: raises .*(Expected dtype int32/int64|to have the same dtype|target dtype to be|"
     r"expected floating point)", "PyTorch looks at dtypes and shapes only where there is an element"),
    (r"batch_norm[^@]*raises: raises .*must be defined in evaluation mode" + EMPTY, "PyTorch wants statistics only for elements"),
    (r"max_unpool[^@]*raises: raises .*Found an invalid max index: .*PyTorch gives \[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at indices only where there is an element to write"),
    (r"raises: raises .*functions with out=... arguments don't support automatic differentiation",
     "PyTorch's ops of several steps forget that out= and gradients do not go together"),
    (r"raises: raises .*inner: Expected out tensor to have dtype", "PyTorch's inner of a single number takes any destination"),
    (r"embedding_dense_backward\W[^@]*raises: raises .*same dtype", "gradients are floating-point numbers"),
    (r"raises: raises .*is not a valid value for reduction", "PyTorch takes any other number for no reduction"),
    (r"raises: raises .*(lstm|gru|rnn_\w+?)(_cell)?: (mat1 and mat2 must have the same dtype|b_ih|b_hh|w_ih|w_hh|hidden|hx)",
     "PyTorch broadcasts and promotes the biases and states of recurrent layers"),
    (r"raises: raises .*(lstm|gru|rnn_\w+): dropout probability has to be", "PyTorch looks at the dropout of layers only between two"),
    (r"raises: raises .*conv\w+: Input type .* and bias type", "PyTorch promotes the bias of some convolutions"),
    (r"raises: raises .*pad_sequence: all sequences must agree", "PyTorch broadcasts shorter sequences"),
    (r"raises: raises .*grid_sampler: padding_mode must be", "PyTorch takes any number for a padding mode"),
    (r"raises: raises .*adaptive_avg_pool2d\(\): Expected 3D or 4D", "PyTorch takes a mean for pooling, whatever the dimensions"),
    (r"raises: raises .*fractional_max_pool\dd: kernel_size should be", "PyTorch pools windows without elements"),
    (r"cum(max|min)\W[^@]*raises: raises .*Dimension out of range.*PyTorch gives \[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at the dimension only where there is an element"),
    (r"raises: raises .*embedding_dense_backward: index \d+ is out of bounds", "PyTorch leaves out what is beyond the last row"),
    (r"raises: raises .*embedding_bag: sparse gradients are not supported", "there are no sparse gradients"),
    (r"raises: raises .*scaled_dot_product_attention: key and value must have the same length.*PyTorch gives \[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at keys only where there is a query"),
    (r"take_along_dim\W[^@]*raises: raises .*out of bounds", "PyTorch reads beyond the end of what it expands"),
    (r"raises: raises .*batch_norm: (weight|bias) should contain", "PyTorch reads beyond the end of native_batch_norm's parameters"),
    (r"raises: raises .*pack_padded_sequence: a length of \d+ is beyond", "PyTorch reads beyond the end of the sequence"),
    (r"raises: raises .*addbmm_: output with shape", "PyTorch resizes what addbmm_ is given"),
    (r"logical_\w+_\([^@]*raises: raises .*view of a leaf", "PyTorch takes logical ops in place for differentiable ones"),
    (r"raises: raises RuntimeError: (cannot register a hook|can't retain_grad).*", "a view made without a graph: PyTorch lets it be"
     " watched, but nothing reaches it"),
    (r"logspace\W[^@]*raises: raises .*logspace: not implemented for bool", "PyTorch draws a line of bools"),
    # What is taken.
    (r"v\d+\[[^\n]*\] [-+*/]?= [^@]*accepts: .*refer to a single memory location", "the result is computed beside what is read"),
    (r"kron\([^@]*accepts: .*view size is not compatible", "PyTorch's kron wants dense arguments where it records nothing"),
    (r"take_along_dim\W[^@]*accepts: .*view size is not compatible", "PyTorch's take_along_dim wants dense arguments"),
    (r"argsort\([^@]*stable=True, out=[^@]*accepts: .*automatic differentiation", "indices have no gradient"),
    (r"detach_\(\)[^@]*accepts: .*Can't detach views", "what PyTorch takes for a view is one of a temporary"),
    (r"_scatter\W[^@]*accepts: .*Autograd not support dtype", "what is put into bools or whole numbers has no gradient"),
    (r"(scatter_reduce_|index_put_)\W[^@]*accepts: .*refer to a single memory location", "the result is computed beside what is read"),
    (r"(poisson_nll_loss|multilabel_soft_margin_loss)\W[^@]*accepts: .*with a bool tensor is not supported", "bools are targets, too"),
    (r"native_batch_norm\W[^@]*accepts: .*expected scalar type", "weight and bias may be of two dtypes"),
    (r"gaussian_nll_loss\W[^@]*accepts: .*can't be cast to the desired output type", "PyTorch limits a variance of whole numbers in place"),
    (r"topk\W[^@]*accepts: .*topk does not support bool", "PyTorch has no kernel"),
    # Graphs.
    (r"(no_grad\(\): v\d+ = |requires_grad_\(\))[^@]*differs: is \[(requires_grad )?leaf.*in PyTorch \[requires_grad",
     "a view made without a graph says it requires grad, but in PyTorch nothing reaches it either"),
    (r"\.requires_grad_\(\)\n[^@]*backward\ndiffers", "a leaf that requires grad only after it was used has no part in what was recorded"),
    (r"no_grad\(\): v\d+\.(unsqueeze_|squeeze_|transpose_|t_)\([^@]*(backward|gradients)\n(raises|differs)", "a leaf changed its shape after it was used"),
    (r"logical_(and|or|xor|not)_\([^@]*(backward|gradients)\ndiffers", "PyTorch passes gradients through logical ops in place"),
    (r"cosine_similarity\W[^@]*(backward|gradients)\ndiffers", "PyTorch's gradient forgets that eps limits the norms"),
    (r"as_strided_scatter\W[^@]*(backward|gradients)\ndiffers", "PyTorch takes the strides of as_strided_scatter for those of a dense gradient"),
    (r"kron\([^@]*v\d+ [-+*/]*=[^=@]*(backward|gradients)\ndiffers", "PyTorch's kron does not notice that an argument was overwritten"),
    (r"scatter_reduce_?\W[^\n]*include_self=False\)[^@]*(backward|gradients)\ndiffers",
     "PyTorch counts ties of what scatter_reduce does not include"),
    (r"uint8[^@]*soft_margin_loss\W[^@]*(backward|gradients)\ndiffers", "PyTorch negates targets of uint8"),
    (r"upsample_nearest\w*\W[^@]*(backward|gradients)\ndiffers", "PyTorch's gradient takes another scale than its result"),
    (r"smooth_l1_loss\W[^\n]*, -?0(\.0)?\)[^@]*(backward|gradients)\ndiffers", "the gradient of |x - y| is 0 where both are equal, as that of l1_loss"),
    (r"float16[^@]*normalize\W[^@]*(backward|gradients)\ndiffers: element \d+ is (-?inf|nan), PyTorch has (-?inf|nan)",
     "eps is 0 in half precision: 1 / 0"),
    (r"embedding_bag\W[^\n]*, True, 0, False[^@]*(backward|gradients)\ndiffers", "PyTorch divides by how often another row was read"),
    (r"mse_loss\W[^@]*(backward|gradients)\ndiffers", "PyTorch divides by the size of the smaller of two that broadcast"),
    (r"sinc\W[^@]*double backward\ndiffers", "differences of nearly equal numbers near 0"),
    (r"uint8[^@]*atan2\W[^@]*(backward|gradients)\ndiffers", "PyTorch squares in uint8"),
    (r"b?float16[^@]*\*\*= \d+[^@]*(backward|gradients)\ndiffers: element \d+ is -inf, PyTorch has inf",
     "PyTorch rounds an odd power to an even one in half precision"),
    (r"b?float16[^@]*( / |\bdiv\()[^@]*double backward\ndiffers", "x / x: differences of equal numbers, rounded in half precision"),
    # Values.
    (r"gelu\W[^@]*// [^@]*differs: element \d+ is -1.0, PyTorch has -0.0", "PyTorch's gelu is 0 where it still is a small number"),
    (r"int\d*[^@]*digamma\([^@]*out=[^@]*differs", "whole numbers become float32 before they are written"),
    (r"pad_sequence\W[^@]*differs: gives \w+\[[^@]*, PyTorch \w+\[", "PyTorch casts all sequences to the dtype of the first"),
    (r"\b(max|min|maximum|minimum|fmax|fmin)\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0",
     "which of two equal zeros is taken depends on how many numbers PyTorch takes at a time"),
    (r"float32[^@]*v\d+ \*\*=? [-\d.e]+[^@]*differs", "PyTorch's vectors round an exponent to float32, its single numbers do not"),
    (r"lerp_?\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0", "PyTorch's vectors add a product, its single numbers subtract one"),
    (r"addmv\W[^@]*differs: gives \w+\[0\], PyTorch \w+\[1\]", "PyTorch's product of an empty matrix is not empty"),
    (r"soft_margin_loss\W[^@]*differs: element \d+ is [\d.]+, PyTorch has inf", "does not overflow where the result fits"),
    (r"unique_dim'\)\([^@]*differs: gives int64\[0\]", "an inverse or counts that were not asked for"),
    (r"_upsample_bi\w+2d_aa'\)\(v\d+, \[\d+, 1\][^@]*differs", "PyTorch repeats the first row where the width becomes 1"),
    (r"pixel_(un)?shuffle\([^@]*differs: gives \w+\[[^]]*\b0\b", "PyTorch leaves a shape without elements as it is"),
    (r"differs: is \[.*in v\d+\], in PyTorch \[.*in v\d+\]", "what was picked by indices may lie otherwise in memory"),
    (r"float16[^@]*fractional_max_pool\dd\W[^@]*differs", "PyTorch's intervals are computed in half precision"),
    (r"(std_mean|var_mean)\W[^@]*differs: element \d+ is -0.0, PyTorch has 0.0", "the mean of -0 is -0, as that of mean"),
    (r"torch.unique_consecutive\(v\d+, (True|False)[^@]*differs", "PyTorch mixes up flags of unique_consecutive that are not named"),
    (r"(native_layer_norm|native_group_norm|std_mean|var_mean)\W[^@]*differs: element \d+ is -?inf, PyTorch has nan",
     "the mean of numbers with one infinity is infinite"),
    (r"(instance_norm|batch_norm|group_norm)\W[^@]*differs: element \d+ is (-?inf, PyTorch has nan|-?0.0, PyTorch has -?0.0)",
     "PyTorch folds weight and statistics into one factor"),
    (r"softshrink\W[^@]*differs: element \d+ is 0.0, PyTorch has -0.0", "only PyTorch's single numbers keep the sign, its vectors do not"),
    (r"upsample_(tri|bi)?linear\dd(_aa)?\W[^@]*differs: element \d+ is (-?inf, PyTorch has nan|-?0.0, PyTorch has -?0.0)",
     "PyTorch also adds the neighbour times 0"),
    (SPECIAL + r"v\d+\.renorm_\([^@]*(backward|gradients)\ndiffers", "a norm that is nan has no gradient"),
    (SPECIAL + r"[^\n]*v\d+ = [^\n]*(scaled_dot_product_attention|ctc_loss|grid_sampler\w*|conv\w*|lstm_cell|\w*batch_norm|cumprod|multi_margin_loss|"
     r"multilabel_soft_margin_loss)\W[^@]*differs", "infinities and nan are summed in another order"),
]


# Running a program, in either library.


def serve(library):
    """The half that runs in a process with Taut or PyTorch: requests come in, answers go out, one line each."""
    if library == "taut":
        sys.path.insert(0, os.path.join(ROOT, "python"))
        import taut as torch
        from taut import _C

        def op(name):
            return _C.ops[name.partition(".")[0]]

        print(json.dumps(_C._schemas()), flush=True)
    else:
        import torch
        from golden_ops import callee

        def op(name):
            return callee(*name.partition(".")[::2])

        print(json.dumps(torch.__version__), flush=True)
    torch.set_num_threads(1)
    calls = {}

    def write(seed, only, registered):
        calls.update(calls or samples(registered))
        return Writer(torch, op, calls, seed, only).written()

    def run(program, refused=False):
        return outcome(torch, op, program, refused)

    def leaf(program):
        return literal(torch, op, program)

    for line in sys.stdin:
        what, *arguments = json.loads(line)
        print(json.dumps({"write": write, "run": run, "leaf": leaf}[what](*arguments)), flush=True)


class Server:
    """A process with one of the libraries; started again when a program ends it."""

    def __init__(self, python, library):
        self.command = [python, os.path.abspath(__file__), "--serve", library]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.greeting = json.loads(self.process.stdout.readline() or "null")

    def ask(self, *request):
        """The answer, or None if the process ended."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        self.process.wait()
        self.start()
        return None


# Comparing.


def compare(torch, taut, program, refused):
    wanted = torch.ask("run", program, refused)
    at = next((k for k, w in enumerate((wanted or [])[:len(program)]) if isinstance(w, dict)), None)
    if wanted is None or at != (len(program) - 1 if refused else None):
        return None
    found = taut.ask("run", program, refused)
    if found is None:
        return program[-1], "ends", "ends the process"
    first = disagreement(program, refused, found, wanted)
    if not first or first[1] != "differs" or not any(d in line for line in program for d in ("float32", "float16")):
        return first
    # Rounding of a short float may grow: is Taut farther from the same program in float64 than PyTorch is?
    exact = torch.ask("run", [re.sub(r"bfloat16|float32|float16", "float64", line) for line in program])
    return first if exact is None or farther(found, wanted, exact) else None


def farther(found, wanted, exact):
    def error(result):
        worst = 0.0
        for a, b in zip(result, exact):
            if isinstance(a, dict) or isinstance(b, dict):
                break
            for x, y in zip(flat_values(a), flat_values(b)):
                if len(x) != len(y):
                    return math.inf
                for u, v in zip(x, y):
                    if not (u == v or u != u and v != v):
                        worst = max(worst, abs(u - v) / max(abs(v), 1) if math.isfinite(u) and math.isfinite(v) else math.inf)
        return worst

    return error(found) > 8 * error(wanted) + 1e-6 or math.isinf(error(found)) and math.isinf(error(wanted))


def flat_values(described_things):
    if described_things is None or isinstance(described_things, (str, dict)):
        return []
    if len(described_things) == 4 and isinstance(described_things[0], str):
        return [described_things[2]]
    return [v for thing in described_things for v in flat_values(thing)]


# Shrinking.


def literal(torch, op, program):
    """What the last line gave, as a leaf; None if that cannot be said."""
    head, names = program[-1].partition(" = ")[0], {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.manual_seed(0)
            for line in program:
                exec(line, {"torch": torch, "op": op, "inf": math.inf, "nan": math.nan}, names)
            value = names[head]
            if not isinstance(value, torch.Tensor) or value.numel() == 0:
                return None
            grad = ", requires_grad=True" if value.requires_grad else ""
            return f"{head} = torch.tensor({value.detach().tolist()}, dtype={value.dtype}{grad})"
        except Exception:
            return None


def shrunk(torch, taut, program, refused, first):
    """The shortest program found that disagrees in the same way at the same call."""

    def still(lines):
        found = compare(torch, taut, lines, refused)
        return found is not None and found[1] == first[1] and called(found[0]) == called(first[0]) and \
            (first[1] != "raises" or found[2][:40] == first[2][:40])

    changed = True
    while changed:
        changed = False
        for k in range(len(program) - 1, -1, -1):
            shorter = program[:k] + program[k + 1:]
            if shorter and not (refused and k + 1 == len(program)) and still(shorter):
                program, changed = shorter, True
        for k, line in enumerate(program):
            if re.match(r"v\d+ = (?!torch\.tensor\()", line):
                leaf = torch.ask("leaf", program[:k + 1])
                candidate = program[:k] + [leaf] + program[k + 1:]
                if leaf and still(candidate):
                    program, changed = candidate, True
    return program


def called(line):
    """The op a line calls, to tell kinds of disagreement apart."""
    if line in WAYS:
        return line
    statement = ast.parse(line).body[0]
    if isinstance(statement, ast.With):
        statement = statement.body[0]
    call = getattr(statement, "value", None)
    if isinstance(call, ast.Subscript) and isinstance(call.value, ast.Call):
        call = call.value
    if not isinstance(call, ast.Call) or isinstance(statement, ast.AugAssign):
        return "an operator or index"
    if isinstance(call.func, ast.Call):
        return call.func.args[0].value.partition(".")[0]
    return getattr(call.func, "attr", "an operator or index")


def explanation(program, first):
    text = "\n".join([*program, called(first[0]), f"{first[1]}: {first[2]}"])
    return next((why for pattern, why in EXPLAINED if re.search(pattern, text)), None)


def noted(program, refused, wanted):
    """A program as a file has it (see programs.py)."""
    return "\n".join([*program, "=> refused" if refused else f"=> {json.dumps(wanted)}", "", ""])


def renew(torch, path):
    """Asks PyTorch again for the outcomes of a file of programs."""
    programs = [(program, refused) for program, refused, _ in read(path)]
    with open(path, "w") as to:
        to.write("# PyTorch's outcomes, written by tools/compare_graphs.py --renew.\n\n")
        for program, refused in programs:
            wanted = torch.ask("run", program, refused)
            assert isinstance(wanted[len(program) - 1], dict) == refused, f"{program}: {wanted}"
            to.write(noted(program, refused, wanted))


def show_progress(done, total, found, started):
    seconds = time.time() - started
    left = seconds / done * (total - done)
    filled = 30 * done // total
    print(f"\r[{'#' * filled}{'-' * (30 - filled)}] {done}/{total} programs, {found} kinds of disagreement, "
          f"{left:.0f} s left ", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=20000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--taut", default=sys.executable, help="a Python that can import Taut")
    parser.add_argument("--only", help="one op, such as add.Tensor")
    parser.add_argument("--record", help="a file to which the programs that disagree are added")
    parser.add_argument("--renew", help="a file of programs whose outcomes PyTorch is asked for again; nothing else is done")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve)
    torch = Server(sys.executable, "torch")
    if not torch.greeting:
        print("compare_graphs: SKIPPED, nothing was compared: no torch", file=sys.stderr)
        return 0
    if options.renew:
        return renew(torch, options.renew)
    taut = Server(options.taut, "taut")
    registered = sorted(schema[:schema.index("(")] for schema in taut.greeting)
    started, shown, meant, used = time.time(), {}, {}, {}
    ran = refusals = 0
    for number in range(options.first, options.first + options.graphs):
        program, refused, ops = torch.ask("write", f"{options.seed} {number}", options.only, registered) or ([], False, [])
        first = compare(torch, taut, program, refused) if program else None
        ran += bool(program)
        refusals += refused
        for name in ops:
            used[name] = used.get(name, 0) + 1
        if first:
            small = shrunk(torch, taut, program, refused, first)
            first = compare(torch, taut, small, refused) or first
            why = explanation(small, first)
            key = called(first[0]), first[1]
            if key[0] in WAYS:  # tell them apart by the op that is left
                key = f"{key[0]} of {called(([''] + [p for p in small if ' = torch.tensor(' not in p])[-1])}", key[1]
            if why:
                meant[why] = meant.get(why, 0) + 1
            elif key not in shown:
                print(f"\n\n{key[0]} {key[1]} (seed {options.seed}, program {number}): {first[2]}\n  at {first[0]}",
                      *("    " + line for line in small), sep="\n", flush=True)
                if options.record:
                    with open(options.record, "a") as to:
                        to.write(noted(small, refused, torch.ask("run", small, refused)))
            if not why:
                shown[key] = shown.get(key, 0) + 1
        done = number + 1 - options.first
        if done % 20 == 0 or done == options.graphs:
            show_progress(done, options.graphs, len(shown), started)
    never = sorted(name for name in registered if name not in used and name not in UNDEFINED)
    print(f"\n{ran} programs, {refusals} of them refused by PyTorch; {len(used)} of {len(used) + len(never)} ops;", "never called:", *never)
    for why, n in sorted(meant.items(), key=lambda item: -item[1]):
        print(f"{n:6} meant: {why}")
    print(f"{len(shown)} kinds of disagreement:", ", ".join(f"{a} {b} ({n})" for (a, b), n in sorted(shown.items())))
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
