#!/usr/bin/env python3
"""Writes results as a table (Markdown) and as a bar chart (SVG).

usage: report.py results.json directory

`results` is what bench/run.py gathers: {"machine": ..., "probes": ..., "rows": [row, ...]}; a row has name, group,
goal, memory, differs, and threads: {"1": {"taut": seconds, "torch": ..., "jax": ..., "share": ...}, "2": ...}.
"""

import html
import json
import math
import re
import sys
from pathlib import Path

import reasons

PEERS = {"torch": "PyTorch", "compile": "torch.compile", "jax": "JAX"}
BEHIND_COMPILERS = 1.3  # no row may take longer than this many times the best of torch.compile and JAX


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ratio(times, peer):
    """How many times as fast as the peer Taut is, or None."""
    ours, theirs = times.get("taut"), times.get(peer)
    return theirs / ours if ours and theirs else None


def memory_ratio(row):
    memory = row.get("memory", {})
    if not memory.get("torch") or "taut" not in memory or max(memory["torch"], memory["taut"]) < 1 << 20:
        return None
    return max(memory["taut"], 0) / memory["torch"]


def misses(row):
    """What the row falls short of, in words; empty when all is well."""
    found = []
    if row.get("error"):
        return [row["error"]]
    for times in row["threads"].values():
        mine = ratio(times, "torch")
        if mine is not None and round(mine, 2) < row["goal"]:
            found.append("PyTorch")
        best = min((times[p] for p in ("compile", "jax") if times.get(p)), default=None)
        if best and times.get("taut") and times["taut"] > BEHIND_COMPILERS * best:
            found.append("compilers")
        if row.get("share_goal") and times.get("share") and times["share"] < row["share_goal"]:
            found.append("bandwidth")
    used = memory_ratio(row)
    if row.get("memory_goal") and used is not None and used > row["memory_goal"]:
        found.append("memory")
    if row.get("differs"):
        found.append("RESULTS DIFFER")
    return sorted(set(found))


def shortfall(row):
    """How far from its goal the row is at its worst: 1 is there, 0.5 is half the speed it should have."""
    if row.get("error"):
        return 0
    return min((r / row["goal"] for t in row["threads"].values() if (r := ratio(t, "torch"))), default=1)


def cells(row, threads, value, form):
    """The value with each number of threads, as `a / b`; empty when there is none."""
    found = [value(row["threads"].get(t, {})) for t in threads]
    return "" if all(f is None for f in found) else " / ".join("–" if f is None else form(f) for f in found)


def times_form(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def markdown(results):
    rows, threads = results["rows"], results["threads"]
    good = sum(not misses(row) for row in rows)
    lines = [
        "# Taut beside PyTorch and JAX",
        "",
        results["machine"],
        "",
        f"{good} of {len(rows)} rows meet their goals. Numbers with {' and '.join(threads)} thread(s) are written "
        "`a / b`. A ratio says how many times as fast as that peer Taut is (above 1: Taut is faster). "
        "Limit: the share of the peak flops or of the copy bandwidth that the same run measured, if all inputs, "
        "results and gradients are "
        "moved once (above 100%: some need not be). Memory: Taut's peak over PyTorch's. "
        "Goal: the ratio to PyTorch that is asked for.",
        "",
        "![ratio to PyTorch](results.svg)",
        "",
    ]
    behind = sorted((row for row in rows if misses(row)), key=shortfall)
    for group in dict.fromkeys(row["group"] for row in rows):
        lines += [
            f"## {group[0].upper()}{group[1:]}",
            "",
            "| | Taut | PyTorch | torch.compile | JAX | limit | memory | goal | met |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for row in (r for r in rows if r["group"] == group):
            lines.append("| " + " | ".join(columns(row, threads)) + " |")
        lines.append("")
    if behind:
        lines += ["## Behind their goals, and why", ""]
        lines += ["The reasons are from profiles of Taut, but for guesses, which say so; the furthest behind come first.", ""]
        for why, of in by_reason(behind).items():
            lines += [f"**{why}**", "", *(f"- {shortfall_line(row, threads)}" for row in of), ""]
    lines += ["## Probes", "", "| threads | matmul, Gflop/s | copy, GB/s by bytes moved |", "|---|---|---|"]
    for t in threads:
        probe = results["probes"].get(t)
        if probe:
            sizes = ", ".join(f"{int(s) >> 10}K: {b / 1e9:.0f}" for s, b in probe["copies"].items())
            lines.append(f"| {t} | {probe['flops'] / 1e9:.0f} | {sizes} |")
    return "\n".join(lines) + "\n"


def by_reason(rows):
    """The rows under what holds them back; a reason comes where its first row does."""
    found = {}
    for row in rows:
        name = f"{row['group']}: {row['name']}: {', '.join(misses(row))}"
        why = next((text for pattern, text in reasons.REASONS if re.search(pattern, name)), reasons.UNKNOWN)
        found.setdefault(why, []).append(row)
    return found


def shortfall_line(row, threads):
    line = f"{row['group']}: {row['name']}: {', '.join(misses(row))}"
    if row.get("error"):
        return line
    return f"{line} ({cells(row, threads, lambda t: ratio(t, 'torch'), times_form)}, goal {row['goal']:g})"


def columns(row, threads):
    used, missed = memory_ratio(row), misses(row)
    return [
        row["name"],
        cells(row, threads, lambda t: t.get("taut"), duration),
        *(cells(row, threads, lambda t, p=p: ratio(t, p), times_form) for p in PEERS),
        cells(row, threads, lambda t: t.get("share"), lambda s: f"{100 * s:.0f}%"),
        "" if used is None else f"{used:.2f}",
        f"{row['goal']:g}",
        ("no: " + ", ".join(missed)) if missed else "yes",
    ]


def text_line(row, t):
    """One line of progress: a row with one number of threads."""
    times = row["threads"].get(t, {})
    line = f"{row['name'][:50]:51}{t:>2}{duration(times['taut']) if times.get('taut') else '–':>10}"
    for peer in PEERS:
        value = ratio(times, peer)
        line += f"{times_form(value) + 'x' if value else '':>9}"
    line += f"{100 * times['share']:7.0f}%" if times.get("share") else " " * 8
    used = memory_ratio(row)
    line += f"{used:8.2f}" if used is not None else " " * 8
    line += f"{row['goal']:>6g}"
    missed = misses({**row, "threads": {t: times}})
    return line + ("   behind: " + ", ".join(missed) if missed else "")


HEADER = f"{'':51}{'t':>2}{'Taut':>10}{'PyTorch':>9}{'compile':>9}{'JAX':>9}{'limit':>8}{'memory':>8}{'goal':>6}"


# ---------------------------------------------------------------------------------------------------------------------
# The chart: a bar per row and number of threads, the ratio to PyTorch on a log scale, a mark at the goal.

WIDTH, LABEL, BAR, STEP, GAP = 620, 300, 5, 16, 34
LEAST, MOST = 0.25, 64.0
COLOURS = {"ahead": ("#2a7f62", "#7cc4a8"), "behind": ("#b5482f", "#e3a28f")}


def place(value):
    """Where a ratio is on the scale."""
    span = math.log(MOST / LEAST)
    return LABEL + (WIDTH - LABEL - 50) * math.log(min(max(value, LEAST), MOST) / LEAST) / span


def group_height(rows):
    return GAP + STEP * len(rows)


def svg(results):
    threads = results["threads"]
    groups = {}
    for row in results["rows"]:
        if any(ratio(t, "torch") for t in row["threads"].values()):
            groups.setdefault(row["group"], []).append(row)
    columns = balanced(list(groups.items()), 3 if len(results["rows"]) > 60 else 1)
    height = 90 + max((sum(group_height(rows) for _, rows in column) for column in columns), default=0)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * len(columns)}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="11">',
        f'<rect width="{WIDTH * len(columns)}" height="{height}" fill="white"/>',
        '<text x="12" y="24" font-size="17" font-weight="bold">Taut against PyTorch: times as fast, log scale</text>',
        '<text x="12" y="44" fill="#555">Dark and light bar: 1 and 2 threads. Green: faster than PyTorch, '
        "red: slower. Black mark: the goal.</text>",
    ]
    for c, column in enumerate(columns):
        out.append(f'<g transform="translate({c * WIDTH} 60)">')
        y = 0
        for group, rows in column:
            out += draw_group(group, rows, threads, y)
            y += group_height(rows)
        out.append("</g>")
    return "\n".join(out + ["</svg>"]) + "\n"


def balanced(groups, count):
    """The groups in order, spread over columns of about the same height; a long group goes on in the next column."""
    target = sum(group_height(rows) for _, rows in groups) / count
    columns, room = [[]], target
    for group, rows in groups:
        while rows:
            fits = max(0, int((room - GAP) // STEP)) if len(columns) < count else len(rows)
            if fits < min(5, len(rows)):
                columns.append([])
                room = target
                continue
            part, rows = rows[:fits], rows[fits:]
            columns[-1].append((group, part))
            room -= group_height(part)
            group = group if group.endswith("(continued)") else group + " (continued)"
    return columns


def draw_group(group, rows, threads, y):
    top, bottom = y + GAP - 6, y + GAP + STEP * len(rows) - 4
    out = [f'<text x="12" y="{y + 22}" font-size="13" font-weight="bold">{html.escape(group)}</text>']
    for tick in (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64):
        colour = "#888" if tick == 1 else "#e2e2e2"
        x = place(tick)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="{colour}"/>')
        out.append(f'<text x="{x:.1f}" y="{top - 3}" text-anchor="middle" font-size="9" fill="#777">{tick:g}</text>')
    for i, row in enumerate(rows):
        line = y + GAP + STEP * i
        name = row["name"] if len(row["name"]) <= 52 else row["name"][:51] + "…"
        out.append(f'<text x="{LABEL - 8}" y="{line + 9}" text-anchor="end">{html.escape(name)}</text>')
        last = 1.0
        for k, t in enumerate(threads):
            value = ratio(row["threads"].get(t, {}), "torch")
            if value is None:
                continue
            shade = COLOURS["ahead" if value >= 1 else "behind"][k % 2]
            left, right = sorted((place(1), place(value)))
            out.append(
                f'<rect x="{left:.1f}" y="{line + k * (BAR + 1)}" width="{max(right - left, 0.5):.1f}" '
                f'height="{BAR}" fill="{shade}"/>'
            )
            last = max(last, value)
        goal = place(row["goal"])
        out.append(f'<rect x="{goal - 1:.1f}" y="{line - 1}" width="2" height="{2 * BAR + 3}"/>')
        shown = [ratio(row["threads"].get(t, {}), "torch") for t in threads]
        label = " / ".join(times_form(v) for v in shown if v)
        x = max(place(last), goal) + 5
        out.append(f'<text x="{x:.1f}" y="{line + 9}" font-size="9" fill="#333">{label}</text>')
    return out


def write(results, directory):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "results.md").write_text(markdown(results))
    (directory / "results.svg").write_text(svg(results))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
