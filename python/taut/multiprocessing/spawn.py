"""spawn(f, args, nprocs): f(i, *args) in several processes; the first error ends all of them."""

import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import tempfile
import traceback


class ProcessException(Exception):
    """A process did not end well."""

    def __init__(self, msg, error_index, pid):
        super().__init__(msg)
        self.msg, self.error_index, self.pid = msg, error_index, pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A process raised an exception."""


class ProcessExitedException(ProcessException):
    """A process was killed, or ended itself with an exit code."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)


def _run(f, i, args, error_file):
    try:
        f(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


class ProcessContext:
    """Processes that were started together."""

    def __init__(self, processes, error_files):
        self.processes, self.error_files = processes, error_files
        self.sentinels = {p.sentinel: k for k, p in enumerate(processes)}

    def pids(self):
        """Their numbers."""
        return [int(p.pid) for p in self.processes]

    def _finish(self):
        for p in self.processes:
            p.join()
        for name in self.error_files:
            if os.path.exists(name):
                os.unlink(name)

    def join(self, timeout=None, grace_period=None):
        """Waits until one has failed (raises) or some have ended; True when all have."""
        if not self.sentinels:
            return True
        ready = multiprocessing.connection.wait(list(self.sentinels), timeout=timeout)
        failed = None
        for sentinel in ready:
            k = self.sentinels.pop(sentinel)
            self.processes[k].join()
            if self.processes[k].exitcode != 0 and failed is None:
                failed = k
        if failed is None:
            if not self.sentinels:
                self._finish()
            return not self.sentinels
        for p in self.processes:
            if p.is_alive():
                p.terminate()
        for p in self.processes:
            p.join(grace_period if grace_period is not None else 30)
            if p.is_alive():
                p.kill()
                p.join()
        process, name = self.processes[failed], self.error_files[failed]
        text = None
        if os.path.exists(name) and os.path.getsize(name):
            with open(name, "rb") as file:
                text = pickle.load(file)
        self._finish()
        if text is not None:
            raise ProcessRaisedException(f"\n\n-- Process {failed} terminated with the following error:\n{text}", failed, process.pid)
        if process.exitcode < 0:
            try:
                word = signal.Signals(-process.exitcode).name
            except ValueError:
                word = f"<Unknown signal {-process.exitcode}>"
            raise ProcessExitedException(f"process {failed} terminated with signal {word}", failed, process.pid, process.exitcode, word)
        raise ProcessExitedException(f"process {failed} terminated with exit code {process.exitcode}", failed, process.pid, process.exitcode)


class SpawnContext(ProcessContext):
    """An old name of it."""


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn", **options):
    """fn(i, *args) in nprocs processes. Returns None when all have ended, or a ProcessContext without join."""
    context = multiprocessing.get_context(start_method)
    processes, files = [], []
    for i in range(nprocs):
        handle, name = tempfile.mkstemp(prefix="pytorch-errorfile-", suffix=".pickle")
        os.close(handle)
        os.unlink(name)
        process = context.Process(target=_run, args=(fn, i, args, name), daemon=daemon)
        process.start()
        processes.append(process)
        files.append(name)
    made = ProcessContext(processes, files)
    if not join:
        return made
    while not made.join():
        pass


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """fn(i, *args) in nprocs processes that are spawned."""
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")


for _class in (ProcessException, ProcessRaisedException, ProcessExitedException, ProcessContext, SpawnContext, spawn, start_processes):
    _class.__module__ = "torch.multiprocessing.spawn"
for _class in (ProcessException, ProcessRaisedException, ProcessExitedException):
    _class.__module__ = __name__  # they are pickled by it
