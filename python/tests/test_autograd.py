"""Gradients from Python. What PyTorch prints in the same cases is compared in test_scripts.py (autograd_*.py)."""

import copy
import gc
import pickle
import threading
import traceback
import warnings
import weakref

import pytest

import taut as torch
from taut.autograd import Function, graph
from taut.autograd.gradcheck import GradcheckError


def leaf(*values):
    return torch.tensor([float(v) for v in values or (1, 2, 3)], requires_grad=True)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


class Marker:
    """Something a weak reference can watch."""


# Reference cycles: Python's collector must find them.


def hook_of_a_leaf():
    x, m = leaf(), Marker()
    x.register_hook(lambda g, x=x, m=m: None)
    return m


def hook_of_a_result():
    y, m = leaf() * 2, Marker()
    y.register_hook(lambda g, y=y, m=m: None)
    return m


def post_accumulate_hook():
    x, m = leaf(), Marker()
    x.register_post_accumulate_grad_hook(lambda p, x=x, m=m: None)
    return m


def hook_of_a_node():
    y, m = leaf() * 2, Marker()
    y.grad_fn.register_hook(lambda a, b, y=y, m=m: None)
    return m


def prehook_of_a_node():
    y, m = leaf() * 2, Marker()
    y.grad_fn.register_prehook(lambda a, y=y, m=m: None)
    return m


def attribute_of_a_tensor():
    x = torch.ones(2)
    x.itself, x.marker = x, Marker()
    return x.marker


def ctx_that_holds_its_output():
    contexts = []

    class Holds(Square):
        @staticmethod
        def forward(ctx, x):
            contexts.append(ctx)
            return x * 2

    y = Holds.apply(leaf())
    ctx = contexts.pop()
    ctx.output, ctx.marker = y, Marker()
    return ctx.marker


def ctx_that_holds_a_later_result():
    contexts = []

    class Holds(Square):
        @staticmethod
        def forward(ctx, x):
            contexts.append(ctx)
            return x * 2

    z = (Holds.apply(leaf()) * 2).sum()
    ctx = contexts.pop()
    ctx.output, ctx.marker = z, Marker()
    return ctx.marker


def object_that_holds_its_graph():
    m = Marker()
    m.x = leaf()
    m.y, m.itself = Square.apply(m.x) * 3, m
    return m


def hook_that_raised():
    x, m = leaf(), Marker()
    y = x * 2

    def fails(g):
        raise ValueError(m)

    y.register_hook(fails)
    with pytest.raises(ValueError):
        y.sum().backward()
    return m


def module_with_hooks():
    net = torch.nn.Linear(2, 2)
    net.marker = Marker()
    net.register_full_backward_hook(lambda module, a, b: None)
    net.weight.register_hook(lambda g, net=net: None)
    net(torch.ones(1, 2)).sum().backward()
    return net.marker


@pytest.mark.parametrize("make", [hook_of_a_leaf, hook_of_a_result, post_accumulate_hook, hook_of_a_node,
                                  prehook_of_a_node, attribute_of_a_tensor, ctx_that_holds_its_output,
                                  ctx_that_holds_a_later_result,
                                  object_that_holds_its_graph, hook_that_raised, module_with_hooks])
def test_cycle_is_collected(make):
    watch = weakref.ref(make())
    gc.collect()
    assert watch() is None


def test_graph_without_a_cycle_is_freed_at_once():
    class Marked(Square):
        @staticmethod
        def forward(ctx, x):
            ctx.marker = Marker()
            return x * 2

    gc.disable()
    try:
        y = Marked.apply(leaf())
        watch = weakref.ref(y.grad_fn.marker)
        assert watch() is not None
        del y
        assert watch() is None
    finally:
        gc.enable()


def test_hook_is_freed_when_it_is_removed():
    x, m = leaf(), Marker()
    handle = x.register_hook(lambda g, m=m: None)
    watch = weakref.ref(m)
    del m
    handle.remove()
    handle.remove()  # a second time does nothing
    assert watch() is None


def test_collecting_while_a_graph_is_in_use_keeps_it():
    x = leaf()
    y = Square.apply(x)
    y.itself = y
    z = (y * 2).sum()
    del y
    for _ in range(3):
        gc.collect()
    z.backward()
    assert x.grad.tolist() == [4, 8, 12]


# Exceptions.


def deepest(error):
    return traceback.extract_tb(error.__traceback__)[-1].name


def test_exception_of_backward_travels_unchanged_with_its_traceback():
    class Mine(Exception):
        pass

    thrown = Mine("boom", 3)

    class Raises(Square):
        @staticmethod
        def backward(ctx, g):
            def innermost():
                raise thrown

            innermost()

    with pytest.raises(Mine) as caught:
        Raises.apply(leaf() * 1).sum().backward()
    assert caught.value is thrown
    assert deepest(caught.value) == "innermost"


def test_exception_has_its_cause():
    class Raises(Square):
        @staticmethod
        def backward(ctx, g):
            try:
                {}["missing"]
            except KeyError as error:
                raise RuntimeError("outer") from error

    with pytest.raises(RuntimeError, match="outer") as caught:
        Raises.apply(leaf()).sum().backward()
    assert isinstance(caught.value.__cause__, KeyError)


def test_exception_of_forward_leaves_no_mode_behind():
    class Raises(Square):
        @staticmethod
        def forward(ctx, x):
            assert not torch.is_grad_enabled()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Raises.apply(leaf())
    assert torch.is_grad_enabled()
    assert (leaf() * 2).requires_grad


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, StopIteration, MemoryError])
def test_any_kind_of_exception_travels(kind):
    def hook(g):
        raise kind("stop")

    y = leaf() * 2
    y.register_hook(hook)
    with pytest.raises(kind):
        y.sum().backward()


def test_graph_can_be_used_after_a_failure():
    x = leaf()
    y = x * x
    fail = [True]

    def hook(g):
        if fail:
            fail.pop()
            raise ValueError

    y.register_hook(hook)
    loss = y.sum()
    with pytest.raises(ValueError):
        loss.backward(retain_graph=True)
    loss.backward()
    assert x.grad.tolist() == [2, 4, 6]


def test_freed_graph_is_named():
    loss = (leaf() ** 2).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time.*PowBackward0"):
        loss.backward()


def test_warning_of_taut_is_a_warning_of_python():
    x = leaf()
    with pytest.warns(UserWarning, match="create_graph=True"):
        (x * x).sum().backward(create_graph=True)
    x.grad = None
    with pytest.warns(UserWarning, match="not a leaf"):
        (x * 2).grad
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            (x * 2).grad


# Threads.


def in_threads(count, work):
    problems = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not problems


def test_many_threads_train_at_once():
    results = [None] * 6

    def train(i):
        w = torch.full((4, 4), 0.1, requires_grad=True)
        for _ in range(20):
            y = w
            for _ in range(5):
                y = Square.apply(torch.tanh(y @ w))
            y.register_hook(lambda g: g * 1)
            y.sum().backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
                w.grad = None
        results[i] = w.detach()

    in_threads(6, train)
    assert all(torch.equal(results[0], r) for r in results)


def test_threads_add_into_one_leaf():
    x = torch.ones(3, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(1))

    def train(_):
        for _ in range(50):
            (Square.apply(x)).sum().backward()

    in_threads(4, train)
    assert x.grad.tolist() == [400, 400, 400]
    assert len(seen) == 200


def test_threads_run_backward_on_one_graph():
    x = leaf()
    loss = (Square.apply(x) * 2).sum()
    in_threads(4, lambda i: loss.backward(retain_graph=True))
    assert x.grad.tolist() == [16, 32, 48]


def test_modes_belong_to_their_thread():
    modes = []
    with torch.no_grad():
        in_threads(1, lambda i: modes.append(torch.is_grad_enabled()))
    assert modes == [True]


def test_collector_runs_beside_backward():
    def train(i):
        for _ in range(30):
            y = Square.apply(leaf())
            y.itself = y
            y.sum().backward()
            if i == 0:
                gc.collect()

    in_threads(3, train)


# Backward inside of backward.


def test_backward_inside_of_backward():
    class Reenters(Square):
        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                y = (x**3).sum()
            y.backward()
            return x.grad * g

    x = leaf()
    Reenters.apply(x).sum().backward()
    assert x.grad.tolist() == [3, 12, 27]


def test_deep_reentry_does_not_overflow_the_stack():
    class Nested(Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x * 1

        @staticmethod
        def backward(ctx, g):
            if ctx.depth:
                with torch.enable_grad():
                    inner = leaf(1)
                    Nested.apply(inner, ctx.depth - 1).sum().backward()
            return g, None

    x = leaf(1)
    Nested.apply(x, 150).sum().backward()
    assert x.grad.tolist() == [1]


def test_long_chain_is_freed_and_run_without_recursion():
    x = leaf(1)
    y = x
    for _ in range(20000):
        y = y + 0
    y.backward()
    assert x.grad.tolist() == [1]
    y = x
    for _ in range(3000):
        y = Square.apply(y)
    del y


# Functions.


def test_needs_input_grad_says_which_gradients_are_wanted():
    seen = []

    class Product(Function):
        @staticmethod
        def forward(ctx, a, b, n):
            seen.append(ctx.needs_input_grad)
            ctx.save_for_backward(a, b)
            return a * b * n

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b * 2, None, None

    a, b = leaf(), torch.ones(3)
    Product.apply(a, b, 2).sum().backward()
    assert seen == [(True, False, False)]
    assert a.grad.tolist() == [2, 2, 2]


def test_a_function_without_gradients_records_nothing():
    assert Square.apply(torch.ones(2)).grad_fn is None
    with torch.no_grad():
        assert not Square.apply(leaf()).requires_grad


def test_triple_backward_through_a_function():
    x = leaf(2)

    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            return 3 * Square.apply(ctx.saved_tensors[0]) * g

    y = Cube.apply(x)
    for want in (12, 12, 6):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert y.tolist() == [want]


def test_saved_tensor_written_later_is_an_error_that_names_the_write():
    x = leaf() * 1
    y = Square.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation.*add_"):
        y.sum().backward()


def test_function_that_writes_a_view_changes_its_base():
    class Zero(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.zero_()

        @staticmethod
        def backward(ctx, g):
            return g * 0

    x = leaf()
    base = x * 2
    part = base[1:]
    Zero.apply(part)
    base.sum().backward()
    assert base.tolist() == [2, 0, 0]
    assert x.grad.tolist() == [2, 0, 0]


def test_dirty_input_must_be_returned():
    class Forgets(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x + 1

    with pytest.raises(RuntimeError, match="marked as dirty"):
        Forgets.apply(leaf() * 1)


def test_function_takes_and_returns_anything():
    class Any(Function):
        @staticmethod
        def forward(ctx, x, *others):
            ctx.count = len(others)
            return x * 1, others, {"a": 1}, None

        @staticmethod
        def backward(ctx, g, *rest):
            assert rest == (None, None, None)
            return (g,) + (None,) * ctx.count

    x = leaf()
    y, others, d, nothing = Any.apply(x, "text", [1, 2], None, {3})
    assert (others, d, nothing) == (("text", [1, 2], None, {3}), {"a": 1}, None)
    y.sum().backward()
    assert x.grad.tolist() == [1, 1, 1]


def test_gradient_of_another_dtype_is_converted():
    class Half(Square):
        @staticmethod
        def backward(ctx, g):
            return g.double()

    x = leaf()
    Half.apply(x).sum().backward()
    assert x.grad.dtype is torch.float32


def test_function_in_float64_passes_gradcheck_and_its_forward_mode_too():
    x = leaf().detach().double().requires_grad_()
    assert torch.autograd.gradcheck(Square.apply, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(Square.apply, x, check_fwd_over_rev=True)


def test_instances_of_a_function_are_of_no_use():
    with pytest.warns(DeprecationWarning):
        made = Square()
    with pytest.raises(RuntimeError, match="Legacy"):
        made(leaf())


def test_parameters_and_subclasses_pass_through_functions():
    p = torch.nn.Parameter(torch.ones(2))
    Square.apply(p).sum().backward()
    assert p.grad.tolist() == [2, 2]
    assert type(Square.apply(p)) is torch.Tensor


# gradcheck.


class Wrong(Square):
    @staticmethod
    def backward(ctx, g):
        return 3 * ctx.saved_tensors[0] * g


def test_gradcheck_shows_both_jacobians():
    x = leaf().detach().double().requires_grad_()
    with pytest.raises(GradcheckError) as caught:
        torch.autograd.gradcheck(Wrong.apply, x)
    assert str(caught.value).startswith("Jacobian mismatch for output 0 with respect to input "
                                        "0,\nnumerical:tensor([[2.0000, 0.0000")
    assert "analytical:tensor([[3., 0., 0.]" in str(caught.value)
    assert isinstance(caught.value, RuntimeError)
    assert torch.autograd.gradcheck(Wrong.apply, x, raise_exception=False) is False


def test_gradcheck_finds_a_wrong_second_derivative():
    class Detaches(Square):
        @staticmethod
        def backward(ctx, g):
            return 2 * ctx.saved_tensors[0].detach() * g

    x = leaf().detach().double().requires_grad_()
    assert torch.autograd.gradcheck(Detaches.apply, x)
    assert not torch.autograd.gradgradcheck(Detaches.apply, x, raise_exception=False)


def test_gradcheck_finds_random_gradients():
    class Noisy(Square):
        @staticmethod
        def backward(ctx, g):
            return 2 * ctx.saved_tensors[0] * g + 1e-9 * torch.rand(3, dtype=torch.double)

    x = leaf().detach().double().requires_grad_()
    with pytest.raises(RuntimeError, match="not reentrant"):
        torch.autograd.gradcheck(Noisy.apply, x)
    assert torch.autograd.gradcheck(Noisy.apply, x, nondet_tol=1e-6)


def test_gradcheck_leaves_inputs_and_random_numbers_as_they_were():
    x = leaf().detach().double().requires_grad_()
    before = x.tolist()
    torch.manual_seed(0)
    assert torch.autograd.gradgradcheck(lambda x: (x.sin(), x.exp().sum()), x)
    state = torch.get_rng_state()
    torch.manual_seed(0)
    assert torch.equal(state, torch.get_rng_state())
    assert x.tolist() == before


@pytest.mark.parametrize("f", [lambda x, y: x * y, lambda x, y: (x @ y, x.sum()), lambda x, y: x[:2].prod() + y,
                               lambda x, y: y.long()])
def test_gradcheck_accepts_right_gradients(f):
    x, y = leaf().detach().double().requires_grad_(), leaf(3, 4, 5).detach().double()
    assert torch.autograd.gradcheck(f, (x, y))


def test_gradcheck_refuses_inputs_it_cannot_check():
    with pytest.raises(ValueError, match="require gradient"):
        torch.autograd.gradcheck(torch.sin, torch.ones(2))
    with pytest.raises(RuntimeError, match="stride 0"):
        torch.autograd.gradcheck(torch.sin, torch.ones(1, dtype=torch.double, requires_grad=True).expand(3))
    with pytest.warns(UserWarning, match="double precision"):
        torch.autograd.gradcheck(torch.sin, leaf(), raise_exception=False)


# The graph.


def test_node_is_a_node_by_its_name():
    y = leaf() * 2
    assert type(y.grad_fn).__name__ == "MulBackward0" == y.grad_fn.name()
    assert isinstance(y.grad_fn, graph.Node)
    assert y.grad_fn == y.grad_fn and hash(y.grad_fn) == hash(y.grad_fn)
    assert y.grad_fn != (y * 2).grad_fn
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")
    with pytest.raises(TypeError):
        graph.Node()
    with pytest.raises(AttributeError):
        y.grad_fn.nonsense


def test_walk_over_the_graph_reaches_the_leaves():
    x, w = leaf(), leaf(4, 5, 6)
    todo, leaves = [((x * w).sin() + x).sum().grad_fn], []
    while todo:
        node = todo.pop()
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        todo.extend(n for n, _ in node.next_functions if n is not None)
    assert {id(t) for t in leaves} == {id(x), id(w)}


def test_edge_keeps_working_when_its_tensor_is_gone():
    x = leaf()
    y = x * 2
    edge = graph.get_gradient_edge(y)
    z = (y * y).sum()
    del y
    assert torch.autograd.grad(z, edge, retain_graph=True)[0].tolist() == [4, 8, 12]
    assert torch.autograd.grad(edge, x, torch.ones(3), retain_graph=True)[0].tolist() == [2, 2, 2]
    torch.autograd.backward(z, inputs=[graph.get_gradient_edge(x)])
    assert x.grad.tolist() == [8, 16, 24]


def test_multi_grad_hook_is_called_once_for_each_backward():
    a, b = leaf(1), leaf(2)
    calls = []
    handle = graph.register_multi_grad_hook((a, b), lambda grads: calls.append([g and g.item() for g in grads]))
    (a * b).backward()
    (a * 3).backward()
    assert calls == [[2, 1], [3, None]]
    handle.remove()
    (a * b).backward()
    assert len(calls) == 2


def test_what_is_not_there_says_so():
    with pytest.raises(AttributeError, match="torch.autograd.nonsense is not part of Taut"):
        torch.autograd.nonsense
    with pytest.raises(NotImplementedError, match="torch.autograd.profiler.emit_nvtx is not supported"):
        torch.autograd.profiler.emit_nvtx()


# Hooks on what is kept for backward.


def test_saved_tensors_may_be_kept_in_files(tmp_path):
    count = [0]

    def pack(t):
        count[0] += 1
        path = tmp_path / str(count[0])
        torch.save(t.detach(), path)
        return path

    x, w = leaf(), leaf(4, 5, 6)
    with graph.saved_tensors_hooks(pack, torch.load):
        loss = (x * w).tanh().sum()
    loss.backward()
    plain_x, plain_w = leaf(), leaf(4, 5, 6)
    (plain_x * plain_w).tanh().sum().backward()
    assert torch.equal(x.grad, plain_x.grad) and torch.equal(w.grad, plain_w.grad)
    assert count[0] == 3


def test_saved_tensor_hooks_give_right_derivatives_of_any_order():
    x = leaf(0.5, 1.5).detach().double().requires_grad_()

    def f(x):
        with graph.saved_tensors_hooks(lambda t: [t.clone()], lambda kept: kept[0]):
            return Square.apply(x.sin() * x).exp()

    assert torch.autograd.gradcheck(f, x)
    assert torch.autograd.gradgradcheck(f, x)


def test_what_hooks_packed_is_freed_with_the_graph():
    watch = []

    def pack(t):
        kept = Marker()
        kept.tensor = t
        watch.append(weakref.ref(kept))
        return kept

    with graph.saved_tensors_hooks(pack, lambda kept: kept.tensor):
        loss = (leaf() ** 2).sum()
    assert watch[0]() is not None
    loss.backward()
    gc.collect()
    assert watch[0]() is None


def test_saved_tensor_hooks_end_with_their_block_and_belong_to_their_thread():
    calls = []
    with pytest.raises(KeyError), graph.saved_tensors_hooks(lambda t: calls.append(1) or t, lambda t: t):
        in_threads(1, lambda i: leaf() ** 2)
        raise KeyError
    leaf() ** 2
    assert calls == []


def test_tensors_may_be_written_after_saving_where_copies_are_kept():
    x = leaf()
    z = x * 1
    with graph.allow_mutation_on_saved_tensors():
        y = (z * z).sum()
        z.zero_()
        y.backward()
    assert x.grad.tolist() == [2, 4, 6]


def test_gradients_of_hooks_are_seen_in_order():
    seen = []
    x = leaf()
    y = x * 2
    y.register_hook(lambda g: seen.append(("first", g[0].item())) or g * 10)
    y.register_hook(lambda g: seen.append(("second", g[0].item())))
    y.retain_grad()
    y.sum().backward()
    assert seen == [("first", 1), ("second", 10)]
    assert y.grad.tolist() == [10, 10, 10] and x.grad.tolist() == [20, 20, 20]


def test_hook_may_register_and_remove_hooks():
    x = leaf()
    handles = []

    def hook(g):
        handles.pop().remove()
        x.register_hook(lambda g: g * 2)

    handles.append(x.register_hook(hook))
    (x * 1).sum().backward()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [3, 3, 3]


def test_hook_handle_as_context_manager():
    x = leaf()
    with x.register_hook(lambda g: g * 5):
        (x * 1).sum().backward()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [6, 6, 6]


def test_anomaly_names_the_op_and_the_mode_ends():
    x = leaf(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(RuntimeError, match="(?i)sqrt"), torch.autograd.detect_anomaly():
            (x.sqrt() * 0).sum().backward()
    assert not torch.is_anomaly_enabled()
    with torch.autograd.set_detect_anomaly(True):
        assert torch.is_anomaly_enabled()
    assert not torch.is_anomaly_enabled()


def test_variable_is_an_old_name_of_tensor():
    x = torch.ones(2)
    v = torch.autograd.Variable(x, requires_grad=True)
    assert isinstance(x, torch.autograd.Variable) and type(v) is torch.Tensor
    assert v.requires_grad and v.data_ptr() == x.data_ptr()


def test_forward_mode_level_is_left_after_an_error():
    from taut.autograd import forward_ad

    with pytest.raises(KeyError), forward_ad.dual_level():
        raise KeyError
    with forward_ad.dual_level() as level:
        assert level == 0
        dual = forward_ad.make_dual(torch.ones(2), torch.full((2,), 3.0))
        assert forward_ad.unpack_dual(dual * dual).tangent.tolist() == [6, 6]
    assert forward_ad.unpack_dual(dual).tangent is None


def test_a_gradient_may_be_set_by_its_other_name():
    p = leaf()
    p._grad = torch.ones(3)
    assert p.grad.tolist() == [1, 1, 1] and p._grad is p.grad
    p._grad = None
    assert p.grad is None


def test_multithreading_is_a_setting_of_a_block_or_from_now_on():
    assert torch.autograd.is_multithreading_enabled()
    with torch.autograd.set_multithreading_enabled(False):
        assert not torch.autograd.is_multithreading_enabled()
    assert torch.autograd.is_multithreading_enabled()
    torch.autograd.set_multithreading_enabled(False)
    assert not torch.autograd.is_multithreading_enabled()
    torch.autograd.set_multithreading_enabled(True)


def test_a_deep_copy_shares_memory_where_the_original_does():
    a = torch.arange(4.0)
    b, c = copy.deepcopy([a, a[1:]])
    c[0] = 9
    assert b.tolist() == [0, 9, 2, 3] and c.storage_offset() == 1 and a.tolist() == [0, 1, 2, 3]
    assert copy.deepcopy(torch.ones(1).expand(3)).stride() == (0,)
    w = torch.nn.Linear(2, 2)
    w.tied = w.weight
    made = copy.deepcopy(w)
    assert made.tied is made.weight and made.weight.is_leaf and not made.weight._is_view()


def test_what_a_pickle_keeps_of_a_result_is_a_leaf():
    y = pickle.loads(pickle.dumps(leaf() * 2))
    assert y.requires_grad and y.is_leaf and y.tolist() == [2, 4, 6]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        modules = [torch.nn.utils.weight_norm(torch.nn.Linear(2, 3)), torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))]
    for m in modules:
        n, x = pickle.loads(pickle.dumps(m)).eval(), torch.rand(1, 2)
        assert torch.equal(m.eval()(x), n(x))
    assert callable(torch.nn.utils.weight_norm)


@pytest.mark.parametrize("make", [lambda: torch.nn.LazyLinear(3), lambda: torch.nn.LazyBatchNorm1d()])
@pytest.mark.parametrize("again", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_a_lazy_module_is_lazy_after_copying(make, again):
    m = again(make())
    assert m.has_uninitialized_params()
    assert m(torch.rand(2, 4)).shape[0] == 2 and not any(map(torch.nn.parameter.is_lazy, m.parameters()))


def test_a_view_of_a_tensor_that_requires_grad_says_so_wherever_it_was_made():
    x = torch.rand(3, 3, requires_grad=True)
    for block in (torch.no_grad, torch.inference_mode):
        with block():
            assert all(v.requires_grad for v in (x[0], x.view(9), x.t(), *x.split(1), x.expand(2, 3, 3), x.diagonal()))
            assert not any(v.requires_grad for v in (x + 1, x.detach(), x.detach()[0], x.data.view(9), x.argmax(0)))


def test_what_pytorch_does_not_keep_may_be_written_before_backward():
    a, b = leaf(6, 8, 9), leaf(2, 4, 3)
    y = a / b
    y += 1
    y.sum().backward()
    assert torch.allclose(a.grad, 1 / b.detach())
    x = torch.randn(4, 3, requires_grad=True)
    scores = x * 1
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1, 2, 0]))
    with torch.no_grad():
        scores.zero_()
    want, = torch.autograd.grad(torch.nn.functional.cross_entropy(x, torch.tensor([0, 1, 2, 0])), x)
    loss.backward()
    assert torch.equal(x.grad, want)
