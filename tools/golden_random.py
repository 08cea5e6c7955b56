"""Write tests/golden/random.txt: what PyTorch draws, for tests/random_core_test.cpp to compare with.

    python tools/golden_random.py tests/golden/random.txt

One case a line, fields separated by spaces:

    op dtype seed n parameters next hash index:bits ...

`parameters` are joined by commas ("-" for none); `next` is the low 27 bits of the draw that follows, which pins how
much of the stream the op used; `hash` is FNV-1a over the bytes of the result, or "-" where a different libm may move
the last bit; then some of the results, as hexadecimal bits.
"""

import sys

import torch

DTYPES = {
    "bool": torch.bool, "uint8": torch.uint8, "int8": torch.int8, "int16": torch.int16, "int32": torch.int32,
    "int64": torch.int64, "float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32,
    "float64": torch.float64,
}
FLOATS = ["float16", "bfloat16", "float32", "float64"]
MAX_SAMPLES = 12


def raw(tensor):
    return bytes(tensor.contiguous().reshape(-1).view(torch.uint8).tolist())


def fnv1a(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def next_draw():
    return int(torch.empty(1, dtype=torch.int64).random_(0, 2**27))


class Writer:
    def __init__(self, out):
        self.out = out

    def case(self, op, dtype, seed, n, parameters, draw, exact):
        torch.manual_seed(seed)
        result = draw().contiguous().reshape(-1)
        following = next_draw()
        data = raw(result)
        width = result.element_size()
        count = result.numel()
        shown = min(MAX_SAMPLES, count)
        picked = [i * (count - 1) // max(1, shown - 1) for i in range(shown)]
        values = [f"{i}:{int.from_bytes(data[i * width:(i + 1) * width], 'little'):x}" for i in picked]
        text = ",".join(p.hex() if isinstance(p, float) else str(p) for p in parameters) or "-"
        fields = [op, dtype, str(seed), str(n), text, str(following), fnv1a(data) if exact else "-", *values]
        self.out.write(" ".join(fields) + "\n")


def empty(n, dtype):
    return torch.empty(n, dtype=DTYPES[dtype])


def bernoulli_p(n, dtype):
    return (torch.arange(n) % 17).to(dtype) / 16


def weights(rows, categories, dtype):
    return (torch.arange(rows * categories) * 7 % 13).to(dtype).reshape(rows, categories)


def main(path):
    with open(path, "w") as out:
        w = Writer(out)
        # A seed beyond 32 bits, and one beyond 63, keep only their low half for the stream.
        for seed in (0, 1, 42, 67280421310721, 2**64 - 3):
            w.case("uniform", "float32", seed, 700, (0.0, 1.0), lambda: torch.rand(700), True)
        sizes = (1, 2, 15, 16, 17, 31, 32, 100, 511, 512, 513, 1000, 3001)
        for dtype in FLOATS:
            for n in sizes:
                seed = n + 5
                w.case("uniform", dtype, seed, n, (0.0, 1.0), lambda: empty(n, dtype).uniform_(), True)
                w.case("uniform", dtype, seed, n, (-0.3, 2.7), lambda: empty(n, dtype).uniform_(-0.3, 2.7), True)
                # Small n goes through libm in double, and so does all of float64.
                exact = n >= 16 and dtype != "float64"
                w.case("normal", dtype, seed, n, (0.0, 1.0), lambda: empty(n, dtype).normal_(), exact)
                w.case("normal", dtype, seed, n, (0.3, 2.5), lambda: empty(n, dtype).normal_(0.3, 2.5), exact)
            for n in (2, 16, 33, 600):
                w.case("normal_strided", dtype, 3, n, (0.5, 2.0),
                       lambda: torch.empty(n, 2, dtype=DTYPES[dtype])[:, 0].normal_(0.5, 2.0), False)
            for n in (1, 16, 33, 600):
                w.case("log_normal", dtype, 4, n, (1.0, 0.7), lambda: empty(n, dtype).log_normal_(1.0, 0.7), False)
                w.case("cauchy", dtype, 5, n, (0.5, 1.5), lambda: empty(n, dtype).cauchy_(0.5, 1.5), False)
                w.case("exponential", dtype, 6, n, (1.0,), lambda: empty(n, dtype).exponential_(), False)
                w.case("exponential", dtype, 7, n, (0.3,), lambda: empty(n, dtype).exponential_(0.3), False)
            w.case("uniform", dtype, 9, 50, (3.0, 3.0), lambda: empty(50, dtype).uniform_(3, 3), True)
            w.case("random_from", dtype, 10, 40, (-(2**63), "none") if dtype != "float16" else (5, "none"),
                   lambda: empty(40, dtype).random_(-(2**63) if dtype != "float16" else 5, None), True)
            for n in (1, 100, 1500):
                for p in (0.1, 0.5):
                    w.case("dropout", dtype, 11, n, (p,),
                           lambda: torch.nn.functional.dropout(torch.ones(n, dtype=DTYPES[dtype]), p), True)
            for rows, categories, samples, replacement in (
                    (1, 1, 1, 0), (1, 10, 1, 0), (3, 10, 1, 1), (4, 20, 5, 1), (2, 100, 7, 1), (1, 10, 9, 0),
                    (3, 40, 4, 0), (2, 1000, 3, 0), (2, 1000, 700, 0)):
                def draw():
                    probs = weights(rows, categories, DTYPES[dtype])
                    probs[:, 0] += 1
                    return torch.multinomial(probs, samples, bool(replacement))
                w.case("multinomial", dtype, 12, rows * samples, (rows, categories, samples, replacement), draw, True)
        # The last bits of float32 over a longer run.
        w.case("normal", "float32", 2024, 20000, (0.0, 1.0), lambda: torch.randn(20000), True)
        w.case("normal", "float32", 2025, 20007, (-1.0, 0.02), lambda: torch.empty(20007).normal_(-1.0, 0.02), True)
        w.case("uniform", "float32", 2026, 20000, (-0.1, 0.1), lambda: torch.empty(20000).uniform_(-0.1, 0.1), True)

        for dtype in DTYPES:
            for n in (1, 100, 700):
                w.case("random", dtype, 13, n, (), lambda: empty(n, dtype).random_(), True)
                for p in (0.0, 0.3, 1.0):
                    w.case("bernoulli", dtype, 14, n, (p,), lambda: empty(n, dtype).bernoulli_(p), True)
                for p_dtype in FLOATS:
                    w.case("bernoulli_tensor", dtype, 15, n, (p_dtype,),
                           lambda: empty(n, dtype).bernoulli_(bernoulli_p(n, DTYPES[p_dtype])), True)
                if dtype != "bool":
                    w.case("geometric", dtype, 16, n, (0.2,), lambda: empty(n, dtype).geometric_(0.2), False)
            w.case("random_from", dtype, 17, 60, (0, 2), lambda: empty(60, dtype).random_(0, 2), True)
            w.case("random_from", dtype, 17, 60, (1, "none"), lambda: empty(60, dtype).random_(1, None), True)
            if dtype == "bool":
                continue
            w.case("random_from", dtype, 18, 700, (3, 100), lambda: empty(700, dtype).random_(3, 100), True)
            for n in (0, 1, 2, 50, 120):
                w.case("randperm", dtype, 19, n, (), lambda: torch.randperm(n, dtype=DTYPES[dtype]), True)
        w.case("geometric", "int32", 20, 20, (1e-11,), lambda: empty(20, "int32").geometric_(1e-11), False)
        for dtype, low, high in (
                ("int64", -50, 50), ("int64", 0, 2**28 - 1), ("int64", 0, 2**28), ("int64", 5, 2**40),
                ("int64", -(2**63), 2**63 - 1), ("int64", -(2**62), 2**62 + 12345), ("int32", -(2**31), 2**31 - 1),
                ("int32", -5, 2**28 - 6), ("int16", -300, 300), ("int8", -128, 127), ("float32", 0, 2**24 + 5),
                ("float32", -(2**30), 2**30 + 3), ("float64", -(2**60), 2**60 + 7), ("float16", 0, 65504),
                ("float16", -4099, 4099), ("bfloat16", -1001, 1001), ("bfloat16", 0, 2**33 + 1)):
            w.case("random_from", dtype, 21, 300, (low, high), lambda: empty(300, dtype).random_(low, high), True)
        w.case("random_from", "int64", 22, 40, (-(2**63), "none"), lambda: empty(40, "int64").random_(-(2**63), None),
               True)
        for n in (1000, 100000):
            w.case("randperm", "int64", 23, n, (), lambda: torch.randperm(n), True)
        w.case("randperm", "float16", 24, 2049, (), lambda: torch.randperm(2049, dtype=torch.float16), True)
        w.case("randperm", "bfloat16", 24, 1000, (), lambda: torch.randperm(1000, dtype=torch.bfloat16), True)

        # States: a hash pins the whole blob. A cached normal sample comes from libm, so its bits are left out.
        for seed, draws in ((0, 0), (0, 1), (1, 623), (1, 624), (1, 625), (67280421310721, 5000), (2**64 - 3, 10)):
            torch.manual_seed(seed)
            torch.rand(draws)
            state = raw(torch.get_rng_state())
            out.write(f"state uint8 {seed} {draws} - {next_draw()} {fnv1a(state)}\n")
        torch.manual_seed(77)
        torch.empty(3).normal_()
        state = raw(torch.get_rng_state())
        nxt = torch.empty(1, dtype=torch.float64).normal_()
        bits = int.from_bytes(raw(nxt), "little")
        cut = state[:5024] + state[5032:]
        out.write(f"state_with_sample float64 77 3 - {next_draw()} {fnv1a(cut)} 0:{bits:x}\n")


if __name__ == "__main__":
    main(sys.argv[1])
