"""a decoder with rotary positions and an encoder-decoder: training steps and generate"""

import torch
from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper, XTransformer

PACKAGE = "x-transformers"


def task():
    model = AutoregressiveWrapper(TransformerWrapper(num_tokens=64, max_seq_len=48, attn_layers=Decoder(
        dim=48, depth=2, heads=4, rotary_pos_emb=True, ff_glu=True, use_rmsnorm=True)))
    optimizer, numbers, ids = torch.optim.Adam(model.parameters(), 1e-3), [], torch.randint(64, (4, 32))
    for _ in range(5):
        optimizer.zero_grad()
        loss = model(ids)
        loss.backward()
        optimizer.step()
        numbers.append(loss.item())
    numbers += model.generate(ids[:1, :4], 12, temperature=0.0).flatten().tolist()
    both = XTransformer(dim=32, enc_num_tokens=64, enc_depth=1, enc_heads=2, enc_max_seq_len=32, dec_num_tokens=64, dec_depth=1, dec_heads=2,
                        dec_max_seq_len=32)
    loss = both(ids, ids, mask=torch.ones_like(ids).bool())
    loss.backward()
    return [*numbers, loss.item(), sum(p.grad.double().abs().sum().item() for p in both.parameters() if p.grad is not None)]
