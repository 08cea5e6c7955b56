"""What programs started by the launcher use."""

from . import multiprocessing
