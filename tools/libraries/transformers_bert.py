"""BERT (2 layers): masked words and classification, training steps with padding masks, save and load"""

import torch
from _transformers import train
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification

PACKAGE = "transformers"


def task():
    config = BertConfig(vocab_size=200, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, num_labels=3)
    ids, mask = torch.randint(200, (4, 24)), torch.ones(4, 24, dtype=torch.long)
    mask[1, 15:] = 0
    numbers = train(BertForMaskedLM(config), {"input_ids": ids, "attention_mask": mask, "labels": ids})
    return numbers + train(BertForSequenceClassification(config), {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([0, 2, 1, 1])})
