"""torch.profiler: what a profile sees, its tables and traces, schedules; and that nothing is left behind."""

import gzip
import json

import pytest

import taut as torch
from taut import nn
from taut.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler


def _model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), torch.ones(3, 4)


def test_ops_are_named_and_counted_with_shapes_and_memory():
    model, x = _model()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True) as p:
        y = model(x)
    found = {e.key: e for e in p.key_averages()}
    assert found["aten::addmm"].count == 2 and found["aten::relu"].count == 1
    assert found["aten::relu"].cpu_memory_usage == 3 * 8 * 4 and found["aten::addmm"].cpu_memory_usage == (3 * 8 + 3 * 2) * 4
    shapes = {str(e.input_shapes): e.count for e in p.key_averages(group_by_input_shape=True) if e.key == "aten::relu"}
    assert shapes == {"[[3, 8]]": 1}
    assert y.shape == (3, 2)


def test_results_and_gradients_are_those_without_a_profile():
    model, x = _model()
    model(x).square().sum().backward()
    plain = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    with profile(profile_memory=True):
        model(x).square().sum().backward()
    assert all(torch.equal(a, p.grad) for a, p in zip(plain, model.parameters()))


def test_backward_is_seen_within_the_part_that_calls_it():
    model, x = _model()
    with profile() as p:
        with record_function("forward"):
            loss = model(x).sum()
        with record_function("backward"):
            loss.backward()
    inside = {e.name for e in p.events() if e.cpu_parent is not None and e.cpu_parent.name == "backward"}
    assert {"SumBackward0", "AddmmBackward0", "ReluBackward0"} <= inside
    parts = {e.name: e for e in p.events() if e.is_user_annotation}
    assert parts["forward"].cpu_time_total >= sum(c.cpu_time_total for c in parts["forward"].cpu_children) > 0
    assert parts["forward"].time_range.end <= parts["backward"].time_range.start


def test_nothing_is_seen_before_after_or_in_backward_later():
    model, x = _model()
    with profile() as p:
        loss = model(x).sum()
    count = len(p.events())
    loss.backward()
    model(x)
    with record_function("later"):
        pass
    assert len(p.events()) == count and torch._C._len_torch_dispatch_stack() == 0


def test_profiles_nest_and_end_when_the_program_fails():
    with profile() as outer:
        with pytest.raises(RuntimeError):
            with profile() as inner:
                torch.ones(2) @ torch.ones(3)
        torch.ones(2) + 1
    assert torch._C._len_torch_dispatch_stack() == 0
    assert "aten::add" in {e.name for e in outer.events()} and "aten::add" not in {e.name for e in inner.events()}


def test_a_table_sorts_cuts_and_sums():
    model, x = _model()
    with profile(profile_memory=True) as p:
        model(x)
    sums = p.key_averages()
    lines = sums.table(sort_by="count", row_limit=2).splitlines()
    assert lines[1].split()[:4] == ["Name", "Self", "CPU", "%"] and "CPU Mem" in lines[1] and "# of Calls" in lines[1]
    assert len(lines) == 7 and lines[-1].startswith("Self CPU time total: ")
    assert [int(line.split()[-1]) for line in lines[3:5]] == sorted((e.count for e in sums), reverse=True)[:2]
    with pytest.raises(AttributeError, match="no attribute 'no_such_thing'"):
        sums.table(sort_by="no_such_thing")


def test_a_trace_is_what_trace_viewers_read(tmp_path):
    model, x = _model()
    with profile(record_shapes=True) as p:
        with record_function("part"):
            model(x)
    p.add_metadata("note", "of mine")
    p.export_chrome_trace(str(tmp_path / "trace.json.gz"))
    with gzip.open(tmp_path / "trace.json.gz", "rt") as file:
        trace = json.load(file)
    events = {e["name"]: e for e in trace["traceEvents"] if e["ph"] == "X"}
    part, op = events["part"], events["aten::relu"]
    assert trace["note"] == "of mine" and part["cat"] == "user_annotation" and op["cat"] == "cpu_op" and op["args"]["Input Dims"] == [[3, 8]]
    assert part["ts"] <= op["ts"] and op["ts"] + op["dur"] <= part["ts"] + part["dur"]


def test_a_schedule_gives_each_cycle_to_the_handler(tmp_path):
    steps = []
    with profile(schedule=schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=2),
                 on_trace_ready=lambda p: steps.append((p.step_num, sum(e.name == "aten::add" for e in p.events())))) as p:
        for _ in range(12):
            torch.ones(2) + 1
            p.step()
    assert steps == [(5, 2), (9, 2)]
    action = schedule(wait=1, warmup=1, active=2, repeat=1)
    assert [action(i) for i in range(5)] == [ProfilerAction.NONE, ProfilerAction.WARMUP, ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE,
                                             ProfilerAction.NONE]
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path), "me")):
        torch.ones(2) + 1
    assert [f.name.startswith("me.") and f.name.endswith(".pt.trace.json") for f in tmp_path.iterdir()] == [True]


def test_stacks_are_written_for_flame_graphs(tmp_path):
    with profile(with_stack=True) as p:
        for _ in range(50):
            torch.ones(100, 100) @ torch.ones(100, 100)
    p.export_stacks(str(tmp_path / "stacks"), "self_cpu_time_total")
    lines = (tmp_path / "stacks").read_text().splitlines()
    assert lines and all("test_profiler.py" in line and int(line.rsplit(" ", 1)[1]) > 0 for line in lines)


def test_the_old_profile_and_a_decorator():
    @record_function("named")
    def f(x):
        return x * 2

    with torch.autograd.profiler.profile() as p:
        f(torch.ones(2))
    assert {e.name for e in p.function_events} >= {"named", "aten::mul"} and p.self_cpu_time_total > 0
    assert "aten::mul" in str(p) and p.total_average().count == len(p.function_events)
    with torch.autograd.profiler.profile(enabled=False) as off:
        f(torch.ones(2))
    assert off.function_events is None
    with pytest.raises(RuntimeError, match="didn't finish running"):
        off.table()
