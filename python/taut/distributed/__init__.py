"""Several processes: not there. is_available() says so, and what would need them raises."""

from enum import Enum as _Enum

from .._refuse import loading as _loading, refusals as _refusals

_WHY = "there is no communication between processes; torch.distributed.is_available() is False"


def is_available():
    """Can processes talk to each other? No."""
    return False


def is_initialized():
    """Do they? No."""
    return False


is_mpi_available = is_nccl_available = is_gloo_available = is_ucc_available = is_xccl_available = is_torchelastic_launched = is_available


def is_backend_available(backend):
    """Is there this way to communicate? No."""
    return False


class ReduceOp(_Enum):
    """How values are reduced."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


class Backend(str):
    """The name of a way to communicate."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"

    def __new__(cls, name):
        return str.__new__(cls, name.lower())


class DistError(RuntimeError):
    """An error of communication: never raised."""


class DistBackendError(DistError):
    """An error of what communicates: never raised."""


class DistNetworkError(DistError):
    """An error of the network: never raised."""


class DistStoreError(DistError):
    """An error of the store: never raised."""


class group:
    """The group of all processes: none."""

    WORLD = None


class GroupMember:
    """Membership of a group."""

    WORLD, NON_GROUP_MEMBER = None, -100


def get_rank(group=None):
    """Raises: no process group was made."""
    raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


get_world_size = get_backend = get_rank

globals().update(_refusals("distributed", "init_process_group destroy_process_group new_group new_subgroups barrier monitored_barrier all_reduce "
                           "reduce broadcast all_gather all_gather_into_tensor all_gather_object gather gather_object scatter "
                           "scatter_object_list reduce_scatter reduce_scatter_tensor all_to_all all_to_all_single send recv isend irecv "
                           "batch_isend_irecv P2POp broadcast_object_list send_object_list recv_object_list ProcessGroup ProcessGroupGloo "
                           "Work Store TCPStore FileStore HashStore PrefixStore DeviceMesh init_device_mesh get_process_group_ranks "
                           "get_global_rank get_group_rank get_node_local_rank rendezvous GradBucket", _WHY))
ReduceOp.__module__ = "torch.distributed.distributed_c10d"
reduce_op = ReduceOp
__getattr__ = _loading("distributed", {"algorithms", "distributed_c10d", "fsdp", "optim", "rpc", "tensor", "utils", "elastic", "device_mesh", "checkpoint",
                                       "nn"})
