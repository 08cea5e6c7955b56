"""ViT (2 layers): training steps on pictures, save and load"""

import torch
from _transformers import train
from transformers import ViTConfig, ViTForImageClassification

PACKAGE = "transformers"


def task():
    model = ViTForImageClassification(ViTConfig(image_size=32, patch_size=8, hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
                                                intermediate_size=128, num_labels=5))
    return train(model, {"pixel_values": torch.randn(4, 3, 32, 32), "labels": torch.randint(5, (4,))})
