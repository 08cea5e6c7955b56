# Tensors and modules without memory: device="meta".
import copy
import io
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")


def show(name, f, words=60):
    try:
        print(name, "->", f())
    except Exception as e:
        print(name, "!!", str(e)[:words])


m, c = torch.ones(2, 3, device="meta"), torch.ones(2, 3)
number, meta_number = torch.tensor(2.0), torch.tensor(2.0, device="meta")

# What they say of themselves.
for t in (m, meta_number, torch.ones(0, device="meta"), torch.ones(2, device="meta", dtype=torch.int32),
          torch.ones(2, dtype=torch.bool, device="meta"), torch.ones(2, device="meta", requires_grad=True),
          torch.ones(2, 3, device="meta", requires_grad=True) * 2, m.t(), m.to(torch.float64)):
    print(t, t.device, t.is_meta, t.is_cpu, t.stride(), t.storage_offset(), t.data_ptr(), t.type(), t.nbytes)
print(m.untyped_storage().nbytes(), m.untyped_storage().data_ptr(), m.untyped_storage(), m.is_leaf, m.grad, m.element_size())
for name in ("tolist", "numpy", "cpu", "__bool__"):
    show(name, lambda: getattr(m, name)(), 30)
show("item of one", lambda: meta_number.item())
show("float", lambda: float(meta_number))
show("bool", lambda: bool(meta_number))
show("dlpack", lambda: m.__dlpack__())

# Factories.
for f in (torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn):
    print(f.__name__, f(2, 3, device="meta"))
print(torch.full((2,), 7, device="meta"), torch.arange(5, device="meta"), torch.linspace(0, 1, 4, device="meta"), torch.eye(3, device="meta"))
print(torch.randperm(4, device="meta"), torch.randint(0, 5, (2,), device="meta"), torch.tril_indices(3, 3, device="meta").shape)
print(torch.tensor([[1, 2]], device="meta"), torch.as_tensor(c, device="meta"), torch.empty_strided((2, 3), (1, 2), device="meta").stride())
print(torch.zeros_like(m), torch.zeros_like(c, device="meta"), torch.empty_like(m, device="cpu").device, m.new_zeros(4), c.new_ones(2, device="meta"))
print(torch.zeros(10**9, 10**6, device="meta").shape, torch.hann_window(5, device="meta"))
with torch.device("meta"):
    print(torch.zeros(2), torch.tensor([1.0]), torch.zeros(2, device="cpu"), torch.get_default_device())
    with torch.device("cpu"):
        print(torch.zeros(2))
    print(torch.zeros_like(c).device, torch.ones(1).device)
torch.set_default_device("meta")
print(torch.zeros(2), torch.get_default_device())
torch.set_default_device(None)
print(torch.zeros(2), torch.get_default_device())

# Ops, also with a number that has memory, and errors where tensors are in different places.
index = torch.tensor([1, 0])
for name, f in dict(
        add=lambda: m + m, number=lambda: m + number, reflected=lambda: 2 - m, compare=lambda: m > 0, promote=lambda: m.int() + m.double(),
        broadcast=lambda: m + torch.ones(4, 1, 3, device="meta"), matmul=lambda: m @ m.t(), cat=lambda: torch.cat([m, m]),
        stack=lambda: torch.stack([m, m], -1), sum=lambda: m.sum(), mean=lambda: m.mean(1, keepdim=True), max=lambda: m.max(0),
        softmax=lambda: m.softmax(-1), sort=lambda: m.sort(), topk=lambda: m.topk(2), where=lambda: torch.where(m > 0, m, 0.0),
        select=lambda: m[0], slice=lambda: m[:, ::2], index=lambda: m[index], gather=lambda: m.gather(1, torch.zeros(2, 1, dtype=torch.long)),
        cumsum=lambda: m.cumsum(0), einsum=lambda: torch.einsum("ij,kj->ik", m, m), conv=lambda: F.conv1d(m, torch.ones(4, 2, 2, device="meta")),
        eigh=lambda: torch.linalg.eigh(torch.ones(2, 2, device="meta")), svd=lambda: torch.linalg.svd(m)[1], inv=lambda: torch.inverse(torch.eye(2, device="meta")),
        one_hot=lambda: F.one_hot(torch.zeros(2, dtype=torch.long, device="meta"), 3), dropout=lambda: F.dropout(m), embedding=lambda: F.embedding(index, m),
        multinomial=lambda: torch.multinomial(m, 2), histc=lambda: torch.histc(m), complex=lambda: torch.complex(m, m).abs(),
        cross_entropy=lambda: F.cross_entropy(m, torch.zeros(2, dtype=torch.long, device="meta")), interpolate=lambda: F.interpolate(m[None], 6),
        attention=lambda: F.scaled_dot_product_attention(m[None], m[None], m[None]), repeat=lambda: m.repeat_interleave(2), clamp=lambda: m.clamp(0, 1),
        tril=lambda: m.tril(), view=lambda: m.view(3, 2), pad=lambda: F.pad(m, (1, 1)), normal=lambda: m.normal_(), fill=lambda: m.fill_(number),
        layer_norm=lambda: F.layer_norm(m, (3,)), addmm=lambda: torch.addmm(m, m[:, :2], m), norm=lambda: m.norm(), cross=lambda: torch.linalg.cross(m, m)).items():
    show(name, f)
for name, f in dict(
        add=lambda: m + c, reversed=lambda: c + m, numbers=lambda: c + meta_number, cat=lambda: torch.cat([m, c]), other_cat=lambda: torch.cat([c, m]),
        where=lambda: torch.where(m > 0, c, m), maximum=lambda: torch.maximum(m, c), pow=lambda: m.pow(c), stack=lambda: torch.stack([m, c])).items():
    show(name, f)
show("copy into", lambda: torch.empty_like(m).copy_(c))
show("copy out", lambda: torch.empty_like(c).copy_(m))
show("to cpu", lambda: m.to("cpu"))
print(c.to("meta"), m.to("meta") is m, c.double().to(m), copy.deepcopy(m), torch.clone(m))
out = torch.empty(0, device="meta")
print(torch.add(m, m, out=out), out.shape, m.add_(1), m.mul_(m))
for name, f in dict(nonzero=lambda: torch.nonzero(m), unique=lambda: torch.unique(m), mask=lambda: m[m > 0], equal=lambda: torch.equal(m, m),
                    bincount=lambda: torch.bincount(torch.ones(2, dtype=torch.long, device="meta"))).items():
    try:
        print(name, f())
    except NotImplementedError:
        print(name, "is not implemented")

# Autograd.
w = torch.ones(3, 4, device="meta", requires_grad=True)
loss = ((m @ w).relu() ** 2).mean()
print(loss)
loss.backward()
print(w.grad, torch.autograd.grad((w * w).sum(), w, create_graph=True))
x = torch.ones(2, 3, device="meta", requires_grad=True)
y = x.clone()
y[0] = 5
y.exp().sum().backward()
print(x.grad)

# Modules.
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 15 * 15, 10))
meta = copy.deepcopy(model).to("meta")
print({k: (tuple(v.shape), v.device.type) for k, v in meta.state_dict().items()})
result = meta(torch.randn(2, 3, 32, 32, device="meta"))
print(result)
result.sum().backward()
print(meta[0].weight.grad.shape, meta[0].weight.grad.device)
optimizer = torch.optim.Adam(meta.parameters())
optimizer.step()
print(optimizer.state[meta[0].weight]["exp_avg"])
show("module to cpu", lambda: meta.to("cpu"), 150)
meta.load_state_dict(model.state_dict(), assign=True)
print({p.device.type for p in meta.parameters()}, torch.equal(meta.eval()(torch.ones(1, 3, 32, 32)), model.eval()(torch.ones(1, 3, 32, 32))))
with torch.device("meta"):
    layers = [nn.Linear(3, 4), nn.LSTM(3, 4), nn.Embedding(5, 6), nn.TransformerEncoderLayer(8, 2), nn.LayerNorm(4), nn.MultiheadAttention(8, 2)]
print({p.device.type for layer in layers for p in layer.parameters()})
print(layers[0](m), layers[1](m[None])[0].shape, layers[2](index), layers[3](torch.ones(5, 2, 8, device="meta")).shape)
layers[0].to_empty(device="cpu")
print(layers[0].weight.shape, layers[0].weight.device, nn.Linear(2, 3, device="meta").weight)
torch.manual_seed(3)
before = torch.get_rng_state()
skipped = nn.utils.skip_init(nn.Linear, 3, 4)
print(skipped.weight.device, skipped.weight.shape, torch.equal(before, torch.get_rng_state()))
torch.manual_seed(3)
nn.Linear(3, 4, device="meta")
print(torch.equal(before, torch.get_rng_state()))
nn.init.xavier_uniform_(nn.Parameter(m)), nn.init.trunc_normal_(m), nn.init.orthogonal_(m)

buffer = io.BytesIO()
torch.save({"m": m, "p": nn.Parameter(m)}, buffer)
buffer.seek(0)
print(torch.load(buffer))
