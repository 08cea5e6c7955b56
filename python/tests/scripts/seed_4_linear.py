# A linear layer, and the gradient of its input too.
import torch

torch.manual_seed(7)
layer = torch.nn.Linear(3, 2)
inputs = torch.tensor([[2.0, -1.0, 0.5]], requires_grad=True)
wanted = torch.tensor([[4.0, -3.0]])
loss = torch.nn.functional.mse_loss(layer(inputs), wanted)
loss.backward()
print(layer)
print(loss)
print(layer.weight)
print(layer.weight.grad)
print(layer.bias.grad)
print(inputs.grad)
