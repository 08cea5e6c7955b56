# The dtypes that are kept, moved and converted: uint16, uint32, uint64 and the floats of eight bits.
import io
import warnings

import torch

warnings.simplefilter("ignore")
UNSIGNED = [torch.uint16, torch.uint32, torch.uint64]
FLOATS = [torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz, torch.float8_e8m0fnu]
OTHERS = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64, torch.complex64]


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as e:
        text = str(e)
        print(name, "!!", "not implemented for" + text.partition("not implemented for")[2] if "not implemented for" in text
              else "promotion" if text.startswith("Promotion") else text[:50])


for d in UNSIGNED + FLOATS:
    print(d, d.is_signed, d.is_floating_point, d.is_complex, d.itemsize, torch.finfo(d) if d.is_floating_point else torch.iinfo(d))
    t = torch.tensor([0, 1, 2, 3]).to(d)
    print(t, t.tolist(), t[1].item(), t.type(), t.element_size(), t.nbytes, t.view(torch.int8).tolist(), t.is_signed())
    show("tensor", lambda: (torch.tensor([1, 2], dtype=d), torch.tensor(3, dtype=d), torch.tensor([], dtype=d), torch.tensor([True, False], dtype=d)))
    show("factories", lambda: (torch.zeros(2, dtype=d), torch.ones(2, 2, dtype=d), torch.full((2,), 2, dtype=d), torch.zeros_like(t), torch.full_like(t, 2),
                               torch.empty(2, dtype=d).fill_(1), t.new_ones(2), torch.scalar_tensor(2, dtype=d)))
    show("moves", lambda: (torch.cat([t, t]), torch.stack([t, t], 1), t[1:], t[::2], t[torch.tensor([0, 2])], t.clone(), t.repeat(2), t.roll(1), t.view(2, 2).t(),
                           t.view(2, 2).t().contiguous(), t.expand(2, 4), t.unsqueeze(0), t.chunk(2), torch.where(t == 1, t, t.clone().fill_(2)),
                           t.diag(), t.view(2, 2).diagonal(), torch.nn.functional.pad(t, (1, 1), value=1.0 if d.is_floating_point else 1), t.unfold(0, 2, 1), t.reshape(4, 1), torch.broadcast_to(t, (2, 4))))
    copy = t.clone()
    copy[0] = 2
    copy[1:3] = torch.tensor([3, 1])
    print(copy, copy.copy_(torch.tensor([4.0, 3.0, 2.0, 1.0])))
    print(t == t, t != 1, torch.isnan(t), t.any(), t.all())
    for name, f in dict(add=lambda: t + t, add_one=lambda: t + 1, sub=lambda: t - t, neg=lambda: -t, gt=lambda: t > 1, floor_divide=lambda: t // 2, max=lambda: t.max(),
                        clamp=lambda: t.clamp(0, 1), masked_fill=lambda: t.masked_fill(t == 1, 1), mean=lambda: t.mean() if d.is_floating_point else 0,
                        matmul=lambda: t.view(2, 2) @ t.view(2, 2) if not d.is_floating_point else 0, arange=lambda: torch.arange(3, dtype=d),
                        linspace=lambda: torch.linspace(0, 1, 3, dtype=d), nonzero=lambda: t.nonzero(), index_fill=lambda: t.index_fill(0, torch.tensor([0]), 1)).items():
        show(name, f)
    for o in OTHERS + UNSIGNED + FLOATS:
        show(f"promote {o}", lambda: (torch.promote_types(d, o), torch.can_cast(d, o), torch.can_cast(o, d)))
        print("  can cast", torch.can_cast(d, o), torch.can_cast(o, d))
        back = t.to(o)
        print("  to", back, back.to(d))

# Exact conversions: every float of eight bits, and rounding, saturation, infinities.
bits = torch.arange(256).to(torch.uint8)
for d in FLOATS:
    values = bits.view(d).float()
    print(d, values.view(torch.int32).where(~values.isnan(), torch.tensor(-1)).tolist())
    known = values[values.isfinite()].unique() + 0.0  # whichever zero was kept
    middle = (known[1:] + known[:-1]) / 2
    for x in (known, middle, torch.nextafter(middle, torch.tensor(float("inf"))), torch.nextafter(middle, torch.tensor(float("-inf"))), known * 1.7):
        print(x.to(d).view(torch.uint8).tolist())
    edge = torch.tensor([0.0, -0.0, 1e-45, -1e-45, 1e-10, 1e10, -1e10, 448, 449, 464, 465, 480, 57344, 61440, 61441, 65536, 240, 247, 248, 249, 256, 3e38,
                         float("inf"), float("-inf"), float("nan")])
    print(edge.to(d).view(torch.uint8).tolist(), edge.double().to(d).view(torch.uint8).tolist(), edge[:-1].bfloat16().to(d).view(torch.uint8).tolist())
    print(torch.tensor([-5, 0, 7, 300, 2**40]).to(d).view(torch.uint8).tolist(), torch.tensor([True, False]).to(d))

wide = torch.tensor([0, 1, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, -1, -2, -2**63])
for d in UNSIGNED:
    print(d, wide.to(d), wide.to(d).to(torch.int64).tolist(), wide.to(d).to(torch.int32).tolist(), wide.to(d).to(torch.int16).tolist())
    print(wide.to(d).float().tolist(), wide.to(d).double().tolist(), wide.to(d).half().tolist(), wide.to(d).bool().tolist())
    print(torch.tensor([0.0, 0.9, 1.5, 255.9, 65535.0, 3e9]).to(d).tolist() if d != torch.uint16 else torch.tensor([0.0, 0.9, 1.5, 65535.9]).to(d).tolist())
large = torch.tensor([2**63, 2**64 - 1, 5], dtype=torch.uint64)
print(large, large.tolist(), large[1].item(), large.double(), large.float(), large.sort(), large.unique(), large == large, large * 2)

t = torch.tensor([5, 3, 3, 9])
for d in UNSIGNED:
    x = t.to(d)
    print(x * x, x * 2, x / 2, x / x, x & 1, x | 8, x ^ 1, x.sum(), x.prod(), x.cumsum(0), x.sort(), x.unique(), x.unique(return_counts=True), x.argsort())
    print(x.float().mean(), torch.sqrt(x), torch.exp(x * 0), torch.isfinite(x), torch.equal(x, x), torch.allclose(x, x), x.numpy().dtype, torch.from_numpy(x.numpy()))
    print(torch.randint(0, 3, (4,), dtype=d).dtype, torch.result_type(x, 1), torch.result_type(x, 1.5), x.to(torch.float16) + x)
x = torch.tensor([1.0, -2.0, 3.0]).to(torch.float8_e4m3fn)
print(x.abs(), x.requires_grad, torch.zeros(2, dtype=torch.float8_e5m2, requires_grad=True), x.index_select(0, torch.tensor([1, 1])))
w = torch.tensor([0.3, 1.7], requires_grad=True)
w.to(torch.float8_e5m2).float().sum().backward()
print(w.grad)
for d in UNSIGNED + FLOATS:
    buffer = io.BytesIO()
    torch.save({"t": torch.tensor([1, 2, 4]).to(d), "v": torch.tensor([[1, 2], [3, 4]]).to(d)[:, 1]}, buffer)
    buffer.seek(0)
    print(torch.load(buffer))
    print(torch.from_dlpack(torch.tensor([1, 2]).to(d)) if d in UNSIGNED else "")
