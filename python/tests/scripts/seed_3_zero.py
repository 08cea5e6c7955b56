# Gradients add up until they are set to zero.
import torch

t = torch.tensor(4.0, requires_grad=True)
(t**2).backward()
print("first:", t.grad)
(t**3).backward()
print("added:", t.grad)
t.grad.zero_()
print("zeroed:", t.grad)
(t**3).backward()
print("again:", t.grad)
t.grad = None
print(t.grad)
