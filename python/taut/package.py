"""torch.package is not there: its names are, and say so."""

from ._refuse import lacking as _lacking, refusals as _refusals

globals().update(_refusals("package", "PackageExporter PackageImporter Importer OrderedImporter sys_importer GlobGroup Directory analyze "
                           "find_file_dependencies", "code is packed by pip, tensors by torch.save"))


class PackagingError(ValueError):
    """A package cannot be made: never raised."""


class EmptyMatchError(Exception):
    """Nothing fits a pattern: never raised."""


class ObjNotFoundError(Exception):
    """An object cannot be found: never raised."""


class ObjMismatchError(Exception):
    """Another object was found: never raised."""


def is_from_package(obj):
    """Does an object come from a package? No."""
    return False


__getattr__ = _lacking("package")
