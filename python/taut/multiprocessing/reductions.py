"""How tensors go from one process to another: their memory is a file that both map; what is sent is the file and their shape.

A tensor whose memory is not shared yet is moved there when it is sent, if nothing else stands over its memory; otherwise a copy is sent,
and what the receiver writes is not seen here.
"""

import itertools
import mmap
import os
import tempfile
import weakref
from multiprocessing import reduction
from multiprocessing.reduction import ForkingPickler

from .. import _C, _pickling
from .._C import Tensor
from ..nn.parameter import Buffer, Parameter

strategy = "file_descriptor"
_numbers = itertools.count()
_by_address = {}  # where a storage starts: its _Memory, which goes with it
_by_file = weakref.WeakValueDictionary()  # (device, inode): the _Memory that maps it here


class _Memory(mmap.mmap):
    """A mapped file that knows how to be sent."""

    fd, path, key = -1, None, None


def _forget(address, fd, path, owner):
    _by_address.pop(address, None)
    try:
        os.close(fd)
    except OSError:
        pass
    if path is not None and owner == os.getpid():  # those who have mapped it keep it
        try:
            os.unlink(path)
        except OSError:
            pass


def _mapped(fd, nbytes, path, owner):
    """The bytes of a file as a tensor; takes the file over."""
    status = os.fstat(fd)
    key = (status.st_dev, status.st_ino)
    memory = _by_file.get(key)
    if memory is not None:  # it is here already: the same memory for all tensors over it
        os.close(fd)
        if path is not None:
            os.unlink(path)
        return _C._from_buffer(memoryview(memory))
    memory = _Memory(fd, nbytes)
    memory.fd, memory.path, memory.key = fd, path, key
    base = _C._from_buffer(memoryview(memory))
    address = _C._storage(base)[0]
    _by_file[key] = memory
    _by_address[address] = weakref.ref(memory)
    weakref.finalize(memory, _forget, address, fd, path, owner).atexit = path is not None
    return base


def memory_of(t):
    """The _Memory of a tensor; None if its memory is not shared."""
    held = _by_address.get(_C._storage(t)[0])
    return held() if held is not None else None


def _new_memory(nbytes):
    if strategy == "file_system":
        directory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        fd, path = tempfile.mkstemp(prefix=f"torch_{os.getpid()}_", dir=directory)
    else:
        fd, path = (os.memfd_create("torch", os.MFD_CLOEXEC) if hasattr(os, "memfd_create") else _unlinked()), None
    os.ftruncate(fd, nbytes)
    return _mapped(fd, nbytes, path, os.getpid())


def _own_name(path):
    """Another name beside a file."""
    return os.path.join(os.path.dirname(path), f"torch_{os.getpid()}_{next(_numbers)}_{os.urandom(4).hex()}")


def _unlinked():
    fd, path = tempfile.mkstemp()
    os.unlink(path)
    return fd


def _in_shared_memory(t):
    """A tensor of the same numbers, sizes and strides whose memory is shared: all of the memory that t stands over is copied."""
    raw = _C._storage_elements(t.detach(), _C.uint8)
    base = _new_memory(raw.numel())
    base.copy_(raw)
    whole = _C._storage_elements(base, t.dtype)
    return whole.as_strided(t.shape, t.stride(), t.storage_offset())


def share(t):
    """Moves the memory of a tensor to where other processes can map it."""
    if t.is_meta or t._layout:
        raise NotImplementedError("share_memory_() is for dense tensors with memory")
    if not t.numel() or memory_of(t) is not None:
        return t
    if not _alone(t):
        raise RuntimeError("share_memory_(): other tensors (views, or values saved for backward) stand over the same memory and would not "
                           "move with it; share it before they are made, or share a clone()")
    shared = _in_shared_memory(t)
    before = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        _C._set_storage(t, _C._storage_elements(shared, t.dtype), t.storage_offset(), list(t.shape), list(t.stride()))
    finally:
        _C._set_grad_enabled(before)
    return t


def _alone(t):
    return not t._is_view() and _C._storage_is_unique(t)


def rebuild_tensor(cls, handle, nbytes, dtype_name, sizes, strides, offset, requires_grad, attributes):
    """The tensor over the memory that was sent."""
    if nbytes == 0:
        made = _C._empty(sizes, None, getattr(_C, dtype_name))
    else:
        path = None
        if isinstance(handle, str):  # a name made for this message: it becomes the name here
            fd, path = os.open(handle, os.O_RDWR), _own_name(handle)
            os.rename(handle, path)
        else:
            fd = handle.detach()
        base = _mapped(fd, nbytes, path, os.getpid())
        made = _C._storage_elements(base, getattr(_C, dtype_name)).as_strided(sizes, strides, offset)
    if cls is not None:
        made = cls(made, requires_grad) if cls in (Parameter, Buffer) else Tensor._make_subclass(cls, made, requires_grad)
    elif requires_grad:
        made.requires_grad_()
    if attributes:
        made.__dict__.update(attributes)
    return made


def reduce_tensor(t):
    """What is sent of a tensor."""
    if t.requires_grad and not t.is_leaf:
        raise RuntimeError("Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing "
                           "process boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing "
                           "(e.g., putting it on the queue).")
    if t._layout or t.is_meta or t.is_conj():
        return _pickling.reduce_tensor(t)
    cls = None if type(t) is Tensor else type(t)
    attributes = getattr(t, "__dict__", None) or None
    sent = t
    if t.numel() and memory_of(t) is None:
        if _alone(t):
            share(t)
        else:
            sent = _in_shared_memory(t)
    memory = memory_of(sent) if t.numel() else None
    handle, nbytes = None, 0
    if memory is not None:
        nbytes = len(memory)
        if memory.path is not None:
            handle = _own_name(memory.path)
            os.link(memory.path, handle)
        else:
            handle = reduction.DupFd(memory.fd)
    return rebuild_tensor, (cls, handle, nbytes, str(t.dtype)[6:], tuple(sent.shape), sent.stride(), sent.storage_offset(), t.requires_grad,
                            attributes)


def init_reductions():
    """From here on queues and pipes send tensors by their memory."""
    for cls in (Tensor, Parameter, Buffer):
        ForkingPickler.register(cls, reduce_tensor)
    _carry_to_children()


class _Names:
    """Something whose unpickling lets `import torch` give Taut."""

    def __reduce__(self):
        from .._as_torch import as_torch

        return as_torch, ()


def _carry_to_children():
    """A process that is spawned imports the program anew; where `import torch` gives Taut here, it must there."""
    import sys
    from multiprocessing import spawn

    before = spawn.get_preparation_data
    if getattr(before, "_of_taut", False):
        return

    def get_preparation_data(name):
        data = before(name)
        if sys.modules.get("torch") is sys.modules[__package__.partition(".")[0]]:
            data = {"taut": _Names(), **data}
        return data

    get_preparation_data._of_taut = True
    spawn.get_preparation_data = get_preparation_data
