"""The whole state of models and optimisers of which each rank keeps a part, by the names of the plain module."""

from ... import empty, zeros
from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from .. import distributed_c10d as dist


def _clean(name):
    for part in ("_fsdp_wrapped_module.", "module.", "_orig_mod."):
        name = name.removeprefix(part).replace("." + part, ".")
    return name


def _units(model):
    """Each unit, with the names of what lies in its flat parameter."""
    for path, m in model.named_modules():
        unit = m.__dict__.get("_unit") or m.__dict__.get("_fully_sharded")
        if unit is not None and unit.shard is not None:
            yield unit, [(_clean(f"{path}.{name}" if path else name), at, shape) for _, _, at, shape, name in unit.places]


def _pieces(unit, names, shard):
    """By name, from a part of each rank: the whole."""
    whole = empty(unit.length * unit.group.size(), dtype=shard.dtype)
    dist.all_gather_into_tensor(whole, shard.detach().contiguous(), group=unit.group)
    return {name: whole[at:at + shape.numel()].view(shape).clone() for name, at, shape in names}


def _part(unit, names, found, like):
    """This rank's part of what lies whole under these names."""
    whole = zeros(unit.length * unit.group.size(), dtype=like.dtype)
    for name, at, shape in names:
        whole[at:at + shape.numel()] = found(name).detach().reshape(-1)
    rank = unit.group.rank()
    return whole[rank * unit.length:(rank + 1) * unit.length]


def _plain(model):
    """What no unit holds: parameters and buffers that are on all ranks."""
    from .fully_sharded_data_parallel import FullyShardedDataParallel, StateDictType

    with FullyShardedDataParallel.state_dict_type(model, StateDictType.LOCAL_STATE_DICT):
        return {k: v for k, v in model.state_dict().items() if not k.endswith("_flat_param")}


@no_grad()
def model_state(model):
    """The state dict of the plain module."""
    state = {_clean(k): v.clone() if isinstance(v, Tensor) else v for k, v in _plain(model).items()}
    for unit, names in _units(model):
        state.update(_pieces(unit, names, unit.shard))
    return state


@no_grad()
def load_model_state(model, state, strict=True):
    """Takes each rank's part from the state dict of the plain module; gives the names that were missing and those nobody asked for."""
    missing, asked = [], set()

    def take(name, into):
        asked.add(name)
        if name in state:
            return state[name]
        missing.append(name)
        return into

    plain = _plain(model)
    for k, v in plain.items():
        given = take(_clean(k), v)
        if isinstance(v, Tensor) and given is not v:
            v.copy_(given)
    for unit, names in _units(model):
        mine = _pieces(unit, names, unit.shard)
        unit.shard.copy_(_part(unit, names, lambda name, mine=mine: take(name, mine[name]), unit.shard))
    unexpected = [k for k in state if k not in asked]
    if strict and (missing or unexpected):
        raise RuntimeError(f"Error(s) in loading state_dict for {type(model).__name__}: missing {missing}, unexpected {unexpected}")
    return missing, unexpected


def _named(model, optimizer):
    """For each parameter of an optimiser: its unit, or None, and the names it stands for."""
    units = {id(unit.shard): (unit, names) for unit, names in _units(model)}
    names = {id(p): _clean(n) for n, p in model.named_parameters()}
    for group in optimizer.param_groups:
        yield group, [units.get(id(p), (None, [(names[id(p)], 0, p.shape)])) for p in group["params"]]


@no_grad()
def optimizer_state(model, optimizer):
    """{"state": {name: …}, "param_groups": …}, by the names of the plain module's parameters."""
    result = {"state": {}, "param_groups": []}
    for group, places in _named(model, optimizer):
        for p, (unit, names) in zip(group["params"], places, strict=True):
            for key, value in optimizer.state.get(p, {}).items():
                parts = isinstance(value, Tensor) and unit is not None and value.shape == p.shape and value.dim() > 0
                found = _pieces(unit, names, value) if parts else dict.fromkeys((n for n, *_ in names), value)
                for name, piece in found.items():
                    result["state"].setdefault(name, {})[key] = piece.clone() if isinstance(piece, Tensor) else piece
        settings = {k: v for k, v in group.items() if k != "params"}
        result["param_groups"].append({**settings, "params": [n for _, names in places for n, *_ in names]})
    return result


@no_grad()
def optimizer_state_to_load(model, optimizer, full):
    """What optimizer.load_state_dict takes, for this rank's parts."""
    result, at = {"state": {}, "param_groups": []}, 0
    for number, (group, places) in enumerate(_named(model, optimizer)):
        indices = []
        for unit, names in places:
            states = [full["state"].get(n) for n, *_ in names]
            if all(s is not None for s in states):
                mine = result["state"][at] = {}
                for key, value in states[0].items():
                    parts = isinstance(value, Tensor) and unit is not None and value.shape == names[0][2] and value.dim() > 0
                    mine[key] = _part(unit, names, lambda n, key=key: full["state"][n][key], value) if parts else value
            indices.append(at)
            at += 1
        given = full["param_groups"][number] if number < len(full["param_groups"]) else group
        result["param_groups"].append({**{k: v for k, v in given.items() if k != "params"}, "params": indices})
    return result
