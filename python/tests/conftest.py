"""Runs the tests against the package of the source tree when it is not installed."""

import importlib.util
import os
import sys

if importlib.util.find_spec("taut") is None:
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
