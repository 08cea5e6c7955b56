"""What is noted at steps while they are recorded."""

import contextlib
import traceback

_current = {}
_preserved = False


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    """Within it, Interpreter notes at new steps what stood at those it runs."""
    global _preserved
    before, _preserved = _preserved, enable
    try:
        yield
    finally:
        _preserved = before


def has_preserved_node_meta():
    """Is preserve_node_meta() on?"""
    return _preserved


@contextlib.contextmanager
def annotate(notes):
    """Within it, these notes are current."""
    global _current
    before, _current = _current, {**_current, "custom": {**_current.get("custom", {}), **notes}}
    try:
        yield
    finally:
        _current = before


def get_current_meta():
    """The notes that are current."""
    return _current


def format_stack():
    """Where the program is, as lines."""
    return traceback.format_list(traceback.extract_stack()[:-1])
