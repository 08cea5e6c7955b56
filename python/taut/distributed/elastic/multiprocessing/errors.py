"""@record: what a process failed with is in the launcher's summary."""

import functools
import json
import os
import time
import traceback

__all__ = ["record"]


def record(fn, error_handler=None):
    """A decorator for main(): its exception is written where the launcher reads it."""

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except SystemExit:
            raise
        except Exception as error:
            path = os.environ.get("TORCHELASTIC_ERROR_FILE")
            if path:
                text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
                with open(path, "w") as f:
                    json.dump({"message": {"message": f"{type(error).__name__}: {error}",
                                           "extraInfo": {"py_callstack": text, "timestamp": str(int(time.time()))}}}, f)
            raise

    return wrapped
