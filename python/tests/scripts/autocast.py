# torch.autocast on the CPU: which dtype each op computes in, and that gradients, checkpoints and Functions follow.
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
x, w = torch.randn(4, 8), torch.randn(8, 6, requires_grad=True)
image, kernel = torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3)


def show(name, f):
    try:
        results = f()
    except Exception as error:
        print(name, "->", type(error).__name__)
        return
    results = results if isinstance(results, tuple) else (results,)
    print(name, "->", *(f"{str(t.dtype)[6:]} {t.detach().float().sum().item():.1f}" for t in results))


def everything():
    y = x @ w
    show("@", lambda: x @ w)
    show("mm", lambda: torch.mm(x, w))
    show("matmul", lambda: torch.matmul(x[None], w))
    show("linear", lambda: F.linear(x, w.t(), torch.ones(6)))
    show("bmm", lambda: torch.bmm(x[None], w[None]))
    show("addmm", lambda: torch.addmm(torch.ones(6), x, w))
    show("baddbmm", lambda: torch.baddbmm(torch.ones(1, 4, 6), x[None], w[None]))
    show("einsum", lambda: torch.einsum("ij,jk->ik", x, w))
    show("tensordot", lambda: torch.tensordot(x, w, 1))
    show("float64", lambda: x.double() @ w.double())
    show("mixed", lambda: y @ w.t())
    show("mv", lambda: torch.mv(x, torch.ones(8)))
    show("dot", lambda: torch.dot(x[0], x[1]))
    show("out=", lambda: torch.matmul(x, w.detach(), out=torch.empty(4, 6)))
    show("conv2d", lambda: F.conv2d(image, kernel, torch.ones(3)))
    show("conv2d same", lambda: F.conv2d(image, kernel, padding="same"))
    show("conv_transpose2d", lambda: F.conv_transpose2d(image, kernel.transpose(0, 1)))
    show("attention", lambda: F.scaled_dot_product_attention(x[None], x[None], x[None]))
    show("add", lambda: y + x[:, :6])
    show("sum", lambda: y.sum())
    show("softmax", lambda: torch.softmax(y, -1))
    show("gelu", lambda: F.gelu(y))
    show("layer_norm", lambda: nn.LayerNorm(6)(y))
    show("batch_norm", lambda: nn.BatchNorm1d(6)(y))
    show("cat", lambda: torch.cat([x[:, :6], y]))
    show("stack", lambda: torch.stack([x[:, :6], y]))
    show("cross_entropy", lambda: F.cross_entropy(y, torch.tensor([0, 1, 2, 3])))
    show("nll_loss", lambda: F.nll_loss(F.log_softmax(y, -1), torch.tensor([0, 1, 2, 3])))
    show("mse_loss", lambda: F.mse_loss(y, x[:, :6]))
    show("smooth_l1_loss", lambda: F.smooth_l1_loss(y, y.flip(0)))
    show("binary_cross_entropy", lambda: F.binary_cross_entropy(torch.sigmoid(y), torch.zeros(4, 6)))
    show("with_logits", lambda: F.binary_cross_entropy_with_logits(y, torch.zeros(4, 6)))
    show("kl_div", lambda: F.kl_div(F.log_softmax(y, -1), torch.softmax(x[:, :6], -1), reduction="batchmean"))
    show("triplet", lambda: F.triplet_margin_loss(y, y.flip(0), y.flip(1)))
    show("prod", lambda: y.prod())
    show("trace", lambda: y.trace())
    show("quantile", lambda: torch.quantile(y, 0.5))
    show("cdist", lambda: torch.cdist(y, y))
    show("polar", lambda: torch.view_as_real(torch.polar(y.abs(), y)))
    show("bilinear", lambda: F.bilinear(x, x[:, :3], torch.linspace(-1, 1, 48).view(2, 8, 3), torch.ones(2)))
    show("bilinear short", lambda: F.bilinear(y, y, torch.linspace(-1, 1, 36).view(1, 6, 6).bfloat16()))
    m = torch.eye(3).bfloat16() * 2 + 0.5
    for name in ("inv", "cholesky", "eigvalsh", "eigvals", "svdvals", "qr", "cond", "matrix_rank", "det", "lu_factor"):
        show(f"linalg.{name}", lambda: getattr(torch.linalg, name)(m))
    show("linalg.solve", lambda: torch.linalg.solve(m, m))
    show("linalg.lstsq", lambda: torch.linalg.lstsq(m, m).solution)
    show("linalg.solve_triangular", lambda: torch.linalg.solve_triangular(m, m, upper=True))
    show("lu", lambda: torch.lu(m))
    show("cholesky_inverse", lambda: torch.cholesky_inverse(m))
    show("triangular_solve", lambda: torch.triangular_solve(m, m))
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "fftn", "rfftn", "irfftn"):
        show(f"fft.{name}", lambda: getattr(torch.fft, name)(m).abs())
    show("stft", lambda: torch.stft(m.view(-1), 4, return_complex=True, window=torch.ones(4)).abs())
    show("prelu", lambda: F.prelu(y, torch.tensor([0.1])))
    for mode in ("constant", "reflect", "replicate", "circular"):
        show(f"pad {mode}", lambda: F.pad(y[None], (1, 1), mode=mode))
    show("avg_pool3d", lambda: F.avg_pool3d(y[None, None], (1, 2, 2)))
    show("embedding", lambda: F.embedding(torch.tensor([0, 1]), w))
    torch.manual_seed(1)
    show("MultiheadAttention", lambda: nn.MultiheadAttention(8, 2)(x, x, x)[0])
    show("TransformerEncoderLayer", lambda: nn.TransformerEncoderLayer(8, 2, 16, 0.0)(x).abs())
    show("GRU", lambda: nn.GRU(8, 5)(x)[0])
    show("RNN", lambda: nn.RNN(8, 5)(x)[0])
    show("GRUCell", lambda: nn.GRUCell(8, 5)(x))
    show("LSTMCell", lambda: nn.LSTMCell(8, 5)(x)[0])


for dtype in (torch.bfloat16, torch.float16):
    with torch.autocast("cpu", dtype=dtype):
        print(dtype, torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"))
        everything()
        with torch.autocast("cpu", enabled=False):
            show("switched off", lambda: x @ w)
        loss = (x @ w).square().mean() + F.mse_loss(x @ w, x[:, :6])
    loss.backward()
    print(loss.dtype, w.grad.dtype, round(w.grad.sum().item(), 1))
    w.grad = None
print(torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"))


@torch.autocast("cpu")
def decorated():
    return (x @ w).dtype


print(decorated(), (x @ w).dtype)
with torch.autocast("cpu"):
    show("LSTM", lambda: nn.LSTM(8, 5)(x)[0].abs() > 2)
    a, b = x @ w, x @ w
print(a.grad_fn.next_functions[1][0] == b.grad_fn.next_functions[1][0])  # w was cast once
with torch.autocast("cpu", cache_enabled=False):
    a, b = x @ w, x @ w
print(a.grad_fn.next_functions[1][0] == b.grad_fn.next_functions[1][0])


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, a):
        ctx.save_for_backward(a)
        print("forward", a.dtype, (a @ a).dtype)
        return a @ a

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, g):
        a, = ctx.saved_tensors
        print("backward", (g @ a).dtype)
        return g @ a.t() + a.t() @ g


class Plain(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a @ a

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, g):
        a, = ctx.saved_tensors
        print("backward", (g @ a).dtype)
        return (g @ a.t() + a.t() @ g).float()


square = torch.eye(3, requires_grad=True)
with torch.autocast("cpu"):
    y = Product.apply(square)
    z = Plain.apply(square)
print(y.dtype, z.dtype)
y.sum().backward()
z.sum().backward()
print(square.grad.dtype, square.grad.sum())

seen = []


def segment(t):
    seen.append((t @ w).dtype)
    return (t @ w).relu()


with torch.autocast("cpu"):
    y = checkpoint(segment, x.clone().requires_grad_(), use_reentrant=False)
y.float().sum().backward()
print(seen)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autocast("cpu", dtype=torch.float64):
        print((x @ w).dtype)
    with torch.cpu.amp.autocast():
        print((x @ w).dtype)
    print([(str(c.message), c.category.__name__) for c in caught])
for bad in (lambda: torch.autocast(3), lambda: torch.autocast("nothing")):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
