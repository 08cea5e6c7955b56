"""A training saved by all of its ranks, each a part, and read by any number of them.

A checkpoint is a directory: `__R_N.distcp` holds what rank R wrote (torch.load reads it), `.metadata` says what lies where. What all ranks
have is written once, in turn by one and the other. Saving anew counts N up, and `.metadata` is replaced when all has been written: at any
moment the directory holds a whole checkpoint, the old one or the new.
"""

import concurrent.futures
import os
import threading

from ...serialization import load as _read
from ...serialization import save as _write
from ..._C import Tensor
from ..._refuse import loading, refusals
from .. import distributed_c10d as dist
from .state_dict import StateDictOptions  # noqa: F401
from .stateful import Stateful

__all__ = ["CheckpointException", "FileSystemReader", "FileSystemWriter", "async_save", "load", "load_state_dict", "save", "save_state_dict"]


class CheckpointException(RuntimeError):
    """What went wrong, by rank."""

    def __init__(self, msg, failures):
        super().__init__(f"CheckpointException ranks:{sorted(failures)}: {msg}: " + "; ".join(f"rank {r}: {e}" for r, e in sorted(failures.items())))
        self.failures = failures


class FileSystemWriter:
    """Writes into a directory."""

    def __init__(self, path, single_file_per_rank=True, sync_files=True, thread_count=1, per_thread_copy_ahead=10_000_000, cache_staged_state_dict=False,
                 overwrite=True):
        self.path, self.overwrite = os.fspath(path), overwrite


class FileSystemReader:
    """Reads from a directory."""

    def __init__(self, path):
        self.path = os.fspath(path)


def _flat(value, found, *path):
    """The leaves of nested dicts and lists, by their paths."""
    if hasattr(value, "state_dict") and not isinstance(value, (dict, list, Tensor)):
        value = value.state_dict()
    if isinstance(value, dict) and value:
        for k, v in value.items():
            _flat(v, found, *path, k)
    elif isinstance(value, list) and any(isinstance(v, (Tensor, dict, list)) for v in value):
        for i, v in enumerate(value):
            _flat(v, found, *path, i)
    else:
        found[path] = value
    return found


def _together(group, what, f):
    """f() on every rank, and what each gave; raises on all if it failed on one."""
    failure = None
    try:
        result = f()
    except Exception as e:  # told to all
        result, failure = None, e
    if group is None:
        if failure is not None:
            raise failure
        return [result]
    everyone = [None] * group.size()
    dist.all_gather_object(everyone, (result, f"{type(failure).__name__}: {failure}" if failure else None), group)
    failures = {r: e for r, (_, e) in enumerate(everyone) if e}
    if failures:
        raise CheckpointException(what, failures) from failure
    return [r for r, _ in everyone]


def _group(process_group, no_dist):
    if no_dist or not dist.is_initialized():
        return None
    return dist._get_default_group() if process_group is None else process_group


def save(state_dict, *, checkpoint_id=None, storage_writer=None, planner=None, process_group=None, no_dist=False, use_collectives=True):
    """Saves what is in nested dicts and lists; every rank calls it."""
    if checkpoint_id is None and storage_writer is None:
        raise ValueError("save: checkpoint_id or storage_writer must say where to")
    path = os.fspath(checkpoint_id) if checkpoint_id is not None else storage_writer.path
    group = _group(process_group, no_dist)
    rank, size = (group.rank(), group.size()) if group else (0, 1)
    leaves = _flat(state_dict, {})

    metadata, number = os.path.join(path, ".metadata"), 0

    def prepare():
        os.makedirs(path, exist_ok=True)
        old = os.path.exists(metadata)
        if old and not getattr(storage_writer, "overwrite", True):
            raise FileExistsError(f"{path} holds a checkpoint already")
        return list(leaves), _read(metadata)["number"] + 1 if old and rank == 0 else 0

    owners = {}
    for r, (keys, its) in enumerate(_together(group, "saving", prepare)):
        number = max(number, its)
        for k in keys:
            owners.setdefault(k, []).append(r)
    owner = {k: ranks[i % len(ranks)] for i, (k, ranks) in enumerate(owners.items())}
    mine = {k: v.detach() if isinstance(v, Tensor) else v for k, v in leaves.items() if owner[k] == rank}
    _together(group, "saving", lambda: _write(mine, os.path.join(path, f"__{rank}_{number}.distcp")))

    def finish():
        if rank > 0:
            return
        _write({"files": owner, "ranks": size, "number": number}, metadata)
        for name in os.listdir(path):
            if name.endswith(".distcp") and not name.endswith(f"_{number}.distcp"):
                os.remove(os.path.join(path, name))

    _together(group, "saving", finish)


def load(state_dict, *, checkpoint_id=None, storage_reader=None, planner=None, process_group=None, no_dist=False):
    """Reads, in place, what state_dict names: tensors are written to, other values replaced."""
    if checkpoint_id is None and storage_reader is None:
        raise ValueError("load: checkpoint_id or storage_reader must say where from")
    path = os.fspath(checkpoint_id) if checkpoint_id is not None else storage_reader.path
    files = {}

    def read():
        metadata = _read(os.path.join(path, ".metadata"))
        where, number = metadata["files"], metadata["number"]

        def found(rank):
            if rank not in files:
                files[rank] = _read(os.path.join(path, f"__{rank}_{number}.distcp"), mmap=True)
            return files[rank]

        leaves = _flat(state_dict, {})
        missing = [k for k in leaves if k not in where]
        if missing:
            raise RuntimeError(f"Missing key in checkpoint state_dict: {'.'.join(map(str, missing[0]))}.")
        values = {k: found(where[k])[k] for k in leaves}
        for k, v in leaves.items():
            if isinstance(v, Tensor) and values[k].shape != v.shape:
                raise ValueError(f"Size mismatch between saved {tuple(values[k].shape)} and current: {tuple(v.shape)} for {'.'.join(map(str, k))}")
        return leaves, values

    outcome = []
    _together(_group(process_group, no_dist), "loading", lambda: outcome.append(read()))
    leaves, values = outcome[0]
    for k, v in leaves.items():
        if isinstance(v, Tensor):
            v.detach().copy_(values[k])
            continue
        at = state_dict
        for part in k[:-1]:
            at = at[part]
            if hasattr(at, "state_dict") and not isinstance(at, (dict, list)):
                break
        else:
            at[k[-1]] = values[k]
    for k, v in state_dict.items():
        if isinstance(v, Stateful) and not isinstance(v, (dict, list, Tensor)):
            whole = v.state_dict()
            for path_, value in values.items():
                if path_[0] == k:
                    _put(whole, path_[1:], value)
            v.load_state_dict(whole)


def _put(nested, path, value):
    for part in path[:-1]:
        nested = nested[part]
    if path:
        nested[path[-1]] = value


_saving = threading.Lock()


def async_save(state_dict, *, checkpoint_id=None, storage_writer=None, planner=None, process_group=None, async_checkpointer_type=None, async_stager=None,
               no_dist=False, use_collectives=True):
    """Copies the state and saves it in a thread; returns a future. The group must be one that nobody else uses meanwhile."""
    def copied(value):
        if hasattr(value, "state_dict") and not isinstance(value, (dict, list, Tensor)):
            value = value.state_dict()
        if isinstance(value, Tensor):
            return value.detach().clone()
        if isinstance(value, dict):
            return {k: copied(v) for k, v in value.items()}
        return [copied(v) for v in value] if isinstance(value, list) else value

    future, state = concurrent.futures.Future(), copied(state_dict)

    def run():
        try:
            with _saving:
                future.set_result(save(state, checkpoint_id=checkpoint_id, storage_writer=storage_writer, process_group=process_group, no_dist=no_dist))
        except BaseException as e:  # whoever waits gets it
            future.set_exception(e)

    threading.Thread(target=run).start()
    return future


save_state_dict, load_state_dict = save, load
_WHY = "it is not supported: a checkpoint is what save writes into a directory"
globals().update(refusals("distributed.checkpoint", "StorageReader StorageWriter DefaultSavePlanner DefaultLoadPlanner HuggingFaceStorageReader "
                          "HuggingFaceStorageWriter", _WHY))
__getattr__ = loading("distributed.checkpoint", {"default_planner", "optimizer", "format_utils", "hf_storage", "_consolidate_hf_safetensors", "state_dict",
                                                 "state_dict_loader", "stateful"})
