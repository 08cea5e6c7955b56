"""What importlib.metadata says of the package torch while its name means Taut."""

import importlib.metadata

from . import __version__


class Torch(importlib.metadata.Distribution):
    """A distribution without files: a name and a version."""

    def read_text(self, filename):
        """The text of a file of the distribution; None for files it has not."""
        if filename in ("METADATA", "PKG-INFO"):
            return f"Metadata-Version: 2.1\nName: torch\nVersion: {__version__}\nSummary: Taut by the name of torch\n"
        return None

    def locate_file(self, path):
        """Where a file would be."""
        import pathlib

        return pathlib.Path(__file__).parent / path
