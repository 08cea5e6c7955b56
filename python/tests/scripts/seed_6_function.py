# An op of one's own.
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.pow(3)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x * x


cube = Cube.apply
v = torch.tensor([2.0, -1.5], requires_grad=True)
w = cube(v)
print(w)
w.backward(torch.tensor([1.0, 0.5]))
print(v.grad)
(first,) = torch.autograd.grad(cube(v).sum(), v, create_graph=True)
print(first)
print(torch.autograd.grad(first.sum(), v))
print(torch.autograd.gradcheck(cube, v.detach().double().requires_grad_()))
