#!/usr/bin/env python3
"""This checkout beside another one (an older revision, built too): the same rows in turns, as ratios of their times.

usage: against.py DIRECTORY [what]     what: a regular expression for names and groups of rows

Environment: ROUNDS=n, THREADS=1,2. Above 1: this checkout is faster. The programs in C++ are not compared; for what an op
costs there, `make bench-instructions` counts.
"""

import math
import os
import re
import sys
from pathlib import Path

import run

LOSS = 0.95  # a row below it is listed again at the end, after three times as many rounds


def times_of(workers, name, rounds):
    """The best of some rounds on either side, or None where a side lacks the row."""
    best = []
    for worker in workers:
        if "error" in worker.ask("prepare", row=name):
            return None
        best.append(math.inf)
    for _ in range(rounds):
        for side, worker in enumerate(workers):
            best[side] = min(best[side], worker.ask("time").get("seconds", math.inf))
    return best


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    other, what = Path(sys.argv[1]).resolve(), re.compile(sys.argv[2] if len(sys.argv) > 2 else "", re.IGNORECASE)
    rounds = int(os.environ.get("ROUNDS") or 5)
    for threads in run.THREADS:
        workers = [run.Worker("taut", threads), run.Worker("taut", threads, other)]
        rows = [row for row in workers[0].ask("rows")["rows"]
                if not row["timed"] and (what.search(row["name"]) or what.search(row["group"]))]
        ratios = {}
        for number, row in enumerate(rows, 1):
            run.progress(f"{number} of {len(rows)}: {row['name']}")
            best = times_of(workers, row["name"], rounds)
            if best and best[1] / best[0] < LOSS:
                again = times_of(workers, row["name"], 3 * rounds)
                best = [min(pair) for pair in zip(best, again)]
            if best and math.inf not in best:
                ratios[row["name"]] = best[1] / best[0]
                print(f"{row['name'][:60]:62}{threads:>2}{run.report.duration(best[0]):>10}{best[1] / best[0]:8.2f}x", flush=True)
        for worker in workers:
            worker.stop()
        if not ratios:
            sys.exit("no such row on both sides")
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(f"{threads} thread(s): {len(ratios)} rows, geometric mean {mean:.3f}x")
        for name, ratio in sorted(ratios.items(), key=lambda item: item[1]):
            if ratio < LOSS:
                print(f"  slower: {name} {ratio:.2f}x")


if __name__ == "__main__":
    main()
