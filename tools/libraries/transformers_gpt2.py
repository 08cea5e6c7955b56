"""GPT-2 (2 layers): training steps, save and load, generate greedily, by sampling and with beams"""

import torch
from _transformers import train
from transformers import GPT2Config, GPT2LMHeadModel

PACKAGE = "transformers"


def task():
    model = GPT2LMHeadModel(GPT2Config(vocab_size=200, n_positions=64, n_embd=64, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=1))
    ids = torch.randint(2, 200, (4, 32))
    numbers = train(model, {"input_ids": ids, "labels": ids})
    for how in (dict(do_sample=False), dict(do_sample=True, top_k=20, temperature=0.9), dict(num_beams=3, do_sample=False)):
        numbers += model.generate(ids[:2, :5], attention_mask=torch.ones(2, 5, dtype=torch.long), max_new_tokens=12, pad_token_id=1, **how).flatten().tolist()
    return numbers
