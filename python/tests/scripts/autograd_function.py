# Functions of every kind, right and wrong.
import traceback

import torch
import torch.autograd.forward_ad as forward_ad
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


def leaf():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def gradient(f, *args):
    x = leaf()
    outputs = f(x, *args)
    (outputs[0] if isinstance(outputs, tuple) else outputs).sum().backward()
    return x.grad


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


x = leaf()
y = Square.apply(x)
print(y, y.grad_fn.name(), type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].variable is x)
(first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
print(first, second, second.requires_grad)
print(torch.autograd.gradcheck(Square.apply, leaf().detach().double().requires_grad_()))
print(torch.autograd.gradgradcheck(Square.apply, leaf().detach().double().requires_grad_()))
y = Square.apply(x * 1)
print(y.grad_fn.saved_tensors)
y.sum().backward()
show("saved, after backward", lambda: y.grad_fn.saved_tensors)
show("backward, again", lambda: y.sum().backward())
with torch.no_grad():
    print(Square.apply(x), Square.apply(x).grad_fn)
show("of a number", lambda: Square.apply(3.0))
show("without arguments", lambda: Square.apply())
show("with a wrong keyword", lambda: Square.apply(x, k=1))


class Power(Function):
    @staticmethod
    def forward(x, n, factor=3):
        return factor * x**n

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.n, ctx.factor = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, g):
        x, output = ctx.saved_tensors
        assert output.shape == x.shape
        return g * ctx.factor * ctx.n * x ** (ctx.n - 1), None, None


show("setup_context", lambda: gradient(Power.apply, 2))
show("setup_context and keyword", lambda: Power.apply(x, 2, factor=5))


class Keyword(Function):
    @staticmethod
    def forward(ctx, x, scale=2):
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None


show("keyword", lambda: gradient(lambda x: Keyword.apply(x, scale=5)))


class Several(Function):
    @staticmethod
    def forward(ctx, a, b, flag, name):
        print(ctx.needs_input_grad, flag, name)
        return a + b, 7, a * b, None

    @staticmethod
    def backward(ctx, *grads):
        print(grads)
        return grads[0] + grads[2], grads[0], None, None


x = leaf()
outputs = Several.apply(x, torch.ones(3), True, "name")
print(outputs)
outputs[0].sum().backward()
print(x.grad)


class Lazy(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2

    @staticmethod
    def backward(ctx, g, h):
        print(g, h)
        return 2 * h if g is None else g


x = leaf()
Lazy.apply(x)[1].sum().backward()
print(x.grad)


class Twice(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, g):
        return 2 * g


x = leaf()
z = x * 1
w = Twice.apply(z)
print(w is z, z)
w.sum().backward()
print(x.grad)
show("dirty leaf", lambda: Twice.apply(leaf()))
x = leaf()
base = x * 1
Twice.apply(base[:2])
base.sum().backward()
print(x.grad, base)


class Largest(Function):
    @staticmethod
    def forward(ctx, x):
        place = x.argmax().float()
        ctx.mark_non_differentiable(place)
        return x * 2, place

    @staticmethod
    def backward(ctx, g, of_place):
        print(of_place)
        return g * 2


print(Largest.apply(leaf()))
print(gradient(Largest.apply))


class Once(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


x, seed = leaf(), torch.ones(3, requires_grad=True)
(first,) = torch.autograd.grad(Once.apply(x), x, seed, create_graph=True)
print(first.requires_grad)
show("once", lambda: torch.autograd.grad(first.sum(), seed))


class Identity(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return 3 * g


x = leaf()
i = Identity.apply(x)
print(i is x, i)
print(gradient(Identity.apply))
show("writing what was passed through", lambda: Identity.apply(x * 1).add_(1))


class View(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, g):
        return g.view(3)


show("view", lambda: gradient(View.apply))
show("writing a view", lambda: View.apply(x * 1).add_(1))


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


print(torch.autograd.gradgradcheck(Exp.apply, leaf().detach().double().requires_grad_()))
z = leaf() * 1
y = Square.apply(z)
z.add_(1)
show("written after saving", lambda: y.sum().backward())


def wrong(returned):
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, g):
            return returned(g)

    return lambda: gradient(Wrong.apply, 2.0)


show("one gradient is enough?", wrong(lambda g: g))
show("three gradients", wrong(lambda g: (g, None, g)))
show("Nones at the end", wrong(lambda g: (g, None, None)))
show("a gradient for a number", wrong(lambda g: (g, g)))
show("wrong shape", wrong(lambda g: (torch.ones(2), None)))
show("broadcast shape", wrong(lambda g: (torch.ones(2, 3), None)))
show("no tensor", wrong(lambda g: ("a", None)))
show("None", wrong(lambda g: (None, None)))


class Nothing(Function):
    pass


class NoBackward(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1


class SaveNumber(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, 3)
        return x * 1


class SaveNone(NoBackward):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 1

    @staticmethod
    def backward(ctx, g):
        print(ctx.saved_tensors)
        return g


class Listed(NoBackward):
    @staticmethod
    def forward(ctx, x):
        return [x * 1, x * 2]


show("nothing", lambda: Nothing.apply(leaf()))
show("no backward", lambda: gradient(NoBackward.apply))
show("saving a number", lambda: SaveNumber.apply(leaf()))
show("saving None", lambda: gradient(SaveNone.apply))
show("a list", lambda: Listed.apply(leaf()))


class Product(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def vjp(ctx, g):
        return g * 2


show("vjp", lambda: gradient(Product.apply))


class Raises(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        raise KeyError("boom")


try:
    gradient(Raises.apply)
except KeyError as error:
    print(repr(error), traceback.extract_tb(error.__traceback__)[-1].name)


class Forward(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_forward(x)
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g

    @staticmethod
    def jvp(ctx, t):
        return 2 * ctx.saved_tensors[0] * t


show("jvp and backward", lambda: gradient(Forward.apply))
with forward_ad.dual_level():
    dual = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
    print(forward_ad.unpack_dual(Forward.apply(dual)))
    print(forward_ad.unpack_dual(torch.sin(dual)).tangent)
    print(forward_ad.unpack_dual(torch.ones(1)))
    show("wrong size", lambda: forward_ad.make_dual(torch.ones(1), torch.ones(2)))
    show("whole numbers", lambda: forward_ad.make_dual(torch.ones(1, dtype=torch.long), torch.ones(1)))
    show("nested", forward_ad.enter_dual_level)
show("no level", lambda: forward_ad.make_dual(torch.ones(1), torch.ones(1)))
show("nothing to leave", forward_ad.exit_dual_level)
print(forward_ad.unpack_dual(torch.ones(1)))
