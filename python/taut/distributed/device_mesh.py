"""Processes as a grid with named dimensions, a group along each."""

from .. import arange, tensor
from .._C import Tensor
from . import distributed_c10d as dist

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh:
    """The ranks of all processes as a grid. All processes make the same ones."""

    def __init__(self, device_type, mesh, *, mesh_dim_names=None, _groups=None):
        if device_type != "cpu":
            raise RuntimeError(f"DeviceMesh: there is no device of type {device_type!r}: Taut computes on CPUs")
        self.device_type = device_type
        self.mesh = mesh if isinstance(mesh, Tensor) else tensor(mesh)
        self.mesh_dim_names = None if mesh_dim_names is None else tuple(mesh_dim_names)
        if self.mesh_dim_names is not None and len(self.mesh_dim_names) != self.mesh.ndim:
            raise RuntimeError("Each mesh_dim_name must be unique and of the length of mesh's dimensions")
        if _groups is None:
            _groups = []
            for dim in range(self.mesh.ndim):
                mine = None
                for ranks in self.mesh.movedim(dim, -1).reshape(-1, self.mesh.shape[dim]).tolist():
                    made = dist.new_group(ranks) if self.mesh.numel() != dist.get_world_size() or self.mesh.ndim > 1 else dist._get_default_group()
                    mine = made if dist.get_rank() in ranks else mine
                _groups.append(mine)
        self._groups = _groups
        place = (self.mesh == dist.get_rank()).nonzero()
        self._place = place[0].tolist() if place.shape[0] else None

    def _dim(self, dim):
        if isinstance(dim, str):
            if not self.mesh_dim_names or dim not in self.mesh_dim_names:
                raise KeyError(f"mesh_dim '{dim}' is not one of {self.mesh_dim_names}")
            return self.mesh_dim_names.index(dim)
        return dim

    @property
    def ndim(self):
        """How many dimensions it has."""
        return self.mesh.ndim

    @property
    def shape(self):
        """Their sizes."""
        return tuple(self.mesh.shape)

    def size(self, mesh_dim=None):
        """How many processes there are, along one dimension or in all."""
        return self.mesh.numel() if mesh_dim is None else self.mesh.shape[mesh_dim]

    def get_group(self, mesh_dim=None):
        """The group of this process along a dimension."""
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(f"Found the DeviceMesh have {self.ndim} dimensions. Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.")
            mesh_dim = 0
        return self._groups[self._dim(mesh_dim)]

    def get_all_groups(self):
        """The groups of this process, one for each dimension."""
        return list(self._groups)

    def get_coordinate(self):
        """The place of this process."""
        return self._place

    def get_local_rank(self, mesh_dim=None):
        """The place of this process along a dimension."""
        return self.get_group(mesh_dim).rank()

    def get_rank(self):
        """The rank of this process among all."""
        return dist.get_rank()

    def __getitem__(self, names):
        names = (names,) if isinstance(names, str) else tuple(names)
        dims = [self._dim(n) for n in names]
        index = tuple(slice(None) if d in dims else self._place[d] for d in range(self.ndim))
        return DeviceMesh(self.device_type, self.mesh[index], mesh_dim_names=names, _groups=[self._groups[d] for d in dims])

    def __repr__(self):
        return f"DeviceMesh({self.device_type!r}, {self.mesh.tolist()}" + (f", mesh_dim_names={self.mesh_dim_names})" if self.mesh_dim_names else ")")

    def __eq__(self, other):
        return self is other or (isinstance(other, DeviceMesh) and self.mesh.equal(other.mesh) and self.mesh_dim_names == other.mesh_dim_names)

    def __hash__(self):
        return hash((self.shape, self.mesh_dim_names))


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, backend_override=None):
    """All processes as a grid of this shape."""
    if not dist.is_initialized():
        dist.init_process_group()
    count = 1
    for n in mesh_shape:
        count *= n
    if count != dist.get_world_size():
        raise RuntimeError(f"Mesh should not be bigger than default world size {dist.get_world_size()}, but found {count} ranks!"
                           if count > dist.get_world_size() else f"a mesh of {count} ranks does not hold all {dist.get_world_size()} processes")
    return DeviceMesh(device_type, arange(count).reshape(tuple(mesh_shape)), mesh_dim_names=mesh_dim_names)
