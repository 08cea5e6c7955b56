"""Process groups, collectives and stores, by PyTorch's names."""

import datetime
import io
import os
import pickle

from .. import _C
from .._C import Tensor

_lib = _C._distributed()
DistError, DistBackendError, DistNetworkError, DistStoreError = _lib.DistError, _lib.DistBackendError, _lib.DistNetworkError, _lib.DistStoreError
ProcessGroup = _lib.ProcessGroup
_Work, _Store = _lib.Work, _lib.Store

__all__ = ["Backend", "BackendConfig", "DistBackendError", "DistError", "DistNetworkError", "DistStoreError", "FileStore", "GroupMember", "HashStore",
           "P2POp", "PrefixStore", "ProcessGroup", "ProcessGroupGloo", "ReduceOp", "Store", "TCPStore", "Work", "all_gather", "all_gather_coalesced",
           "all_gather_into_tensor", "all_gather_object", "all_reduce", "all_reduce_coalesced", "all_to_all", "all_to_all_single", "barrier",
           "batch_isend_irecv", "broadcast", "broadcast_object_list", "default_pg_timeout", "destroy_process_group", "gather", "gather_object",
           "get_backend", "get_backend_config", "get_default_backend_for_device", "get_global_rank", "get_group_rank", "get_node_local_rank",
           "get_process_group_ranks", "get_rank", "get_world_size", "group", "init_process_group", "irecv", "is_backend_available", "is_gloo_available",
           "is_initialized", "is_mpi_available", "is_nccl_available", "is_torchelastic_launched", "is_ucc_available", "is_xccl_available", "isend",
           "monitored_barrier", "new_group", "new_subgroups", "new_subgroups_by_enumeration", "recv", "recv_object_list", "reduce", "reduce_op",
           "reduce_scatter", "reduce_scatter_tensor", "scatter", "scatter_object_list", "send", "send_object_list", "split_group",
           "supports_complex", "AllreduceOptions", "BroadcastOptions", "get_pg_count"]

default_pg_timeout = datetime.timedelta(minutes=30)
_default_store_timeout = datetime.timedelta(minutes=5)


# Stores.

Store, HashStore, PrefixStore = _Store, _lib.HashStore, _lib.PrefixStore


def _seconds(timeout, what="timeout"):
    if isinstance(timeout, datetime.timedelta):
        return timeout.total_seconds()
    raise TypeError(f"Expected {what} argument to be of type datetime.timedelta, got {timeout}")


def _wait(self, keys, timeout=None):
    """Waits until all keys are there."""
    self._wait(list(keys), -1.0 if timeout is None else _seconds(timeout))


def _set_timeout(self, timeout):
    """How long get and wait wait."""
    self._set_timeout(_seconds(timeout))


Store.wait = _wait
Store.set_timeout = _set_timeout
Store.timeout = property(lambda self: datetime.timedelta(seconds=self._timeout()))


class TCPStore(_lib._TCPStore):
    """A store on a server, which the process with is_master=True runs."""

    def __init__(self, host_name, port, world_size=None, is_master=False, timeout=_default_store_timeout, wait_for_workers=True, multi_tenant=False,
                 master_listen_fd=None, use_libuv=True):
        super().__init__(host_name, port, -1 if world_size is None else world_size, bool(is_master), _seconds(timeout), bool(wait_for_workers))


class FileStore(_lib._FileStore):
    """A store in a file."""

    def __init__(self, file_name, world_size=-1):
        super().__init__(os.fspath(file_name), world_size, _default_store_timeout.total_seconds())


# What is there.

def is_gloo_available():
    """Is Taut's library for Gloo there?"""
    return _lib._is_available("gloo")


def is_mpi_available():
    """Is Taut's library for MPI there?"""
    return _lib._is_available("mpi")


def is_nccl_available():
    """NCCL is for GPUs: no."""
    return False


is_ucc_available = is_xccl_available = is_nccl_available


def is_torchelastic_launched():
    """Has a launcher started this process?"""
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


class Backend(str):
    """The name of a way to communicate."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, FAKE = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl", "fake"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map = {"cpu": GLOO}
    backend_capability = {GLOO: ["cpu"], MPI: ["cpu"]}

    def __new__(cls, name):
        if not isinstance(name, str):
            raise ValueError(f"Backend constructor parameter must be string-ish {name}, {type(name)}")
        return str.__new__(cls, name.lower())


class BackendConfig:
    """Which backend serves which kind of device."""

    def __init__(self, backend):
        self.device_backend_map = {"cpu": Backend(_backend_name(backend))}

    def get_device_backend_map(self):
        """A dict from device to backend."""
        return self.device_backend_map

    def __repr__(self):
        return ",".join(f"{device}:{backend}" for device, backend in self.device_backend_map.items())


def is_backend_available(backend):
    """Is there this way to communicate?"""
    return backend.lower() in ("gloo", "mpi") and _lib._is_available(backend.lower())


def get_default_backend_for_device(device):
    """Gloo, for the CPU."""
    if str(device).split(":")[0] != "cpu":
        raise ValueError(f"Default backend not registered for device : {device}")
    return "gloo"


def supports_complex(reduceOp):
    """May complex numbers be reduced so?"""
    return reduceOp not in (ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PRODUCT, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)


def _backend_name(backend):
    """One of ours for what a program asks for: "cpu:gloo,cuda:nccl" means gloo here."""
    if backend in (None, "", Backend.UNDEFINED):
        return "gloo" if is_gloo_available() else "mpi"
    name = str(backend).lower()
    if ":" in name:
        by_device = dict(part.split(":") for part in name.split(","))
        if "cpu" not in by_device:
            raise ValueError(f"init_process_group: {backend} names no backend for the CPU, the only device that Taut has")
        name = by_device["cpu"]
    if name in ("nccl", "ucc", "xccl"):
        raise RuntimeError(f"Distributed package doesn't have {name.upper()} built in. Use the backend \"gloo\": Taut computes on CPUs")
    if name not in ("gloo", "mpi"):
        raise ValueError(f"Unknown backend {backend}: there are gloo and mpi")
    return name


# How to reduce.

class _RedOpType(str):
    """One of SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR."""

    def __repr__(self):
        return f"<RedOpType.{str(self)}: {list(_OPS).index(str(self))}>"

    @property
    def name(self):
        """SUM and so on."""
        return str(self)


_OPS = {name: _RedOpType(name) for name in ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM")}


class ReduceOp:
    """How values are reduced."""

    RedOpType = type("RedOpType", (), dict(_OPS))

    def __init__(self, op):
        self.op = _OPS[str(op)]

    def __eq__(self, other):
        return str(self.op) == str(getattr(other, "op", other))

    def __hash__(self):
        return hash(str(self.op))

    def __str__(self):
        return str(self.op)


for _name, _op in _OPS.items():
    setattr(ReduceOp, _name, _op)
reduce_op = ReduceOp


def _op_name(op):
    name = str(op)
    if name not in _OPS:
        raise TypeError(f"op must be one of ReduceOp's, got {op!r}")
    return name


class AllreduceOptions:
    """Options of all_reduce."""

    def __init__(self):
        self.reduceOp, self.timeout, self.asyncOp = ReduceOp.SUM, default_pg_timeout, True


class BroadcastOptions:
    """Options of broadcast."""

    def __init__(self):
        self.rootRank, self.rootTensor, self.timeout, self.asyncOp = 0, 0, default_pg_timeout, True


# What was begun.

class Work:
    """Something that was begun, and is perhaps not done."""

    def __init__(self, works, results=(), after=None):
        self._works, self._results, self._after = works, list(results), after

    def wait(self, timeout=datetime.timedelta(0)):
        """Waits for the end, and raises what went wrong."""
        for work in self._works:
            work._wait(_seconds(timeout))
        if self._after is not None:
            after, self._after = self._after, None
            after()
        return True

    def is_completed(self):
        """Is it done?"""
        return all(work.is_completed() for work in self._works)

    def is_success(self):
        """Is it done, and well?"""
        return all(work.is_success() for work in self._works)

    def exception(self):
        """What went wrong, or None."""
        return next((e for e in (work.exception() for work in self._works) if e is not None), None)

    def source_rank(self):
        """From whom something was received."""
        return self._works[0].source_rank()

    def result(self):
        """The tensors that it writes."""
        return self._results

    def synchronize(self):
        """Waits."""
        self.wait()

    def get_future(self):
        """A future of the tensors that it writes."""
        return _WorkFuture(self.is_completed, lambda: self.wait() and self._results)


class _WorkFuture:
    """A future of torch.futures' kind, whose value is made when somebody asks."""

    def __init__(self, done, get):
        self.done, self._get, self._value = done, get, None

    def wait(self):
        """Waits for the value."""
        if self._get is not None:
            get, self._get = self._get, None
            self._value = get()
        return self._value

    value = wait

    def then(self, callback):
        """A future of callback(this one)."""
        return _WorkFuture(self.done, lambda: self.wait() is not None and callback(self))


def _done(work, async_op):
    if async_op:
        return work
    work.wait()
    return None


# Groups.

class GroupMember:
    """Membership of a group."""

    WORLD, NON_GROUP_MEMBER = None, -100


class _World:
    """What the group of all processes is called in torch.distributed.group."""

    @property
    def WORLD(self):
        """The group of all processes; None before init_process_group."""
        return GroupMember.WORLD

    @WORLD.setter
    def WORLD(self, pg):
        GroupMember.WORLD = pg


group = _World()
_groups = {}  # a group -> the ranks of all processes in it, in its order
_made = 0
_store = None


def _get_default_group():
    if GroupMember.WORLD is None:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return GroupMember.WORLD


def _get_default_store():
    _get_default_group()
    return _store


def _group(pg):
    """The group that is meant; None if this process is not in it."""
    if pg is None or isinstance(pg, _World):
        return _get_default_group()
    if pg == GroupMember.NON_GROUP_MEMBER:
        return None
    if pg not in _groups:
        raise ValueError("The given group does not exist")
    return pg


def is_initialized():
    """Was init_process_group called?"""
    return GroupMember.WORLD is not None


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None, device_id=None,
                       _ranks=None):
    """Makes the group of all processes, which meet at init_method or in a store."""
    global _store
    if GroupMember.WORLD is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if timeout is None:
        timeout = default_pg_timeout
    if store is not None and init_method is not None:
        raise ValueError("Cannot specify both init_method and store.")
    seconds = _seconds(timeout)
    name = _backend_name(backend)
    if not is_backend_available(name):
        raise RuntimeError(f"Distributed package doesn't have {name.upper()} built in. Taut's library for it is built where "
                           f"{'libgloo-dev' if name == 'gloo' else 'libopenmpi-dev'} is installed")
    if store is not None:
        if world_size <= 0 or rank < 0:
            raise ValueError("world_size must be positive if using store" if world_size <= 0 else "rank must be non-negative if using store")
    else:
        store, rank, world_size = _lib._rendezvous(init_method or "env://", rank, world_size, seconds)
    _store = store
    pg = ProcessGroup(name, store, rank, world_size, seconds, "default")
    _groups[pg] = list(range(world_size))
    GroupMember.WORLD = pg


def destroy_process_group(group=None):
    """Leaves a group; without one all of them."""
    global _store, _made
    pg = _get_default_group() if group is None else _group(group)
    if pg is None:
        return
    if pg is GroupMember.WORLD:
        for other in list(_groups)[::-1]:
            other._close()
        _groups.clear()
        GroupMember.WORLD = _store = None
        _made = 0
    else:
        pg._close()
        del _groups[pg]


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None, device_id=None):
    """A group of some of the processes. All processes call this, in the same order."""
    global _made
    world = _get_default_group()
    _made += 1
    size = world.size()
    ranks = list(range(size)) if ranks is None else sorted(ranks)
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"new_group: a rank stands twice in {ranks}")
    if len(ranks) > size:
        raise ValueError("the new group's world size should be less or equal to the world size set by init_process_group")
    for rank in ranks:
        if not 0 <= rank < size:
            raise ValueError("The new group's rank should be within the world_size set by init_process_group")
    if world.rank() not in ranks:
        return GroupMember.NON_GROUP_MEMBER
    name = f"{_made}" if not use_local_synchronization else "local " + " ".join(map(str, ranks))
    seconds = _groups_timeout(world) if timeout is None else _seconds(timeout)
    pg = ProcessGroup(world._backend() if backend is None else _backend_name(backend), _store, ranks.index(world.rank()), len(ranks), seconds, name)
    _groups[pg] = ranks
    return pg


def _groups_timeout(pg):
    return default_pg_timeout.total_seconds()


def split_group(parent_pg=None, split_ranks=None, timeout=None, pg_options=None, group_desc=None):
    """The group of those lists of ranks that holds this process."""
    parent = _group(parent_pg)
    mine = GroupMember.NON_GROUP_MEMBER
    for ranks in split_ranks:
        made = new_group([_groups[parent][r] for r in ranks], timeout)
        mine = made if made != GroupMember.NON_GROUP_MEMBER else mine
    return None if mine == GroupMember.NON_GROUP_MEMBER else mine


def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    """A group for each list of ranks; that of this process, and all."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    mine, groups, seen = None, [], set()
    for ranks in ranks_per_subgroup_list:
        for rank in ranks:
            if rank in seen:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {ranks} and another one")
            seen.add(rank)
        made = new_group(ranks, timeout, backend)
        groups.append(made)
        if get_rank() in ranks:
            mine = made
    return mine, groups


def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    """Groups of group_size neighbours; that of this process, and all."""
    if group_size is None:
        group_size = int(os.environ.get("LOCAL_WORLD_SIZE", get_world_size()))
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    size = get_world_size()
    if size < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({size})")
    if size % group_size:
        raise ValueError(f"The world size ({size}) must be divisible by 'group_size={group_size!r}'")
    return new_subgroups_by_enumeration([list(range(i, i + group_size)) for i in range(0, size, group_size)], timeout, backend)


def get_rank(group=None):
    """The number of this process in a group; -1 if it is not in it."""
    pg = _group(group)
    return -1 if pg is None else pg.rank()


def get_world_size(group=None):
    """How many processes are in a group; -1 if this one is not."""
    pg = _group(group)
    return -1 if pg is None else pg.size()


def get_backend(group=None):
    """The name of a group's backend."""
    pg = _group(group)
    if pg is None:
        raise ValueError("Invalid process group specified")
    return Backend(pg._backend())


def get_backend_config(group=None):
    """As text: which backend serves which device."""
    return str(BackendConfig(get_backend(group)))


def get_pg_count():
    """How many groups there are."""
    return len(_groups)


def get_process_group_ranks(group):
    """The ranks of a group's processes among all."""
    return list(_groups[_group(group)])


def get_group_rank(group, global_rank):
    """The rank in a group of a process."""
    ranks = _groups[_group(group)]
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


def get_global_rank(group, group_rank):
    """The rank among all processes of one of a group."""
    ranks = _groups[_group(group)]
    if not 0 <= group_rank < len(ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return ranks[group_rank]


def get_node_local_rank(fallback_rank=None):
    """The number of this process on its host, from LOCAL_RANK."""
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work")


def _root(pg, rank, group_rank, what):
    """A rank among all, or within the group, as one within the group."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError(f"Can't specify both group_{what} and {what}")
        return group_rank
    if rank is None:
        raise ValueError(f"Must specify {what} or group_{what}")
    return get_group_rank(pg, rank)


def _check_tensor(t, name):
    if not isinstance(t, Tensor):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n             but got {type(t)} instead.")


def _check_list(ts, name):
    if not isinstance(ts, (list, tuple)) or not all(isinstance(t, Tensor) for t in ts):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n             but got {type(ts)} with "
                        f"elements of type {[type(t) for t in ts] if isinstance(ts, (list, tuple)) else ts}.")


# Collectives.

def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduces a tensor over all ranks, in place."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._allreduce(tensor, _op_name(op))], [tensor]), async_op)


def all_reduce_coalesced(tensors, op=ReduceOp.SUM, group=None, async_op=False):
    """The same for several tensors at once."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    _check_list(tensors, "tensors")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._allreduce_coalesced(tensors, _op_name(op))], tensors), async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    """Reduces a tensor to one rank."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._reduce(tensor, _root(pg, dst, group_dst, "dst"), _op_name(op))], [tensor]), async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Gives all ranks the tensor of one."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._broadcast(tensor, _root(pg, src, group_src, "src"))], [tensor]), async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Gives all ranks the tensors of all."""
    _check_list(tensor_list, "tensor_list")
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._allgather(list(tensor_list), tensor)], tensor_list), async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """The same into one tensor."""
    _check_tensor(output_tensor, "output_tensor")
    _check_tensor(input_tensor, "input_tensor")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._all_gather_into(output_tensor, input_tensor)], [output_tensor]), async_op)


_all_gather_base = all_gather_into_tensor


def all_gather_coalesced(output_tensor_lists, input_tensor_list, group=None, async_op=False):
    """all_gather of several tensors."""
    pg = _group(group)
    if pg is None:
        return None
    works = [pg._allgather([outs[k] for outs in output_tensor_lists], t) for k, t in enumerate(input_tensor_list)]
    return _done(Work(works, output_tensor_lists), async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """Gives one rank the tensors of all."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    root = _root(pg, 0 if dst is None and group_dst is None else dst, group_dst, "dst")
    if root == pg.rank():
        if not gather_list:
            raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
        _check_list(gather_list, "gather_list")
    elif gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    return _done(Work([pg._gather(list(gather_list or []), tensor, root)], gather_list or []), async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """Gives each rank one of the tensors of one rank."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    root = _root(pg, 0 if src is None and group_src is None else src, group_src, "src")
    if root == pg.rank():
        if not scatter_list:
            raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
        _check_list(scatter_list, "scatter_list")
    elif scatter_list:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    return _done(Work([pg._scatter(tensor, list(scatter_list or []), root)], [tensor]), async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduces lists of tensors; each rank gets its place of the result."""
    _check_tensor(output, "output")
    _check_list(input_list, "input_list")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._reduce_scatter(output, list(input_list), _op_name(op))], [output]), async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """The same of one tensor, cut along its first dimension."""
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._reduce_scatter_into(output, input, _op_name(op))], [output]), async_op)


_reduce_scatter_base = reduce_scatter_tensor


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Each rank gives each a tensor."""
    _check_list(output_tensor_list, "output_tensor_list")
    _check_list(input_tensor_list, "input_tensor_list")
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._alltoall(list(output_tensor_list), list(input_tensor_list))], output_tensor_list), async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """The same of one tensor, cut along its first dimension, evenly or into these sizes."""
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    pg = _group(group)
    if pg is None:
        return None

    def parts(t, sizes):
        if sizes:
            return list(t.split(list(sizes)))
        if t.shape[0] % pg.size():
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        return list(t.chunk(pg.size())) if t.shape[0] else [t] * pg.size()

    outs = parts(output.detach(), output_split_sizes)
    return _done(Work([pg._alltoall(outs, parts(input.detach(), input_split_sizes))], [output]), async_op)


def barrier(group=None, async_op=False, device_ids=None):
    """Waits until all ranks are here."""
    pg = _group(group)
    if pg is None:
        return None
    return _done(Work([pg._barrier()]), async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """The same, naming the ranks that do not come."""
    pg = _group(group)
    if pg is not None:
        pg._monitored_barrier(default_pg_timeout.total_seconds() if timeout is None else _seconds(timeout), bool(wait_all_ranks))


# From one to another.

def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Begins to send a tensor."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    to = _root(pg, dst, group_dst, "dst")
    if to == pg.rank():
        raise ValueError("Invalid destination rank: destination rank should not be the same as the rank of the current process.")
    return Work([pg._send(tensor, to, tag)], [tensor])


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    """Begins to receive a tensor; from anybody if no rank is named."""
    _check_tensor(tensor, "tensor")
    pg = _group(group)
    if pg is None:
        return None
    origin = -1 if src is None and group_src is None else _root(pg, src, group_src, "src")
    if origin == pg.rank():
        raise ValueError("Invalid source rank: source rank should not be the same as the rank of the current process.")
    return Work([pg._recv(tensor, origin, tag)], [tensor])


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Sends a tensor."""
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Receives a tensor, and returns from whom."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return get_global_rank(_group(group), work.source_rank())


class P2POp:
    """One send or receive of several that batch_isend_irecv begins."""

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.")
        _check_tensor(tensor, "tensor")
        self.op, self.tensor, self.peer, self.group, self.tag, self.group_peer = op, tensor, peer, group, tag, group_peer


def batch_isend_irecv(p2p_op_list):
    """Begins several sends and receives; a list of what to wait for."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(p, P2POp) for p in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    works = [p.op(p.tensor, p.peer, p.group, p.tag, p.group_peer) for p in p2p_op_list]
    return [work for work in works if work is not None]


# Objects of Python, pickled.

def _to_tensor(obj):
    buffer = io.BytesIO()
    pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
    from .. import frombuffer, int64, tensor, uint8

    data = frombuffer(bytearray(buffer.getvalue()), dtype=uint8)
    return data, tensor([data.numel()], dtype=int64)


def _to_object(t, size):
    return pickle.loads(bytes(t[:size].tolist()) if size < 64 else t[:size].numpy().tobytes())


def _padded(data, size):
    if data.numel() == size:
        return data
    padded = data.new_zeros(size)
    padded[:data.numel()] = data
    return padded


def _gather_sizes(pg, size):
    sizes = size.new_zeros(pg.size())
    Work([pg._all_gather_into(sizes, size)]).wait()
    return sizes.tolist()


def all_gather_object(object_list, obj, group=None):
    """Gives all ranks the objects of all."""
    pg = _group(group)
    if pg is None:
        return
    data, size = _to_tensor(obj)
    sizes = _gather_sizes(pg, size)
    most = max(sizes)
    all_of_them = data.new_zeros(most * pg.size())
    Work([pg._all_gather_into(all_of_them, _padded(data, most))]).wait()
    for r, n in enumerate(sizes):
        object_list[r] = _to_object(all_of_them[r * most:(r + 1) * most], n)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """Gives one rank the objects of all."""
    pg = _group(group)
    if pg is None:
        return
    root = _root(pg, 0 if dst is None and group_dst is None else dst, group_dst, "dst")
    if root == pg.rank() and not object_gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if root != pg.rank() and object_gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    data, size = _to_tensor(obj)
    sizes = _gather_sizes(pg, size)
    most = max(sizes)
    parts = [data.new_zeros(most) for _ in sizes] if root == pg.rank() else []
    Work([pg._gather(parts, _padded(data, most), root)]).wait()
    for r, part in enumerate(parts):
        object_gather_list[r] = _to_object(part, sizes[r])


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """Gives all ranks the objects of one."""
    pg = _group(group)
    if pg is None:
        return
    root = _root(pg, 0 if src is None and group_src is None else src, group_src, "src")
    from .. import empty, int64, uint8

    if pg.rank() == root:
        data, size = _to_tensor(list(object_list))
        Work([pg._broadcast(size, root)]).wait()
        Work([pg._broadcast(data, root)]).wait()
        return
    size = empty(1, dtype=int64)
    Work([pg._broadcast(size, root)]).wait()
    data = empty(size.item(), dtype=uint8)
    Work([pg._broadcast(data, root)]).wait()
    for i, obj in enumerate(_to_object(data, data.numel())):
        object_list[i] = obj


def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None):
    """Gives each rank one of the objects of one rank."""
    pg = _group(group)
    if pg is None:
        return
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = _root(pg, 0 if src is None and group_src is None else src, group_src, "src")
    everything = [list(scatter_object_input_list) if pg.rank() == root else None]
    broadcast_object_list(everything, group=pg, group_src=root)
    scatter_object_output_list[0] = everything[0][pg.rank()]


def send_object_list(object_list, dst=None, group=None, device=None, group_dst=None, use_batch=False):
    """Sends objects to one rank."""
    data, size = _to_tensor(list(object_list))
    send(size, dst, group, 0, group_dst)
    send(data, dst, group, 0, group_dst)


def recv_object_list(object_list, src=None, group=None, device=None, group_src=None, use_batch=False):
    """Receives objects, and returns from whom."""
    from .. import empty, int64, uint8

    size = empty(1, dtype=int64)
    rank = recv(size, src, group, 0, group_src)
    data = empty(size.item(), dtype=uint8)
    recv(data, rank, group)
    for i, obj in enumerate(_to_object(data, data.numel())):
        object_list[i] = obj
    return rank


class ProcessGroupGloo:
    """The name by which programs make a group over Gloo themselves."""

    def __new__(cls, store, rank, size, timeout=default_pg_timeout):
        return ProcessGroup("gloo", store, rank, size, _seconds(timeout), "gloo")


# What groups offer as methods.

def _single(x):
    return x[0] if isinstance(x, (list, tuple)) else x


def _option(opts, name, default):
    return getattr(opts, name, default) if opts is not None else default


ProcessGroup.allreduce = lambda self, tensors, opts=None: Work(
    [self._allreduce(_single(tensors), _op_name(_option(opts, "reduceOp", opts) or "SUM"))], [_single(tensors)])
ProcessGroup.broadcast = lambda self, tensors, opts=None: Work(
    [self._broadcast(_single(tensors), opts if isinstance(opts, int) else _option(opts, "rootRank", 0))], [_single(tensors)])
ProcessGroup.allgather = lambda self, outputs, inputs, opts=None: Work([self._allgather(_single(outputs), _single(inputs))], _single(outputs))
ProcessGroup.barrier = lambda self, opts=None: Work([self._barrier()])
ProcessGroup.send = lambda self, tensors, to, tag: Work([self._send(_single(tensors), to, tag)])
ProcessGroup.recv = lambda self, tensors, source, tag: Work([self._recv(_single(tensors), source, tag)])
ProcessGroup.name = lambda self: self._backend()
del _name, _op
