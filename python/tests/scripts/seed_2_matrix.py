# Weights and a bias by hand.
import torch

weight = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
bias = torch.tensor([0.1, -0.2, 0.3], requires_grad=True)
points = torch.tensor([[2.0, -1.0], [0.3, 0.7], [-1.1, 0.4]])
result = torch.matmul(points, weight) + bias
total = torch.sum(result**2)
total.backward()
print("result:", result)
print("total:", total)
print("weight.grad:", weight.grad)
print("bias.grad:", bias.grad)
