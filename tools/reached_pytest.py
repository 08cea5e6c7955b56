"""What tools/mutants.py adds to pytest.

With TAUT_REACHED it notes what each test reaches (reached.cpp); the name of one that fails begins with an exclamation mark, and
what collecting them all reaches is called "collection". TAUT_CHOSEN names a file of the tests that are to be run, one per line.
"""

import ctypes
import os
import time

import pytest

note = ctypes.CDLL(None).reached_note if "TAUT_REACHED" in os.environ else None
failed = set()


def pytest_collection_modifyitems(items):
    if "TAUT_CHOSEN" in os.environ:
        with open(os.environ["TAUT_CHOSEN"]) as file:
            chosen = set(file.read().splitlines())
        items[:] = [item for item in items if item.nodeid in chosen]


def pytest_collection_finish():
    if note:
        note(b"collection", 0)


def pytest_runtest_logreport(report):
    if report.failed:
        failed.add(report.nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    began = time.monotonic()
    yield
    if note:
        name = "!" * (item.nodeid in failed) + item.nodeid
        note(name.encode(), int(1000 * (time.monotonic() - began)))
