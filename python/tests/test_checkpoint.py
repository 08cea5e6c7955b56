"""torch.utils.checkpoint: what is computed again is what was computed first, and nothing else is kept."""

import pytest

import taut as torch
from taut.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential, set_checkpoint_early_stop


def leaf(n=2):
    return torch.ones(n, requires_grad=True)


def twice(f, *xs):
    """The gradients of f and of its checkpoint."""
    found = []
    for g in (f, lambda *a: checkpoint(f, *a, use_reentrant=False)):
        torch.manual_seed(0)
        found.append(torch.autograd.grad(g(*xs).sum(), xs, allow_unused=True))
    return found


@pytest.mark.parametrize("f", [lambda x: x.exp().sin(), lambda x: torch.nn.functional.dropout(x.exp(), 0.5).sin(),
                               lambda x: x.clone().mul_(2).exp_().sin(), lambda x: (x[0] * x).cumsum(0).tanh()])
def test_gradients_are_those_of_the_function(f):
    a, b = twice(f, leaf(9))
    assert torch.equal(a[0], b[0])


def test_a_hook_fires_once_and_only_for_its_own_tensor():
    seen = []

    def f(x):
        a = x * 2
        a.register_hook(lambda g: seen.append("inside"))
        return a.exp(), a.sin()

    p, q = checkpoint(f, leaf(), use_reentrant=False)
    p.register_hook(lambda g: seen.append("p"))
    q.register_hook(lambda g: seen.append("q"))
    p.sum().backward(retain_graph=True)
    assert seen == ["p", "inside"]
    q.sum().backward()
    assert seen == ["p", "inside", "q", "inside"]


def test_a_hook_may_call_backward_of_another_output():
    x = leaf()
    a, b = checkpoint(lambda z: (z.exp(), z.sin()), x, use_reentrant=False)
    loss = b.sum()
    a.register_hook(lambda g: loss.backward(retain_graph=True))
    a.sum().backward()
    assert torch.allclose(x.grad, (x.exp() + x.cos()).detach())


def changing(first, later):
    calls = []

    def f(x):
        calls.append(1)
        return (first if len(calls) == 1 else later)(x)

    return f


def test_another_number_of_saved_tensors_is_an_error():
    fewer = changing(lambda x: x.exp().sin().cos(), lambda x: x.exp())
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        checkpoint(fewer, leaf(), use_reentrant=False).sum().backward()
    more = changing(lambda x: x.exp(), lambda x: x.exp().sin().cos())
    with set_checkpoint_early_stop(False):
        y = checkpoint(more, leaf(), use_reentrant=False)
    with pytest.raises(CheckpointError, match="trying to save more tensors"):
        y.sum().backward()


def test_another_shape_is_an_error():
    f = changing(lambda x: x.exp().sin(), lambda x: x[:1].exp().sin())
    with pytest.raises(CheckpointError, match="different metadata"):
        checkpoint(f, leaf(), use_reentrant=False).sum().backward()


def test_an_argument_that_was_overwritten_is_an_error():
    h = leaf() * 2
    y = checkpoint(lambda z: z.exp().sin(), h, use_reentrant=False)
    with torch.no_grad():
        h.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_segment_that_uses_tensors_from_outside_keeps_nothing():
    x = leaf()
    outside = x * 3
    runs = []

    def f(z):
        runs.append(1)
        return (z * outside).exp().sin()

    y = checkpoint(f, x, use_reentrant=False)
    y.sum().backward()
    assert len(runs) == 2, "nothing was computed again: everything had been kept"
    want, = torch.autograd.grad(((x * (x * 3)).exp().sin()).sum(), x)
    assert torch.allclose(x.grad, want)


def test_gradients_of_gradients_and_a_second_backward():
    x = leaf()
    y = checkpoint(lambda z: (z * z).exp(), x, use_reentrant=False)
    g, = torch.autograd.grad(y.sum(), x, create_graph=True)
    h, = torch.autograd.grad(g.sum(), x, retain_graph=True)
    assert torch.allclose(h, (2 + 4 * x * x).detach() * (x * x).exp().detach())
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert torch.allclose(x.grad, 2 * g.detach())


def test_checkpoints_within_checkpoints():
    def inner(z):
        return z.sin().exp()

    def outer(z):
        return checkpoint(inner, checkpoint(inner, z * 2, use_reentrant=False).cos(), use_reentrant=False) * z

    x = leaf()
    a, = torch.autograd.grad(checkpoint(outer, x, use_reentrant=False).sum(), x)
    b, = torch.autograd.grad((inner(inner(x * 2).cos()) * x).sum(), x)
    assert torch.equal(a, b)


def test_arguments_by_name_and_constants_go_through():
    x, w = leaf(), leaf()
    y = checkpoint(lambda a, *, b, c=None: (a * b["k"]).exp() * w if c is None else a, torch.ones(2), b={"k": x * 2},
                   use_reentrant=False)
    y.sum().backward()
    assert torch.allclose(w.grad, torch.full((2,), 2.0).exp()) and torch.allclose(x.grad, 2 * w.grad)


def test_a_sequence_in_segments():
    m = torch.nn.Sequential(*[torch.nn.Linear(3, 3) for _ in range(4)])
    x = torch.ones(1, 3, requires_grad=True)
    a, = torch.autograd.grad(checkpoint_sequential(m, 2, x, use_reentrant=False).sum(), x)
    b, = torch.autograd.grad(m(x).sum(), x)
    assert torch.equal(a, b)
