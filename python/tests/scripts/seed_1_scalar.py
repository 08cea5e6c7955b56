# One number: the slope of a parabola.
import torch

a = torch.tensor(3.0, requires_grad=True)
b = 5 * a**2 - 2 * a + 1
print(b)
b.backward()
print(a.grad)
print(a.grad.item(), a.is_leaf, b.is_leaf, b.grad_fn.name())
