"""Runs workloads in one library, for bench/run.py: a JSON object per line in, one per line out.

usage: worker.py library threads     library: taut, torch, compile, jax

    {"do": "rows"}                  what there is, described
    {"do": "prepare", "row": name}  sets it up; answers the result's checksum and the work of a call
    {"do": "time"}                  answers seconds per call of the row prepared last
    {"do": "memory", "row": name}   answers the bytes it takes at its peak, in a child of its own
    {"do": "probe"}                 answers the flops and the bytes per second this library reaches
"""

import gc
import json
import os
import sys
import time
import timeit
import traceback

import data
import workloads

CLOCK = time.process_time if os.environ.get("CLOCK") == "cpu" else time.perf_counter
SECONDS = 0.005 if workloads.QUICK else 0.012  # of one repetition
REPETITIONS = 2 if workloads.QUICK else 3  # per round, the best counts; long calls once


def tensors(value):
    """The tensors in a result, in order."""
    if value is None:
        return []
    return [t for part in value for t in tensors(part)] if isinstance(value, (list, tuple)) else [value]


class TorchRunner:
    """PyTorch, PyTorch compiled, or Taut."""

    def __init__(self, library, threads):
        self.torch = workloads.load("taut" if library == "taut" else "torch")
        self.compiled = library == "compile"
        self.threads = threads
        self.version = self.torch.__version__

    def rows(self):
        return [row.described() for row in workloads.ROWS.values() if row.compile or not self.compiled]

    def setup(self, row):
        self.torch.set_num_threads(self.threads)
        if self.compiled:
            self.torch._dynamo.reset()
        return row.setup(self.torch.compile if self.compiled else lambda f: f)

    def array(self, tensor):
        return tensor.detach().numpy()

    def probe_matmul(self, n):
        a, b = self.torch.ones(n, n), self.torch.ones(n, n)
        return lambda: a @ b

    def probe_copy(self, count):
        a, b = self.torch.ones(count), self.torch.ones(count)
        return lambda: b.copy_(a)

    def ready(self):
        self.torch.set_num_threads(self.threads)


class JaxRunner:
    def __init__(self, threads):
        import jax
        import jax_workloads

        self.twins, self.version = jax_workloads, jax.__version__

    def rows(self):
        return [row.described() for row in workloads.ROWS.values() if self.twins.setup(row)]

    def setup(self, row):
        return self.twins.setup(row)()

    def array(self, tensor):
        return tensor

    def ready(self):
        pass

    def probe_matmul(self, n):
        return self.twins.probe_matmul(n)

    probe_copy = None


class Worker:
    def __init__(self, library, threads):
        self.runner = JaxRunner(threads) if library == "jax" else TorchRunner(library, threads)
        self.work = None

    def rows(self, request):
        return {"rows": self.runner.rows(), "version": self.runner.version}

    def prepare(self, request):
        self.work = None
        gc.collect()
        row = self.row = workloads.ROWS[request["row"]]
        self.work = self.runner.setup(row)
        self.timer = (
            self.work.timer(CLOCK)
            if isinstance(self.work, workloads.Statement)
            else timeit.Timer(self.work, timer=CLOCK)
        )
        if row.timed:
            return {"check": [], "flops": 0, "bytes": 0}
        results = [[self.runner.array(t).copy() for t in tensors(self.work())] for _ in range(row.steps)]
        check = data.checksum([array for result in results for array in result])
        self.calls, seconds = 1, self.timer.timeit(1)
        while seconds < SECONDS / 2 and self.calls < 10**6:
            self.calls = max(self.calls + 1, min(self.calls * 10, int(self.calls * SECONDS / max(seconds, 1e-9))))
            seconds = self.timer.timeit(self.calls)
        self.repetitions = REPETITIONS if seconds < 4 * SECONDS else 1
        return {"check": check, "flops": row.flops, "bytes": row.bytes}

    def time(self, request):
        gc.collect()
        if self.row.timed:
            return {"seconds": self.work()[0]}
        return {"seconds": min(self.timer.repeat(self.repetitions, self.calls)) / self.calls}

    def memory(self, request):
        """In a child, so that nothing is left over from other rows. This process itself never computes anything."""
        here, there = os.pipe()
        child = os.fork()
        if child == 0:
            answer = guarded(self.peak, request)
            os.write(there, json.dumps(answer).encode())
            os._exit(0)
        os.close(there)
        with os.fdopen(here) as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        return json.loads(answer or '{"error": "the process died"}')

    def peak(self, request):
        row, before = workloads.ROWS[request["row"]], memory("RssAnon")
        work = self.runner.setup(row)
        if row.timed:
            return {"bytes": work()[1]}
        for _ in range(3):
            work()
        gc.collect()
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # the peak starts anew
        for _ in range(2):
            work()
        return {"bytes": memory("VmHWM") - memory("RssFile") - memory("RssShmem") - before}

    def probe(self, request):
        self.runner.ready()
        flops = max(2 * n**3 / best(self.runner.probe_matmul(n)) for n in (768, 1536))
        copies = {}
        if self.runner.probe_copy:
            copies = {size: size / best(self.runner.probe_copy(size // 8)) for size in request["sizes"]}
        return {"flops": flops, "copies": copies}


def best(work):
    work()
    timer = timeit.Timer(work, timer=CLOCK)
    calls = max(1, int(0.01 / timer.timeit(1)))
    return min(timer.repeat(7, calls)) / calls


def memory(field):
    """Bytes, from /proc/self/status."""
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def guarded(f, request):
    try:
        return f(request)
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}


def main():
    library, threads = sys.argv[1], int(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")  # what a library prints goes elsewhere
    os.dup2(2, 1)
    worker = Worker(library, threads)
    gc.collect()
    gc.freeze()  # what a library made at its import is not looked at between rounds
    for line in sys.stdin:
        request = json.loads(line)
        answer = guarded(getattr(worker, request["do"]), request)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
