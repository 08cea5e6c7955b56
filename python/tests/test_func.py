"""torch.func. What PyTorch prints in the same cases is compared in test_scripts.py (func_*.py)."""

import threading

import pytest

import taut as torch
from taut import func
from taut.func import (functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize,
                       stack_module_state, vjp, vmap)

x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.double)


def f(x):
    return (x.sin() * x**2).sum() + x.prod()


def test_derivatives_of_any_order_agree():
    want = torch.autograd.functional.hessian(f, x)
    for outer in (jacrev, jacfwd):
        for inner in (jacrev, jacfwd, grad):
            assert torch.allclose(outer(inner(f))(x), want)
    third = jacrev(jacrev(jacrev(f)))(x)
    for outer in (jacrev, jacfwd):
        assert torch.allclose(outer(hessian(f))(x), third)


def test_second_derivatives_are_the_same_by_rows_and_by_columns():
    def several(x, y):  # more rows than columns
        return {"a": torch.outer(x, y).sin(), "b": x.prod() * y.sum()}

    def one(x, y):
        return (x.prod() * y.exp()).sum()

    y = torch.tensor([0.3, 0.7], dtype=torch.double)
    for f in (several, one):
        for argnums in (0, 1, (0, 1), (1,)):
            found = torch.utils._pytree.tree_leaves(hessian(f, argnums)(x, y))
            for outer in (jacfwd, jacrev):
                want = torch.utils._pytree.tree_leaves(outer(jacrev(f, argnums), argnums)(x, y))
                assert len(found) == len(want) and all(torch.allclose(a, b) for a, b in zip(found, want))
    assert torch.allclose(vmap(hessian(one), (0, None))(torch.stack([x, -x]), y)[1], hessian(one)(-x, y))


def test_results_are_cut_off_unless_something_else_requires_grad():
    for result in (grad(f)(x), *grad_and_value(f)(x), jacrev(f)(x), hessian(f)(x), vjp(f, x)[0], *jvp(f, (x,), (x,)),
                   linearize(f, x)[0]):
        assert not result.requires_grad and result.grad_fn is None
    w = torch.ones(3, dtype=torch.double, requires_grad=True)
    for result in (grad(f)(w), *grad_and_value(f)(w), jacrev(f)(w), hessian(f)(w), vjp(f, w)[0], *jvp(f, (w,), (x,))):
        assert result.requires_grad


def test_gradient_through_a_transform_reaches_outer_leaves():
    w = torch.tensor(3.0, requires_grad=True)
    inner = grad(lambda a: w * a**3)(torch.tensor(2.0))  # 3 w a^2
    inner.backward()
    assert w.grad.item() == 12


def test_inputs_and_modes_are_left_alone():
    y = x.clone()
    grad(f)(y)
    assert not y.requires_grad and y.grad is None and torch.is_grad_enabled()
    with torch.no_grad():
        assert torch.allclose(grad(f)(x), grad(f)(y))
        assert not torch.is_grad_enabled()
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: 1 / 0)(x)
    assert torch.is_grad_enabled()


def test_no_grad_inside_of_the_function_counts():
    def g(x):
        with torch.no_grad():
            c = x**2
        return (x * c).sum()

    assert torch.allclose(grad(g)(x), x**2)


def test_wrapper_keeps_the_name():
    assert grad(f).__name__ == "f" == vmap(f).__name__ == jacrev(f).__name__


def test_vjp_function_may_be_called_again_and_differentiated():
    _, back = vjp(lambda x: x**2, x)
    assert torch.allclose(back(x)[0], 2 * x * x)
    assert torch.allclose(back(x)[0], back(x)[0])
    assert torch.allclose(jacrev(lambda v: back(v)[0])(x), torch.diag(2 * x))


def test_linearize_runs_the_function_once():
    calls = []

    def g(x):
        calls.append(1)
        return x * x

    _, forward = linearize(g, x)
    assert torch.allclose(forward(x), 2 * x * x) and torch.allclose(forward(2 * x), 4 * x * x)
    assert calls == [1]


def test_transforms_in_threads():
    want, found = hessian(f)(x), [None] * 4

    def work(i):
        for _ in range(5):
            found[i] = hessian(f)(x)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(torch.allclose(h, want) for h in found)


def test_custom_function_inside_of_transforms():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * ctx.saved_tensors[0] * g

    g = lambda x: Square.apply(x).sum()  # noqa: E731
    assert torch.allclose(hessian(g)(x), 2 * torch.eye(3, dtype=torch.double))
    assert torch.allclose(vmap(grad(g))(x.unsqueeze(0)), 2 * x)


def test_vmap_of_a_module_gives_a_gradient_for_each_sample():
    torch.manual_seed(0)
    net = torch.nn.Linear(3, 1)
    parameters = {k: v.detach() for k, v in net.named_parameters()}
    samples = torch.randn(4, 3)
    grads = vmap(grad(lambda p, s: functional_call(net, p, (s,)).sum() ** 2), in_dims=(None, 0))(parameters, samples)
    for i, s in enumerate(samples):
        net.zero_grad()
        (net(s).sum() ** 2).backward()
        assert torch.allclose(grads["weight"][i], net.weight.grad) and torch.allclose(grads["bias"][i], net.bias.grad)


def test_vmap_writes_through_to_its_input():
    m = torch.zeros(2, 3)
    vmap(lambda row: row.add_(1))(m)
    assert m.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_vmap_error_leaves_the_random_numbers_alone():
    torch.manual_seed(0)
    want = torch.rand(2)
    torch.manual_seed(0)
    with pytest.raises(RuntimeError, match="randomness"):
        vmap(lambda a: a + torch.rand(3))(torch.zeros(2, 3))
    assert torch.equal(torch.rand(2), want)


def test_vmap_randomness():
    torch.manual_seed(0)
    different = vmap(lambda a: a + torch.rand(3), randomness="different")(torch.zeros(2, 3))
    assert not torch.equal(different[0], different[1])
    same = vmap(lambda a: a + torch.rand(3), randomness="same")(torch.zeros(2, 3))
    assert torch.equal(same[0], same[1])


def test_vmap_says_what_the_function_sees():
    assert "func is called once" in vmap.__doc__


def test_named_tuples_and_lists_keep_their_type():
    from collections import namedtuple

    Pair = namedtuple("Pair", ["a", "b"])
    g = grad(lambda p: (p.a * p.b).sum())(Pair(x, 2 * x))
    assert type(g) is Pair and torch.equal(g.a, 2 * x)
    assert type(vmap(lambda a: [a, a])(x)) is list


def test_functional_call_restores_parameters_after_an_error():
    net = torch.nn.Linear(3, 1)
    own = net.weight
    with pytest.raises(RuntimeError):
        functional_call(net, {"weight": torch.ones(1, 3)}, (torch.ones(5),))
    assert net.weight is own


def test_stacked_models_of_different_modes_are_refused():
    with pytest.raises(RuntimeError, match="same training/eval mode"):
        stack_module_state([torch.nn.Linear(1, 1), torch.nn.Linear(1, 1).eval()])


def test_missing_name_is_given_in_full():
    with pytest.raises(AttributeError, match="torch.func.debug_unwrap is not part of Taut"):
        torch.func.debug_unwrap


def test_vmap_over_nothing_gives_nothing_of_the_right_shape():
    assert vmap(lambda x: x * 2)(torch.rand(0, 3)).shape == (0, 3)
    assert vmap(lambda x: x.sum(), in_dims=1)(torch.zeros(3, 0)).shape == (0,)
    a, b = vmap(lambda x, y: (x + y, x.sum()), in_dims=(0, None), out_dims=(1, 0))(torch.zeros(0, 3), torch.ones(3))
    assert (a.shape, b.shape) == ((3, 0), (0,))


def test_transforms_refuse_dtypes_that_have_no_derivative_and_jacobians_complex_numbers():
    x, whole, c = torch.tensor([1.0, 2.0]), torch.tensor([1, 2]), torch.tensor([1j, 2.0])

    def twice(x):
        return x * 2

    for call in (lambda: func.grad(lambda x: x.sum())(whole), lambda: func.grad(lambda a, b: (a * b).sum(), argnums=1)(x, whole),
                 lambda: func.vjp(twice, whole), lambda: func.jacrev(twice)(whole)):
        with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require gradients"):
            call()
    for call in (lambda: func.jvp(twice, (whole,), (whole,)), lambda: func.jacfwd(twice)(whole), lambda: func.linearize(twice, whole)):
        with pytest.raises(ValueError, match="Expected primal to be floating point or complex"):
            call()
    for call in (lambda: func.vjp(torch.Tensor.int, x), lambda: func.jacrev(torch.Tensor.int)(x)):
        with pytest.raises(RuntimeError, match="All outputs of f must be floating-point or complex"):
            call()
    for transform in (func.jacrev, func.jacfwd):
        with pytest.raises(RuntimeError, match="all inputs to be real"):
            transform(twice)(c)
        with pytest.raises(RuntimeError, match="all outputs to be real"):
            transform(lambda x: x * 1j)(x)
    assert func.jacfwd(torch.Tensor.int)(x).tolist() == [[0, 0], [0, 0]]
    assert func.grad(lambda c: c.abs().sum())(c).tolist() == [1j, 1]
