"""Llama (2 layers, grouped heads): training steps, save and load, generate with a cache"""

import torch
from _transformers import train
from transformers import LlamaConfig, LlamaForCausalLM

PACKAGE = "transformers"


def task():
    model = LlamaForCausalLM(LlamaConfig(vocab_size=200, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                                         num_key_value_heads=2, bos_token_id=0, eos_token_id=1, pad_token_id=1))
    ids = torch.randint(2, 200, (4, 32))
    numbers = train(model, {"input_ids": ids, "labels": ids})
    for how in (dict(do_sample=False), dict(do_sample=True, top_p=0.9)):
        numbers += model.generate(ids[:2, :5], attention_mask=torch.ones(2, 5, dtype=torch.long), max_new_tokens=12, **how).flatten().tolist()
    return numbers
