# Two layers with ReLU between them; one sample, so that units that are off have gradients of 0 and -0.
import torch
import torch.nn.functional as F

for seed in range(4):
    torch.manual_seed(seed)
    net = torch.nn.Sequential(torch.nn.Linear(10, 5), torch.nn.ReLU(), torch.nn.Linear(5, 1))
    x = torch.randn(1, 10)
    y = torch.randn(1, 1)
    loss = F.mse_loss(net(x), y)
    loss.backward()
    print(loss)
    for name, parameter in net.named_parameters():
        print(name, parameter.grad)
print(net)
