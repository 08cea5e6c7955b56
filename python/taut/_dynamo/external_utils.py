"""Is something being compiled?"""

from ..compiler import is_compiling  # noqa: F401
