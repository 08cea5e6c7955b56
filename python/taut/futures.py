"""Results that come later, and callbacks that wait for them."""

import threading

__all__ = ["Future", "collect_all", "wait_all"]


class Future:
    """A result that somebody sets once."""

    def __init__(self, *, devices=None):
        self._ready, self._lock, self._callbacks = threading.Event(), threading.Lock(), []
        self._value = self._error = None

    def __class_getitem__(cls, item):
        return cls

    def done(self):
        """Is the result there?"""
        return self._ready.is_set()

    def wait(self):
        """The result, as soon as it is there; raises what was set instead."""
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self._value

    def value(self):
        """The result, which must be there."""
        if not self.done():
            raise RuntimeError("Expected future to be completed, call wait() first")
        return self.wait()

    def _complete(self, value, error):
        with self._lock:
            if self.done():
                raise RuntimeError("Attempting to mark a completed Future as complete again. Note that a Future can only be marked "
                                   "completed once.")
            self._value, self._error = value, error
            self._ready.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def set_result(self, result):
        """Sets the result and calls the callbacks."""
        self._complete(result, None)

    def set_exception(self, result):
        """Sets an exception, which wait() raises."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._complete(None, result)

    def _when_done(self, callback):
        with self._lock:
            if not self.done():
                self._callbacks.append(callback)
                return
        callback()

    def then(self, callback):
        """A future of what callback(this future) gives, once this one is done."""
        following = Future()

        def run():
            try:
                value = callback(self)
            except Exception as problem:
                following._complete(None, problem)
            else:
                following._complete(value, None)

        self._when_done(run)
        return following

    def add_done_callback(self, callback):
        """Calls callback(this future) once it is done."""

        def run():
            try:
                callback(self)
            except Exception as problem:
                import logging

                logging.getLogger("torch.futures").error("a callback of a Future raised: %r", problem)

        self._when_done(run)


Future.__module__ = "torch.futures"


def collect_all(futures):
    """A future of the list of futures, once all of them are done; an exception of one is its own."""
    futures, collected, lock = list(futures), Future(), threading.Lock()
    missing = [len(futures)]
    if not futures:
        collected.set_result([])

    def one_less():
        with lock:
            missing[0] -= 1
            last = missing[0] == 0
        if last:
            error = next((f._error for f in futures if f._error is not None), None)
            collected._complete(None if error else futures, error)

    for future in futures:
        future._when_done(one_less)
    return collected


def wait_all(futures):
    """The results of all futures."""
    return [f.wait() for f in collect_all(futures).wait()]
