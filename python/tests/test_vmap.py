"""vmap by batching rules: what PyTorch documents, with its messages and numbers."""

import warnings

import pytest

import taut as torch
from taut.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap

x = torch.arange(6.0).view(3, 2)


def by_items(f, *args, in_dims=0):
    """The same without vmap."""
    if isinstance(in_dims, int):
        in_dims = (in_dims,) * len(args)
    count = next(a.shape[d] for a, d in zip(args, in_dims) if d is not None)
    return torch.stack([f(*(a if d is None else a.select(d, i) for a, d in zip(args, in_dims))) for i in range(count)])


def test_the_function_is_called_once_and_sees_items():
    calls = []

    def f(a):
        calls.append((a.shape, a.dim(), a.stride(), len(a), a.numel(), a.is_contiguous()))
        return a * 2

    assert torch.equal(vmap(f)(x), x * 2)
    assert calls == [(torch.Size([2]), 1, (1,), 2, 2, True)]


def test_products_of_every_kind():
    torch.manual_seed(0)
    w, v, m = torch.randn(4, 2), torch.randn(3, 2), torch.randn(3, 2, 5)
    for f, args, dims in ((torch.dot, (x, v), 0), (torch.dot, (x, v[0]), (0, None)), (lambda a: w @ a, (x,), 0),
                          (torch.mv, (w, x), (None, 0)), (torch.matmul, (x, m), 0), (torch.matmul, (m.mT, x), 0),
                          (torch.matmul, (m.mT, w.t()), (0, None)), (torch.matmul, (w, m), (None, 0)),
                          (torch.outer, (x, v), 0), (torch.nn.functional.linear, (m.mT, w), (0, None))):
        assert torch.allclose(vmap(f, in_dims=dims)(*args), by_items(f, *args, in_dims=dims), atol=1e-6)


def test_in_dims_and_out_dims():
    y = torch.randn(2, 3, 4)
    assert torch.equal(vmap(lambda a: a.sum(0), in_dims=1)(y), y.sum(0))
    assert torch.equal(vmap(lambda a: a * 1, in_dims=-1, out_dims=-1)(y), y)
    assert torch.equal(vmap(lambda a: a * 1, out_dims=1)(y), y.movedim(0, 1))
    assert vmap(lambda a, b: (a, b), in_dims=(0, None), out_dims=(0, None))(y, x)[1].shape == x.shape
    assert torch.equal(vmap(lambda d, a: d["k"] + a, in_dims=({"k": 0}, None))({"k": x}, x[0]), x + x[0])
    assert torch.equal(vmap(lambda a, s: a * s, in_dims=(0, None))(x, 3), x * 3)
    assert torch.equal(vmap(lambda a: x[0] * 1)(x), x[0].expand(3, 2))
    assert vmap(lambda a: {"a": [a, (a, a)]})(x)["a"][1][0].shape == (3, 2)


def test_nesting():
    y = torch.randn(4, 5)
    assert torch.allclose(vmap(vmap(torch.mul, in_dims=(None, 0)), in_dims=(0, None))(y[:, 0], y[0]),
                          torch.outer(y[:, 0], y[0]))
    z = torch.randn(3, 4, 5)
    assert torch.allclose(vmap(vmap(vmap(torch.sin)))(z), z.sin())
    assert torch.allclose(vmap(vmap(torch.sum, in_dims=1), in_dims=2)(z), z.sum(0).t())


def test_composing_with_derivatives():
    y = torch.randn(5, 3, dtype=torch.double)
    f = lambda a: (a.sin() * a**2).sum() + a.prod()  # noqa: E731
    assert torch.allclose(vmap(grad(f))(y), by_items(grad(f), y))
    assert torch.allclose(vmap(hessian(f))(y), by_items(hessian(f), y))
    assert torch.allclose(vmap(jacrev(jacfwd(f)))(y), by_items(hessian(f), y))
    assert torch.allclose(grad(lambda a: vmap(f)(a).sum())(y), by_items(grad(f), y))
    assert torch.allclose(vmap(lambda a: jvp(f, (a,), (a,))[1])(y), by_items(lambda a: jvp(f, (a,), (a,))[1], y))
    assert torch.allclose(jvp(vmap(f), (y,), (y,))[1], by_items(lambda a: jvp(f, (a,), (a,))[1], y))
    _, back = vjp(torch.sin, y[0])
    assert torch.allclose(vmap(back)(torch.eye(3, dtype=torch.double))[0], torch.diag(y[0].cos()))
    assert torch.allclose(vmap(lambda v: vjp(torch.sin, y[0])[1](v)[0])(y), y * y[0].cos())


def test_gradients_of_what_is_shared():
    w = torch.randn(2, requires_grad=True)
    (g,) = torch.autograd.grad(vmap(lambda a: (w * a).sum())(x).sum(), w)
    assert torch.allclose(g, x.sum(0))
    assert torch.allclose(vmap(grad(lambda p, a: (p * a).sum()), in_dims=(None, 0))(w.detach(), x), x)
    # of what does not depend on the item at all
    (g,) = torch.autograd.grad(vmap(lambda a: (w * 2).sum())(x).sum(), w)
    assert torch.allclose(g, torch.full((2,), 6.0))
    y = torch.randn(3, 2, requires_grad=True)
    vmap(lambda a: (a * w).sum())(y).sum().backward()
    assert torch.allclose(w.grad, y.detach().sum(0)) and torch.allclose(y.grad, w.detach().expand(3, 2))


def test_per_sample_gradients_of_a_module():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))
    samples, targets = torch.randn(6, 4), torch.randint(0, 3, (6,))
    parameters = {k: v.detach() for k, v in net.named_parameters()}

    def loss(p, a, t):
        y = functional_call(net, p, (a.unsqueeze(0),))
        return torch.nn.functional.cross_entropy(y, t.unsqueeze(0))

    found = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, samples, targets)
    for i in range(6):
        for name, g in grad(loss)(parameters, samples[i], targets[i]).items():
            assert torch.allclose(found[name][i], g, atol=1e-6), name


def test_convolutions_norms_and_pools_per_sample():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3), torch.nn.GroupNorm(2, 4), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                              torch.nn.Flatten(), torch.nn.Linear(16, 3), torch.nn.LayerNorm(3), torch.nn.LogSoftmax(-1))
    samples = torch.randn(5, 2, 6, 6)
    parameters = {k: v.detach() for k, v in net.named_parameters()}

    def loss(p, a):
        return functional_call(net, p, (a.unsqueeze(0),))[0, 1]

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # all of these have batching rules
        found = vmap(grad(loss), in_dims=(None, 0))(parameters, samples)
    for i in range(5):
        for name, g in grad(loss)(parameters, samples[i]).items():
            assert torch.allclose(found[name][i], g, atol=1e-5), name


def test_ensembles():
    torch.manual_seed(0)
    models = [torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)) for _ in range(3)]
    parameters, buffers = stack_module_state(models)
    data, minibatches = torch.randn(7, 4), torch.randn(3, 7, 4)

    def call(p, b, d):
        return functional_call(models[0], (p, b), (d,))

    same = vmap(call, in_dims=(0, 0, None))(parameters, buffers, data)
    apart = vmap(call)(parameters, buffers, minibatches)
    for i, m in enumerate(models):
        assert torch.allclose(same[i], m(data), atol=1e-6) and torch.allclose(apart[i], m(minibatches[i]), atol=1e-6)


def test_writing_in_place():
    y = x.clone()
    vmap(lambda a: a.add_(1).mul_(a))(y)
    assert torch.equal(y, (x + 1) * (x + 1))

    def f(a):
        b = torch.zeros_like(a)
        b[0] = a[1]
        b[1:].copy_(a[:1])
        return b

    assert torch.equal(vmap(f)(x), x.flip(1))
    z = torch.randn(3, 2, requires_grad=True)
    vmap(lambda a: (a * 2).exp_().sum())(z).sum().backward()
    assert torch.allclose(z.grad, 2 * (2 * z.detach()).exp())


MESSAGE = ("vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
           "extra_args that has more elements than `self`. This happened due to `other` being vmapped over but `self` "
           "not being vmapped over in a vmap. Please try to use out-of-place operators instead of inplace arithmetic.")


@pytest.mark.parametrize("write", [lambda o, a: o.copy_(a), lambda o, a: o.add_(a), lambda o, a: o.__setitem__(0, a[0])])
def test_what_is_shared_cannot_be_written_with_what_is_not(write):
    with pytest.raises(RuntimeError) as e:
        vmap(lambda a: write(torch.zeros(2), a))(x)
    assert MESSAGE in str(e.value)


@pytest.mark.parametrize("f, message", [
    (lambda a: a.sum().item(), "vmap: It looks like you're calling .item() on a Tensor."),
    (lambda a: float(a.sum()), "vmap: It looks like you're calling .item() on a Tensor."),
    (lambda a: a if a.sum() > 0 else -a, "vmap: It looks like you're attempting to use a Tensor in some data-dependent "
                                        "control flow."),
    (lambda a: a.nonzero(), "vmap: We do not support batching operators that can output dynamic shape."),
    (lambda a: a[a > 0], "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
                         "batch over indexing with a boolean mask."),
    (lambda a: a.masked_select(a > 0), "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask)"),
    (lambda a: a.tolist(), "Cannot access data pointer of Tensor that doesn't have storage"),
    (lambda a: torch.zeros(2).fill_(a[0]), "vmap: fill_(self, *extra_args) is not possible"),
    (lambda a: torch.zeros(2).index_put_((torch.tensor([0]),), a[:1]), "vmap: index_put_(self, *extra_args)"),
    (lambda a: torch.nn.functional.one_hot(a.long()), "please provide an explicit positive num_classes argument"),
])
def test_what_an_item_cannot_do(f, message):
    with pytest.raises(Exception) as e:
        vmap(f)(x)
    assert message in str(e.value)


def test_numbers_that_are_the_same_for_all_items_can_be_read():
    assert torch.equal(vmap(lambda a: a * torch.tensor(2.0).item())(x), x * 2)


def test_random_numbers_are_those_of_pytorch():
    def draw(mode):
        torch.manual_seed(0)
        return vmap(lambda a: (torch.rand(2), torch.randn_like(a), torch.randperm(3)), randomness=mode)(x)

    rand, randn, perm = draw("same")
    assert torch.allclose(rand, torch.tensor([[0.4963, 0.7682]] * 3), atol=1e-4)
    assert (randn == randn[0]).all() and (perm == perm[0]).all()
    rand, randn, perm = draw("different")
    assert torch.allclose(rand, torch.tensor([[0.4963, 0.7682], [0.0885, 0.1320], [0.3074, 0.6341]]), atol=1e-4)
    torch.manual_seed(3)
    found = vmap(lambda a: torch.multinomial(a, 1), randomness="different")(torch.full((3, 2), 0.5))
    assert found.tolist() == [[0], [1], [1]]
    torch.manual_seed(3)
    assert vmap(lambda a: torch.randint(0, 9, (2,)), randomness="different")(x).tolist() == [[4, 5], [1, 3], [1, 3]]


@pytest.mark.parametrize("mode", ["same", "different"])
def test_dropout(mode):
    ones = torch.ones(50, 8)
    torch.manual_seed(0)
    y = vmap(lambda a: torch.nn.functional.dropout(a, 0.5), randomness=mode)(ones)
    assert set(y.unique().tolist()) == {0.0, 2.0}
    assert (y == y[0]).all().item() == (mode == "same")


def test_random_numbers_are_refused():
    with pytest.raises(RuntimeError, match="vmap: called random operation while in randomness error mode"):
        vmap(lambda a: torch.nn.functional.dropout(a))(x)
    with pytest.raises(RuntimeError, match="Cannot ask for different inplace randomness on an unbatched tensor"):
        vmap(lambda a: torch.empty(2).normal_(), randomness="different")(x)
    with pytest.raises(RuntimeError, match="Vmap does not currently support same randomness with a batched tensor"):
        vmap(lambda a: torch.bernoulli(a), randomness="same")(torch.full((3, 2), 0.5))


def test_chunks():
    calls = []

    def f(a):
        calls.append(1)
        return a.sum(), a

    total, same = vmap(f, out_dims=(0, 1), chunk_size=2)(x)
    assert len(calls) == 2 and torch.equal(total, x.sum(1)) and torch.equal(same, x.t())


def test_indexing():
    torch.manual_seed(0)
    y, i, j = torch.randn(3, 4, 5), torch.randint(0, 4, (3, 2)), torch.randint(0, 5, (3, 2))
    for f, args, dims in ((lambda a, k: a[k], (y, i), 0), (lambda a, k: a[:, k], (y, j), 0),
                          (lambda a, k: a[k], (y[0], i), (None, 0)), (lambda a, k: a[k], (y, i[0]), (0, None)),
                          (lambda a, k, m: a[k, m], (y, i, j), 0), (lambda a, k: a[k[0]], (y, i), 0),
                          (lambda a, k: a[..., k], (y, j[0]), (0, None)), (lambda a, k: a.index_select(0, k), (y, i), 0),
                          (lambda a, k: a.gather(0, k.unsqueeze(1)), (y, i), 0), (lambda a, k: a.take(k), (y, i), 0),
                          (lambda a, k: a.scatter(0, k.unsqueeze(1), 1.0), (y, i), 0),
                          (lambda a, k: torch.nn.functional.embedding(k, a), (y, i), 0),
                          (lambda a, k: torch.nn.functional.embedding(k, a), (y[0], i), (None, 0)),
                          (lambda a, k: a.index_add(0, k, a[:2]), (y, i), 0)):
        assert torch.equal(vmap(f, in_dims=dims)(*args), by_items(f, *args, in_dims=dims))


def test_printing():
    shown = []
    vmap(vmap(lambda a: (shown.append(repr(a)), a)[1]))(x)
    assert shown[0].startswith("BatchedTensor(lvl=2, bdim=0, value=\n    BatchedTensor(lvl=1, bdim=0, value=\n        tensor(")


class Square(torch.autograd.Function):
    calls = []

    @staticmethod
    def forward(a):
        return a * a

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g

    @staticmethod
    def vmap(info, in_dims, a):
        Square.calls.append((info.batch_size, info.randomness, in_dims, tuple(a.shape)))
        return Square.apply(a), in_dims[0]


class Generated(torch.autograd.Function):
    generate_vmap_rule = True
    forward, setup_context, backward = Square.forward, Square.setup_context, Square.backward


@pytest.mark.parametrize("kind", [Square, Generated])
def test_custom_functions(kind):
    Square.calls.clear()
    assert torch.equal(vmap(kind.apply)(x), x * x)
    assert torch.equal(vmap(grad(lambda a: kind.apply(a).sum()))(x), 2 * x)
    assert torch.equal(grad(lambda a: vmap(kind.apply)(a).sum())(x), 2 * x)
    assert torch.equal(vmap(vmap(kind.apply))(x), x * x)
    assert kind is Generated or Square.calls[0] == (3, "error", (0,), (3, 2))


def test_jacobians():
    y = torch.randn(4, dtype=torch.double)
    f = lambda a: torch.stack([a.sin().sum(), a.prod(), (a**3)[0]])  # noqa: E731
    want = torch.stack([y.cos(), y.prod() / y, torch.tensor([3.0, 0, 0, 0], dtype=torch.double) * y**2])
    for transform in (jacrev, jacfwd):
        assert torch.allclose(transform(f)(y), want)
    assert torch.allclose(jacrev(f, chunk_size=2)(y), want)
    for strategy in ("reverse-mode", "forward-mode"):
        assert torch.allclose(torch.autograd.functional.jacobian(f, y, vectorize=True, strategy=strategy), want)
    z = y.clone().requires_grad_()
    (rows,) = torch.autograd.grad(f(z), z, torch.eye(3, dtype=torch.double), is_grads_batched=True)
    assert torch.allclose(rows, want)
    g = lambda a: (a.exp() * a.sum()).prod()  # noqa: E731
    want = torch.autograd.functional.hessian(g, y)
    assert torch.allclose(hessian(g)(y), want)
    for strategy in ("reverse-mode", "forward-mode"):
        assert torch.allclose(torch.autograd.functional.hessian(g, y, vectorize=True, outer_jacobian_strategy=strategy),
                              want)


def test_a_backward_after_vmap_was_left():
    y = torch.randn(3, 2, requires_grad=True)
    total = vmap(lambda a: (a.exp() * a).sum())(y)
    total.sum().backward()
    want = y.detach().exp() * (1 + y.detach())
    assert torch.allclose(y.grad, want)


def test_attention_and_recurrence():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
    y = torch.randn(3, 2, 5, 8)
    assert torch.allclose(vmap(layer)(y), torch.stack([layer(a) for a in y]), atol=1e-5)
    lstm = torch.nn.LSTM(4, 6, 2, batch_first=True)
    z = torch.randn(3, 2, 5, 4)
    assert torch.allclose(vmap(lambda a: lstm(a)[0])(z), torch.stack([lstm(a)[0] for a in z]), atol=1e-6)


def test_an_op_without_a_rule_says_so_once():
    y = torch.randn(4, 10)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = [vmap(lambda a: torch.histc(a, 3, -1, 1))(y) for _ in range(2)][0]
    assert torch.equal(found, by_items(lambda a: torch.histc(a, 3, -1, 1), y))
    slow = [str(w.message) for w in caught if "There is a performance drop" in str(w.message)]
    assert len(slow) <= 1 and all("because we have not yet implemented the batching rule for aten::" in m for m in slow)


def chains():
    """Chains of layers with a formula for the gradient of each sample, and some that must go another way."""
    nn = torch.nn
    frozen, shared = nn.Sequential(nn.Linear(8, 6), nn.Tanh(), nn.Linear(6, 4)), nn.Linear(8, 8)
    frozen[0].requires_grad_(False)
    hooked = nn.Sequential(nn.Linear(8, 4))
    hooked[0].register_forward_hook(lambda m, x, y: y * 2)
    images, words = torch.randn(5, 2, 8, 8), torch.randint(9, (5, 6))
    yield nn.Sequential(nn.Linear(8, 6), nn.GELU(), nn.LayerNorm(6), nn.Linear(6, 4, bias=False)), torch.randn(5, 3, 8), (3, 4), True
    yield nn.Sequential(nn.Conv2d(2, 3, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(3, 4, 2, dilation=2), nn.Flatten(), nn.Linear(16, 4)), \
        images, (4,), True
    yield nn.Sequential(nn.Embedding(9, 4, padding_idx=2), nn.Sequential(nn.LayerNorm((6, 4)), nn.Flatten()), nn.Linear(24, 4)), words, (4,), True
    yield nn.Linear(8, 4), torch.randn(5, 8), (4,), True
    yield frozen, torch.randn(5, 8), (4,), True
    yield nn.Sequential(nn.Conv2d(2, 4, 3, groups=2), nn.Flatten()), images, (144,), False
    yield nn.Sequential(shared, nn.Tanh(), shared), torch.randn(5, 8), (8,), False
    yield hooked, torch.randn(5, 8), (4,), False
    yield nn.Sequential(nn.Linear(8, 4), nn.Softmax(0)), torch.randn(5, 8), (4,), False


@pytest.mark.parametrize("case", range(9))
def test_per_sample_gradients_by_formulas_are_those_by_vmap(case):
    from taut.func import per_sample

    torch.manual_seed(case)
    net, x, shape, by_formulas = list(chains())[case]
    y = torch.randn(5, *shape)
    assert (per_sample._chain(net, (x, y)) is not None) == by_formulas

    def one(p, x, y):
        return torch.nn.functional.mse_loss(functional_call(net, p, (x.unsqueeze(0),)), y.unsqueeze(0))

    want = vmap(grad(one), (None, 0, 0))({name: p.detach() for name, p in net.named_parameters()}, x, y)
    found = torch.nn.per_sample_grad(net, torch.nn.functional.mse_loss)(x, y)
    assert list(found) == list(want)
    for name in want:
        torch.testing.assert_close(found[name], want[name], rtol=1e-5, atol=1e-6)
    assert all(p.grad is None for p in net.parameters())
