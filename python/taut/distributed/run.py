"""taut-run, torchrun's twin: starts the processes of a training, watches them, and starts them anew when one fails.

    taut-run --nproc-per-node 2 train.py --epochs 3
    python -m taut -m torch.distributed.run --nproc-per-node 2 train.py
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time


def _count(text):
    if text in ("auto", "cpu"):
        return len(os.sched_getaffinity(0))
    if text == "gpu":
        raise argparse.ArgumentTypeError("Cuda is not available.")
    n = int(text)
    if n < 1:
        raise argparse.ArgumentTypeError(f"{n} processes cannot be started")
    return n


def _nodes(text):
    low, _, high = text.partition(":")
    if high and high != low:
        raise argparse.ArgumentTypeError("the number of nodes cannot change while a training runs: give one number")
    return int(low)


class _Options(argparse.ArgumentParser):
    """Takes --nproc_per_node for --nproc-per-node."""

    def add_argument(self, *names, **settings):
        more = [n.replace("-", "_").replace("__", "--", 1) for n in names if n.startswith("--") and "-" in n[2:]]
        return super().add_argument(*names, *[m for m in more if m not in names], **settings)


def get_args_parser():
    """What the command line may say."""
    p = _Options(prog="taut-run", description="Starts the processes of a distributed training.")
    p.add_argument("--nnodes", type=_nodes, default=1, help="how many hosts take part")
    p.add_argument("--nproc-per-node", type=_count, default=1, help="processes on this host; auto: one for each core")
    p.add_argument("--node-rank", type=int, default=int(os.environ.get("NODE_RANK", os.environ.get("GROUP_RANK", 0))), help="which of the hosts this is")
    p.add_argument("--master-addr", default="127.0.0.1", help="the host with node rank 0")
    p.add_argument("--master-port", type=int, default=29500, help="a port there; 0 with one host: any")
    p.add_argument("--rdzv-backend", default="static", choices=["static", "c10d"], help="accepted as torchrun has it: hosts meet at the master's store")
    p.add_argument("--rdzv-endpoint", default="", help="host:port, in the place of --master-addr and --master-port")
    p.add_argument("--rdzv-id", default="none", help="a name of the training")
    p.add_argument("--rdzv-conf", default="", help="timeout=SECONDS")
    p.add_argument("--standalone", action="store_true", help="one host, on any free port")
    p.add_argument("--max-restarts", type=int, default=0, help="how often all processes are started anew when one fails")
    p.add_argument("--monitor-interval", type=float, default=0.1, help="seconds between looks at the processes")
    p.add_argument("--start-method", default="spawn", choices=["spawn", "fork", "forkserver"], help="accepted")
    p.add_argument("--role", default="default", help="a name for the processes, in the environment")
    p.add_argument("-m", "--module", action="store_true", help="the script is a module, as for python -m")
    p.add_argument("--no-python", action="store_true", help="the script is a program")
    p.add_argument("--log-dir", default=None, help="a directory for what the processes print, a file for each rank")
    p.add_argument("-r", "--redirects", default="0", help="what goes to files: 1 standard output, 2 errors, 3 both; or RANK:WHAT,...")
    p.add_argument("-t", "--tee", default="0", help="what goes to files and is shown too")
    p.add_argument("--local-ranks-filter", default="", help="show only what these local ranks print")
    p.add_argument("--local-addr", default=None, help="accepted")
    p.add_argument("training_script", help="the script")
    p.add_argument("training_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return p


def _of_rank(text, rank):
    """1 and 2 in "3", or in "0:1,1:2" for one rank."""
    if ":" not in text:
        return int(text)
    return dict(tuple(map(int, part.split(":"))) for part in text.split(",")).get(rank, 0)


def _free_port():
    with socket.socket() as s:
        s.bind(("", 0))
        return s.getsockname()[1]


class _Worker:
    """One process, and where what it prints goes."""

    def __init__(self, args, rank, local, environment, directory):
        self.rank, self.local, self.ended = rank, local, None
        self.error_file = os.path.join(directory, f"error_{rank}.json")
        environment = dict(environment, TORCHELASTIC_ERROR_FILE=self.error_file)
        command = [] if args.no_python else [sys.executable, "-u", "-m", "taut"] + (["-m"] if args.module else [])
        command += [args.training_script] + args.training_script_args
        to_file, shown = _of_rank(args.redirects, local), _of_rank(args.tee, local)
        quiet = args.local_ranks_filter and str(local) not in args.local_ranks_filter.split(",")
        self._threads, self._files, streams = [], [], []
        for bit, name in ((1, "stdout"), (2, "stderr")):
            if (to_file | shown) & bit or (args.log_dir and quiet):
                os.makedirs(os.path.join(directory, str(local)), exist_ok=True)
                self._files.append(open(os.path.join(directory, str(local), f"{name}.log"), "wb"))
                streams.append(subprocess.PIPE if shown & bit and not quiet else self._files[-1])
            else:
                streams.append(subprocess.DEVNULL if quiet else None)
        self.process = subprocess.Popen(command, env=environment, stdout=streams[0], stderr=streams[1], start_new_session=True)
        for pipe, out, name in ((self.process.stdout, sys.stdout, "stdout"), (self.process.stderr, sys.stderr, "stderr")):
            if pipe:
                file = next(f for f in self._files if f.name.endswith(f"{name}.log"))
                thread = threading.Thread(target=self._copy, args=(pipe, file, out, f"[{args.role}{rank}]:"), daemon=True)
                thread.start()
                self._threads.append(thread)

    @staticmethod
    def _copy(pipe, file, out, mark):
        for line in pipe:
            file.write(line)
            file.flush()
            out.write(mark + line.decode(errors="replace"))
            out.flush()

    def poll(self):
        """The exit code, once it has ended."""
        code = self.process.poll()
        if code is not None and self.ended is None:
            self.ended = time.time()
        return code

    def signal(self, number):
        """To the process and what it started."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def close(self):
        """After it has ended."""
        for thread in self._threads:
            thread.join(2)
        for file in self._files:
            file.close()

    def reason(self):
        """Why it failed, in a line or with its traceback."""
        try:
            with open(self.error_file) as f:
                return json.load(f)["message"]["extraInfo"]["py_callstack"]
        except (OSError, ValueError, KeyError, TypeError):
            return "to see the traceback, decorate main() with torch.distributed.elastic.multiprocessing.errors.record"


class _Failed(Exception):
    pass


def _stop(workers, patience=10.0):
    for w in workers:
        if w.poll() is None:
            w.signal(signal.SIGTERM)
            w.signal(signal.SIGCONT)
    end = time.time() + patience
    for w in workers:
        try:
            w.process.wait(max(0.05, end - time.time()))
        except subprocess.TimeoutExpired:
            w.signal(signal.SIGKILL)
            w.process.wait()
        w.close()


def _watch(args, workers, store, attempt):
    """Until all have ended well. Raises _Failed with who failed first."""
    while True:
        codes = [w.poll() for w in workers]
        bad = [w for w in workers if w.poll() not in (None, 0)]
        if bad:
            return sorted(bad, key=lambda w: w.ended)
        if all(code == 0 for code in codes):
            return []
        if args.nnodes > 1 and store.check([f"failed {attempt}"]):
            raise _Failed(store.get(f"failed {attempt}").decode())
        time.sleep(args.monitor_interval)


def _describe(failures, args):
    def one(w):
        code = w.process.returncode
        told = f"exitcode  : {code} (pid: {w.process.pid})"
        if code < 0:
            told = f"exitcode  : {code} (pid: {w.process.pid}), Signal {-code} ({signal.Signals(-code).name}) received by PID {w.process.pid}"
        when = time.strftime("%Y-%m-%d_%H:%M:%S", time.localtime(w.ended))
        return (f"  time      : {when}\n  host      : {socket.gethostname()}\n  rank      : {w.rank} (local_rank: {w.local})\n  {told}\n  reason    : {w.reason()}")

    line = "=" * 60
    parts = [line, f"{args.training_script} FAILED", "-" * 60, "Failures:"]
    parts += [f"[{i}]:\n{one(w)}" for i, w in enumerate(failures[1:], 1)] or ["  <NO_OTHER_FAILURES>"]
    parts += ["-" * 60, "Root Cause (first observed failure):", f"[0]:\n{one(failures[0])}", line]
    return "\n".join(parts)


def run(args):
    """Starts the processes and watches them; returns the exit code."""
    from .distributed_c10d import TCPStore

    if args.rdzv_endpoint:
        host, _, port = args.rdzv_endpoint.rpartition(":")
        args.master_addr, args.master_port = (host, int(port)) if host else (port, args.master_port)
    if args.standalone or (args.nnodes == 1 and args.master_port in (0, 29500)):
        args.master_addr, args.master_port = "127.0.0.1", _free_port()
    count, world = args.nproc_per_node, args.nnodes * args.nproc_per_node
    store = TCPStore(args.master_addr, args.master_port, is_master=args.node_rank == 0, wait_for_workers=False)
    made = None
    if args.log_dir is None:
        made = tempfile.TemporaryDirectory(prefix="taut-run-")
    directory = made.name if made else os.path.join(args.log_dir, f"{args.rdzv_id}_{int(time.time())}")
    base = dict(os.environ, WORLD_SIZE=str(world), LOCAL_WORLD_SIZE=str(count), GROUP_RANK=str(args.node_rank), GROUP_WORLD_SIZE=str(args.nnodes),
                ROLE_NAME=args.role, ROLE_WORLD_SIZE=str(world), MASTER_ADDR=args.master_addr, MASTER_PORT=str(args.master_port),
                TORCHELASTIC_MAX_RESTARTS=str(args.max_restarts), TORCHELASTIC_RUN_ID=args.rdzv_id, TORCHELASTIC_USE_AGENT_STORE="True")
    if count > 1 and "OMP_NUM_THREADS" not in os.environ:
        base["OMP_NUM_THREADS"] = "1"
    workers = []

    def interrupted(number, frame):
        raise KeyboardInterrupt(number)

    previous = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for attempt in range(args.max_restarts + 1):
            place = os.path.join(directory, f"attempt_{attempt}")
            os.makedirs(place, exist_ok=True)
            workers = [_Worker(args, args.node_rank * count + i, i, dict(base, RANK=str(args.node_rank * count + i), LOCAL_RANK=str(i),
                                                                        ROLE_RANK=str(args.node_rank * count + i), TORCHELASTIC_RESTART_COUNT=str(attempt)),
                               place) for i in range(count)]
            try:
                failures = _watch(args, workers, store, attempt)
                if not failures:
                    for w in workers:
                        w.close()
                    if args.nnodes > 1:  # the host with the store stays until all are done
                        store.add(f"done {attempt}", 1)
                        while args.node_rank == 0 and store.add(f"done {attempt}", 0) < args.nnodes:
                            if store.check([f"failed {attempt}"]):
                                raise _Failed(store.get(f"failed {attempt}").decode())
                            time.sleep(args.monitor_interval)
                    return 0
                end = time.time() + 1.5  # those that fail because of the first have a moment to say so
                while time.time() < end and any(w.poll() is None for w in workers):
                    time.sleep(0.05)
                _stop(workers)
                failures = sorted((w for w in workers if w.process.returncode), key=lambda w: w.ended or time.time())
                summary = _describe(failures, args)
                store.set(f"failed {attempt}", summary)
            except _Failed as e:
                _stop(workers)
                summary = str(e)
            print(summary, file=sys.stderr, flush=True)
            if attempt < args.max_restarts:
                print(f"taut-run: starting all processes anew ({attempt + 1} of {args.max_restarts} restarts)", file=sys.stderr, flush=True)
        if args.nnodes > 1 and args.node_rank == 0:
            time.sleep(2)  # the other hosts read why
        return 1
    except KeyboardInterrupt as e:
        _stop(workers)
        number = e.args[0] if e.args else signal.SIGINT
        print(f"taut-run: stopped by {signal.Signals(number).name}", file=sys.stderr)
        return 128 + number
    finally:
        _stop([w for w in workers if w.poll() is None])
        for number, handler in previous.items():
            signal.signal(number, handler)
        if made:
            made.cleanup()


def main(args=None):
    """The command taut-run."""
    sys.exit(run(get_args_parser().parse_args(args)))


if __name__ == "__main__":
    main()
