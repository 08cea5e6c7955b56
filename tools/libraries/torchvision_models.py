"""resnet18, mobilenet_v3 and a ViT train; v2 transforms, FakeData and make_grid"""

import torch
import torchvision
from torchvision.transforms import v2

PACKAGE = "torchvision"


def task():
    numbers = []
    for name in ("resnet18", "mobilenet_v3_small", "vit"):
        torch.manual_seed(0)
        if name == "vit":
            model = torchvision.models.VisionTransformer(32, 8, 2, 4, 64, 128, num_classes=5)
        else:
            model = torchvision.models.get_model(name, num_classes=5)
        optimizer, x, y = torch.optim.SGD(model.parameters(), 1e-2, momentum=0.9), torch.randn(4, 3, 32, 32), torch.randint(5, (4,))
        for _ in range(2):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            numbers.append(loss.item())
    torch.manual_seed(0)
    change = v2.Compose([v2.ToImage(), v2.RandomResizedCrop(24, antialias=True), v2.RandomHorizontalFlip(), v2.ColorJitter(0.3, 0.3),
                         v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.2] * 3)])
    data = torchvision.datasets.FakeData(8, (3, 32, 32), 5, transform=change)
    pictures = torch.stack([picture for picture, _ in data])
    numbers += [pictures.double().sum(), torchvision.utils.make_grid(pictures, nrow=4, normalize=True).double().sum()]
    return numbers
