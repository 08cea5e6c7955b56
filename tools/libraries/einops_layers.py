"""rearrange, reduce, repeat, einsum, and a network with einops' layers: 20 training steps"""

import torch
from einops import einsum, pack, rearrange, reduce, repeat
from einops.layers.torch import EinMix, Rearrange, Reduce

PACKAGE = "einops"


def task():
    x = torch.randn(16, 3, 16, 16)
    patches = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)
    joined, _ = pack([patches, repeat(patches.mean(1), "b c -> b n c", n=2)], "b * c")
    numbers = [joined.square().sum(), reduce(x, "b c h w -> c", "max").sum(), einsum(patches, patches, "b i c, b j c -> b i j").std()]
    model = torch.nn.Sequential(Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4), torch.nn.Linear(48, 32), torch.nn.GELU(),
                                EinMix("b t c -> b t k", weight_shape="c k", bias_shape="k", c=32, k=16), Reduce("b t c -> b c", "mean"),
                                torch.nn.Linear(16, 4))
    optimizer, y = torch.optim.Adam(model.parameters(), 1e-2), torch.randint(4, (16,))
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        numbers.append(loss.item())
    return numbers
