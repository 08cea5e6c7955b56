"""resnet18, mobilenetv3, efficientnet, convnext, ViT: forward, backward, a training step"""

import timm
import timm.loss
import timm.optim
import torch

PACKAGE = "timm"


def task():
    numbers = []
    for name, more in (("resnet18", {}), ("mobilenetv3_small_050", {}), ("efficientnet_b0", {}), ("convnext_atto", {}),
                       ("vit_tiny_patch16_224", {"img_size": 64})):
        torch.manual_seed(0)
        model = timm.create_model(name, num_classes=7, drop_rate=0.0, **more)
        optimizer = timm.optim.create_optimizer_v2(model, opt="adamw", lr=1e-3)
        x, y = torch.randn(4, 3, 64, 64), torch.randint(7, (4,))
        for _ in range(2):
            optimizer.zero_grad()
            loss = timm.loss.LabelSmoothingCrossEntropy()(model(x), y)
            loss.backward()
            optimizer.step()
            numbers.append(loss.item())
        model.eval()
        with torch.no_grad():
            numbers += model(x).mean(0).tolist()
    return numbers
