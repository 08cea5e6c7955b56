"""Every combination of the options of multi_head_attention_forward: what tools/golden_attention.py asks PyTorch, and
test_nn_golden.py and tests/nn_transformer_test.cpp ask the two faces of Taut. A line of the golden file is

    options  sum of the result  sum of the weights

with the options in the order of CHOICES, where the elements of a sum are weighted by their place, "-" stands for no weights and "error" for an exception."""

import itertools
import os

import taut as torch

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "golden", "attention_options.txt")
LENGTH, BATCH, EMBED, HEADS = 3, 2, 4, 2
CHOICES = {"bias_kv": 2, "zero_attn": 2, "separate": 2, "static": 2, "batched": 2, "causal": 2,
           "mask": ("none", "bool", "float", "heads"), "padding": ("none", "bool", "float"),
           "weights": ("none", "mean", "all")}


def combinations():
    names = list(CHOICES)
    for values in itertools.product(*(range(c) if isinstance(c, int) else c for c in CHOICES.values())):
        yield dict(zip(names, values))


def numbers(*sizes):
    n = 1
    for s in sizes:
        n *= s
    return ((torch.arange(n) * 37 % 19).float() / 19 - 0.5).reshape(sizes)


def weighted(t):
    return (t.double().flatten() * (torch.arange(t.numel()) * 13 % 7 + 1)).sum().item()


def attend(o):
    """The two sums as text, or "error"."""
    lead = (LENGTH, BATCH) if o["batched"] else (LENGTH,)
    batch = BATCH if o["batched"] else 1
    kinds = {"none": None, "bool": torch.ones(LENGTH, LENGTH).triu(1).bool(),
             "float": torch.full((LENGTH, LENGTH), float("-inf")).triu(1), "heads": numbers(batch * HEADS, LENGTH, LENGTH)}
    last = torch.zeros(*lead[1:], LENGTH)
    last[..., -1] = 1
    paddings = {"none": None, "bool": last.bool(), "float": last * -3}
    own = numbers(3, EMBED, EMBED).unbind() if o["separate"] else (None,) * 3
    kept = numbers(batch * HEADS, LENGTH, EMBED // HEADS) if o["static"] else None
    bias = numbers(1, 1, EMBED) if o["bias_kv"] else None
    try:
        y, w = torch.nn.functional.multi_head_attention_forward(
            numbers(*lead, EMBED), numbers(*lead, EMBED) * 2, numbers(*lead, EMBED) * 3, EMBED, HEADS,
            None if o["separate"] else numbers(3 * EMBED, EMBED), numbers(3 * EMBED), bias, None if bias is None else bias * 2,
            bool(o["zero_attn"]), 0.0, numbers(EMBED, EMBED), numbers(EMBED), training=False,
            key_padding_mask=paddings[o["padding"]], need_weights=o["weights"] != "none", attn_mask=kinds[o["mask"]],
            use_separate_proj_weight=bool(o["separate"]), q_proj_weight=own[0], k_proj_weight=own[1],
            v_proj_weight=own[2], static_k=kept, static_v=kept, average_attn_weights=o["weights"] == "mean",
            is_causal=bool(o["causal"]))
    except Exception:
        return "error"
    return f"{weighted(y):.6g} {'-' if w is None else f'{weighted(w):.6g}'}"


def text(o):
    return " ".join(map(str, o.values()))
