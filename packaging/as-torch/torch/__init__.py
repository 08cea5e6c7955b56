"""Taut by the name of torch, for a whole environment: what `import torch` gives is the package taut itself."""

import sys

del sys.modules[__name__]  # as_torch() puts taut there, and the import takes what it finds

import taut  # noqa: E402

taut.as_torch()
