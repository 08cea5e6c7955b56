"""Attention whose scores a function changes, computed plainly: all scores, then the function, then softmax."""

import math
from typing import NamedTuple, Optional

from ... import _C
from ..._C import Tensor
from ..._refuse import lacking as _lacking

__all__ = ["BlockMask", "flex_attention", "AuxOutput", "AuxRequest", "FlexKernelOptions", "create_block_mask", "create_mask", "or_masks",
           "and_masks", "noop_mask"]
_DEFAULT_SPARSE_BLOCK_SIZE = 128
_ops = _C.ops
FlexKernelOptions = dict


class AuxRequest(NamedTuple):
    """What else flex_attention is to give."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """What else flex_attention gave."""

    lse: Optional[Tensor] = None
    max_scores: Optional[Tensor] = None


def noop_mask(batch, head, token_q, token_kv):
    """The mask that hides nothing."""
    return _ops["ones"]([], dtype=_C.bool)


def _identity(score, batch, head, token_q, token_kv):
    return score


def _joined(join, name, masks):
    if not all(callable(m) for m in masks):
        raise RuntimeError(f"All inputs should be callable mask_mods: {masks}")

    def mask(b, h, q_idx, kv_idx):
        result = masks[0](b, h, q_idx, kv_idx) if masks else _ops["full"]([], name == "and_mask", dtype=_C.bool)
        for m in masks[1:]:
            result = join(result, m(b, h, q_idx, kv_idx))
        return result

    mask.__name__ = name
    return mask


def and_masks(*mask_mods):
    """The mask that shows what all masks show."""
    return _joined(lambda a, b: a & b, "and_mask", mask_mods)


def or_masks(*mask_mods):
    """The mask that shows what any mask shows."""
    return _joined(lambda a, b: a | b, "or_mask", mask_mods)


def _positions(sizes):
    """An index along each of four dimensions, to be broadcast."""
    return [_ops["arange"](n).reshape([n if k == i else 1 for k in range(4)]) for i, n in enumerate(sizes)]


def _same_at_some_places(mod, sizes, before, result):
    """Does mod give the same when it is called for single places, as it is meant to be?"""
    if 0 in sizes:
        return True
    before_was = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        for share in (0, 0.3, 0.7, 1):
            at = tuple(round(share * (n - 1)) for n in sizes)
            single = mod(*(s[at] for s in before), *(_ops["full"]([], i, dtype=_C.int64) for i in at))
            wanted, got = float(single), float(result[at])
            if single.ndim or not (wanted == got or wanted != wanted and got != got or abs(wanted - got) <= 1e-3 * (1 + abs(wanted))):
                return False
    finally:
        _C._set_grad_enabled(before_was)
    return True


def _applied(mod, sizes, scores=None):
    """mod at every place of (batch, head, query, key). It is written for one place; most functions are the same op by op on all places at
    once. Where that shows not to be so, for it reduces, say, vmap calls it for each place."""
    if mod is noop_mask:
        return _ops["ones"](list(sizes), dtype=_C.bool)
    if mod is _identity:
        return scores
    before = [] if scores is None else [scores]
    try:
        result = mod(*before, *_positions(sizes))
        if isinstance(result, Tensor) and result.ndim == 4:
            result = result.expand(sizes)
            if _same_at_some_places(mod, sizes, before, result):
                return result
    except (RuntimeError, IndexError, ValueError, TypeError):
        pass
    from ...func import vmap

    f = mod
    for k in (3, 2, 1, 0):
        f = vmap(f, in_dims=(*([0] * len(before)), *(0 if i == k else None for i in range(4))))
    return f(*before, *(_ops["arange"](n) for n in sizes))


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """The mask of a function, at every place."""
    import inspect

    sizes = (B or 1, H or 1, Q_LEN, KV_LEN)
    if len([p for p in inspect.signature(mod_fn).parameters.values() if p.default is p.empty]) == 5:  # it changes scores
        return _applied(mod_fn, sizes, _ops["zeros"](list(sizes)))
    return _applied(mod_fn, sizes)


def _ordered(dense):
    """(how many blocks of each row, their columns first)."""
    dense = dense.to(_C.int32)
    return dense.sum(-1).to(_C.int32), _ops["argsort"](dense, dim=-1, descending=True, stable=True).to(_C.int32)


def _dense(counts, indices, columns):
    found = _ops["zeros"]([*indices.shape[:-1], columns + 1], dtype=_C.int32)
    valid = _ops["arange"](indices.shape[-1]) < counts.unsqueeze(-1)
    places = _ops["where"](valid, indices.to(_C.int64), _ops["full"]([], columns, dtype=_C.int64))
    return found.scatter(-1, places, _ops["ones"](list(places.shape), dtype=_C.int32))[..., :columns]


class BlockMask:
    """A mask by blocks: for each row of blocks, which ones are shown in part and which wholly."""

    def __init__(self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks=None, full_kv_indices=None, q_num_blocks=None,
                 q_indices=None, full_q_num_blocks=None, full_q_indices=None, BLOCK_SIZE=(128, 128), mask_mod=noop_mask):
        if kv_indices.ndim < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        self.seq_lengths, self.BLOCK_SIZE, self.mask_mod = tuple(seq_lengths), tuple(BLOCK_SIZE), mask_mod
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices

    @classmethod
    def from_kv_blocks(cls, kv_num_blocks, kv_indices, full_kv_num_blocks=None, full_kv_indices=None, BLOCK_SIZE=128, mask_mod=None,
                       seq_lengths=None, compute_q_blocks=True):
        """Made from the blocks of each row."""
        if kv_indices.ndim < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * size[0], kv_indices.shape[-1] * size[1])
        q = full_q = (None, None)
        if compute_q_blocks:
            columns = -(-seq_lengths[1] // size[1])
            q = _ordered(_dense(kv_num_blocks, kv_indices, columns).transpose(-2, -1))
            if full_kv_indices is not None:
                full_q = _ordered(_dense(full_kv_num_blocks, full_kv_indices, columns).transpose(-2, -1))
        return cls(seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *q, *full_q, size, mask_mod or noop_mask)

    @property
    def shape(self):
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self):
        """How many places it has."""
        return math.prod(self.shape)

    def sparsity(self):
        """How many percent of the places lie in blocks that are hidden."""
        shown = int(self.kv_num_blocks.sum()) + (0 if self.full_kv_num_blocks is None else int(self.full_kv_num_blocks.sum()))
        return 100 * (1 - shown * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1] / self.numel())

    def to_dense(self):
        """1 for each block that is shown, in part or wholly."""
        columns = self.kv_indices.shape[-1]
        found = _dense(self.kv_num_blocks, self.kv_indices, columns)
        if self.full_kv_num_blocks is not None:
            found = found | _dense(self.full_kv_num_blocks, self.full_kv_indices, columns)
        return found

    def to_string(self, grid_size=(20, 20), limit=4):
        """A picture in characters; large ones are drawn coarsely."""
        dense = self.to_dense()
        head = dense.shape[:-2]
        dense = dense.reshape(-1, *dense.shape[-2:])
        rows, columns = dense.shape[-2:]
        step = [1, 1] if grid_size == -1 else [max(-(-n // g), 1) for n, g in zip((rows, columns), (grid_size, grid_size) if isinstance(grid_size, int) else grid_size)]
        pictures = []
        for k, block in enumerate(dense):
            if k == limit:
                pictures.append("...\nTo print out more, set BlockMask.to_string(limit=N)\nYou can also index (BlockMask[batch, head]) to "
                                "choose a specific batch or head")
                break
            at, rest = [], k
            for n in reversed(head):
                at.insert(0, rest % n)
                rest //= n
            lines = []
            for i in range(0, rows, step[0]):
                line = ""
                for j in range(0, columns, step[1]):
                    share = float(block[i:i + step[0], j:j + step[1]].to(_C.float32).mean())
                    line += ("█" if share == 1 else " " if share == 0 else "░") * 2
                lines.append(line)
            pictures.append(f"{tuple(at)}\n" + "\n".join(lines) + "\n")
        return "\n".join(pictures)

    def __str__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string()})"

    def __repr__(self):
        def shown(value):
            return value.shape if isinstance(value, Tensor) else value

        names = ("kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices", "q_num_blocks", "q_indices", "full_q_num_blocks",
                 "full_q_indices", "BLOCK_SIZE")
        lines = "".join(f"    {n}={shown(getattr(self, n))},\n" for n in names)
        return (f"BlockMask(\n{lines}    shape={self.shape},\n    sparsity={self.sparsity():.2f}%,\n"
                f"    mask_mod={getattr(self.mask_mod, '__name__', self.mask_mod)}\n)")

    def __getitem__(self, index):
        index = tuple(slice(i, i + 1 or None) if isinstance(i, int) else i for i in (index if isinstance(index, tuple) else (index,)))
        part = [None if t is None else t[index] for t in (self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks, self.full_kv_indices)]
        return BlockMask.from_kv_blocks(*part, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=None, seq_lengths=self.seq_lengths,
                                        compute_q_blocks=self.q_indices is not None)

    def _adjust(self, new_q_len, new_kv_len):
        """The same mask for fewer places."""
        rows, columns = -(-new_q_len // self.BLOCK_SIZE[0]), -(-new_kv_len // self.BLOCK_SIZE[1])
        made = [None, None]
        for k, (n, at) in enumerate(((self.kv_num_blocks, self.kv_indices), (self.full_kv_num_blocks, self.full_kv_indices))):
            if n is not None:
                made[k] = _ordered(_dense(n, at, at.shape[-1])[..., :rows, :columns])
        return BlockMask.from_kv_blocks(*made[0], *(made[1] or (None, None)), BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod,
                                        seq_lengths=(new_q_len, new_kv_len))

    def to(self, device):
        """Itself: there is one device."""
        from ..._types import device as Device

        Device(device).check()
        return self

    def as_tuple(self, flatten=True):
        """All of its parts."""
        lengths, size = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        return (*lengths, self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks, self.full_kv_indices, self.q_num_blocks,
                self.q_indices, self.full_q_num_blocks, self.full_q_indices, *size, self.mask_mod)


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=128, _compile=False, separate_full_blocks=True,
                      compute_dq_write_order=False, dq_kv_order=True):
    """The BlockMask of a function that says whether a query sees a key: mask_mod(batch, head, query, key) -> bool."""
    from ..functional import pad

    size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN)
    rows, columns = -(-Q_LEN // size[0]), -(-KV_LEN // size[1])
    mask = pad(mask.to(_C.uint8), (0, columns * size[1] - KV_LEN, 0, rows * size[0] - Q_LEN))
    counts = mask.reshape(*mask.shape[:2], rows, size[0], columns, size[1]).to(_C.int32).sum((3, 5))
    full = counts == size[0] * size[1]
    some = (counts > 0) & ~full if separate_full_blocks else counts > 0
    whole = _ordered(full) if separate_full_blocks else (None, None)
    return BlockMask.from_kv_blocks(*_ordered(some), *whole, BLOCK_SIZE=size, mask_mod=mask_mod, seq_lengths=(Q_LEN, KV_LEN))


def _shown(block_mask, sizes):
    """Which places a BlockMask shows: its function in blocks shown in part, everything in the others."""
    mask = _applied(block_mask.mask_mod, (sizes[0], sizes[1], *sizes[2:]))

    def places(counts, indices):
        blocks = _dense(counts, indices, indices.shape[-1]) != 0
        spread = blocks.repeat_interleave(block_mask.BLOCK_SIZE[0], -2).repeat_interleave(block_mask.BLOCK_SIZE[1], -1)
        return spread[..., :sizes[2], :sizes[3]]

    mask = mask & places(block_mask.kv_num_blocks, block_mask.kv_indices)
    if block_mask.full_kv_num_blocks is not None:
        mask = mask | places(block_mask.full_kv_num_blocks, block_mask.full_kv_indices)
    return mask


def _check(query, key, value, block_mask, enable_gqa):
    if query.ndim != 4 or key.ndim != 4 or value.ndim != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if query.shape[-3] != key.shape[-3] and not enable_gqa:
        raise ValueError(f"Expect query and key/value to have the same number of heads but got Hq={query.shape[-3]} and "
                         f"Hkv={key.shape[-3]}. Try setting enable_gqa=True for GQA.")
    if enable_gqa and query.shape[1] % key.shape[1]:
        raise ValueError(f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={query.shape[1]} and "
                         f"Hkv={key.shape[1]}.")
    if query.shape[0] != key.shape[0] and (block_mask is None or key.shape[0] != 1):
        raise ValueError(f"Expect query and key/value to have the same batch size, or non-none block_mask and Bkv=1. Got Bq="
                         f"{query.shape[0]} and Bkv={key.shape[0]}")
    if block_mask is not None and block_mask.seq_lengths != (query.shape[-2], key.shape[-2]):
        rows, columns = block_mask.seq_lengths
        begin = (f"block_mask was created for block_mask.shape={block_mask.shape} but got q_len={query.shape[-2]} and "
                 f"kv_len={key.shape[-2]}. ")
        if rows < query.shape[-2] or columns < key.shape[-2]:
            raise ValueError(begin + "As the block mask was created for a smaller length than you're using it for, you likely need to "
                             "create a new block mask.")
        raise ValueError(begin + "As the block mask was created for a larger length than you're using it for, you can either 1. create a "
                         "new block mask with the correct length, or 2. 'adjust' the existing block mask to the correct length by calling "
                         "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the upper left corner, which does "
                         "not work for all mask_mods!")


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None, *,
                   return_aux=None):
    """softmax(score_mod(query @ key^T * scale)) @ value, where score_mod(score, batch, head, query, key) changes one score."""
    _check(query, key, value, block_mask, enable_gqa)
    if return_aux is not None and return_aux.max_scores:
        raise NotImplementedError("Returning max scores is not supported on CPU/MPS.")
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    wide = _C.float64 if query.dtype is _C.float64 else _C.float32
    scores = (query @ key.transpose(-2, -1)).to(wide) * scale
    sizes = tuple(scores.shape)
    scores = _applied(score_mod or _identity, sizes, scores).to(wide)
    if block_mask is not None:
        scores = scores.masked_fill(~_shown(block_mask, sizes), -math.inf)
    lse = _ops["logsumexp"](scores, -1)
    hidden = lse == -math.inf  # a query that sees nothing gives zeros
    weights = (scores - lse.masked_fill(hidden, 0).unsqueeze(-1)).exp()
    result = (weights.to(value.dtype) @ value).to(query.dtype)
    if return_aux is not None:
        return result, AuxOutput(lse=lse if return_aux.lse else None)
    return (result, lse) if return_lse else result


for _class in (BlockMask, AuxRequest, AuxOutput, flex_attention, create_block_mask, create_mask, and_masks, or_masks, noop_mask):
    _class.__module__ = "torch.nn.attention.flex_attention"
__getattr__ = _lacking("nn.attention.flex_attention")
