"""Compare: measurements in tables, a row for each thing and a column for each way."""

import enum
import math

from ._common import Measurement, ordered_unique, select_unit, trim_sigfig, unit_to_english

_BEST, _GOOD, _BAD, _VERY_BAD, _BOLD, _END = "\033[92m", "\033[34m", "\033[2m\033[91m", "\033[31m", "\033[1m", "\033[0m"


class Colorize(enum.Enum):
    """What colours compare."""

    NONE, COLUMNWISE, ROWWISE = "none", "columnwise", "rowwise"


class _Column:
    def __init__(self, results, scale, unit, trim, warn):
        self.results, self.scale, self.unit, self.trim, self.warn = results, scale, unit, trim, warn
        times = [r.median for r in results if r]
        digits = [r.significant_figures for r in results if r]
        decimals = 1
        if trim and times:
            leading = max(int(math.log10(t / scale)) + 1 if t / scale >= 1 else 1 for t in times)
            decimals = max(0, min(digits) - leading)
        self.decimals = decimals
        self.width = max([len(f"{t / scale:.{decimals}f}") for t in times] or [0])

    def text(self, result):
        if result is None:
            return " " * self.width
        value = result.median
        if self.trim:
            value = trim_sigfig(value, result.significant_figures)
        return f"{value / self.scale:>{self.width}.{self.decimals}f}"

    def note(self, result):
        if not self.warn or not any(r is not None and r.has_warnings for r in self.results):
            return ""
        shown = f"  (! {100 * result.iqr / result.median:.0f}%)" if result is not None and result.has_warnings else ""
        width = max(len(f"  (! {100 * r.iqr / r.median:.0f}%)") for r in self.results if r is not None and r.has_warnings)
        return shown.ljust(width)


def _colour(text, value, best):
    if value is None:
        return text
    if value <= best * 1.05 or value <= best:
        code = _BEST if value <= best * 1.01 else _GOOD
        return f"{code}{_BOLD}{text}{_END}{_END}" if code is _BEST else f"{code}{text}{_END}"
    if value > best * 5:
        return f"{_VERY_BAD}{_BOLD}{text}{_END}{_END}"
    if value > best * 2:
        return f"{_BAD}{text}{_END}{_END}"
    return text


class _Table:
    def __init__(self, results, colorize, trim, warn):
        self.results, self.colorize = results, colorize
        self.label = results[0].task_spec.label
        self.unit, self.scale = select_unit(min(r.median for r in results))
        self.rows = ordered_unique((r.task_spec.num_threads, r.env, r.as_row_name) for r in results)
        self.rows.sort(key=lambda row: row[:1])
        self.columns = ordered_unique(r.task_spec.description for r in results)
        found = {((r.task_spec.num_threads, r.env, r.as_row_name), r.task_spec.description): r for r in results}
        self.cells = {d: [found.get((row, d)) for row in self.rows] for d in self.columns}
        self.made = {d: _Column(self.cells[d], self.scale, self.unit, trim, warn) for d in self.columns}

    def _row_name(self, row):
        return (f"({row[1]})  " if row[1] else "") + row[2]

    def render(self):
        body, head = [], []
        stub = max(len(self._row_name(row)) for row in self.rows) + 6
        widths = {}
        for d in self.columns:
            name = "" if d is None else str(d)
            column = self.made[d]
            cells = [column.text(c) + column.note(c) for c in self.cells[d]]
            widths[d] = max(len(name), max(map(len, cells)))
            head.append(name.center(widths[d]))
        head_line = " " * stub + "".join("  |  " + h for h in head)
        total = len(head_line)
        threads = None
        for k, row in enumerate(self.rows):
            if row[0] != threads:
                threads = row[0]
                body.append(f"{threads} threads: ".ljust(total, "-"))
            line = "      " + self._row_name(row).ljust(stub - 6)
            for d in self.columns:
                cell = self.cells[d][k]
                text = (self.made[d].text(cell) + self.made[d].note(cell)).rjust(widths[d])
                if self.colorize is not Colorize.NONE and cell is not None:
                    group = [c.median for c in ([c for r, c in zip(self.rows, self.cells[d]) if r[0] == threads]
                                                if self.colorize is Colorize.COLUMNWISE else
                                                [self.cells[other][k] for other in self.columns]) if c is not None]
                    text = _colour(text, cell.median, min(group))
                line += "  |  " + text
            body.append(line)
        title = f" {self.label} " if self.label else ""
        left = max((total - len(title) - 2) // 2, 0)
        heading = "[" + "-" * left + title + "-" * max(total - len(title) - 2 - left, 0) + "]"
        return "\n".join([heading, head_line, *body, "", f"Times are in {unit_to_english(self.unit)}s ({self.unit}).", ""])


class Compare:
    """Gathers measurements; print() shows a table for each label."""

    def __init__(self, results):
        self._results = []
        self.extend_results(results)
        self._trim, self._colorize, self._warn = False, Colorize.NONE, False

    def extend_results(self, results):
        """More measurements."""
        for r in results:
            if not isinstance(r, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(r)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        """Shows only digits that mean something."""
        self._trim = True

    def colorize(self, rowwise=False):
        """Colours what is fast and what is slow."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        """Marks measurements with a large spread."""
        self._warn = True

    def __str__(self):
        return "\n".join(self._render())

    def print(self):
        """Prints the tables."""
        print(str(self))

    def _render(self):
        merged = Measurement.merge(self._results)
        labels = ordered_unique(m.task_spec.label for m in merged)
        return [_Table([m for m in merged if m.task_spec.label == label], self._colorize, self._trim, self._warn).render() for label in labels]


Compare.__module__ = Colorize.__module__ = "torch.utils.benchmark.utils.compare"
