"""Runs the tests against the package of the source tree when it is not installed."""

import os
import sys

try:
    import taut  # noqa: F401
except ImportError:
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
