"""With the same seed, the same numbers as PyTorch: random tensors, layers, dropout, shuffles, and training."""

import os
import subprocess
import sys

import pytest
from rounding import beyond
from samples import GOLDEN
from test_scripts import HERE, NUMBERS, compare
from training import losses

import taut as torch


@pytest.mark.parametrize("golden", NUMBERS, ids=[g.stem for g in NUMBERS])
def test_script_prints_the_numbers_of_pytorch(golden):
    compare(golden)


def curves():
    with open(os.path.join(GOLDEN, "training.txt")) as lines:
        return [line.split() for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("model, optimiser, wanted", [(c[0], c[1], c[2:]) for c in curves()])
def test_training_follows_pytorch(model, optimiser, wanted):
    for step, (got, want) in enumerate(zip(losses(model, optimiser), wanted)):
        value, _, unit = want.partition("~")
        assert beyond([got], [float(value)], float(unit)) is None, f"step {step}"


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_losses_do_not_depend_on_the_number_of_threads(optimizer):
    code = ("import sys, taut; taut.set_num_threads(int(sys.argv[1])); taut.as_torch(); sys.argv = sys.argv[2:]; "
            "exec(open(sys.argv[0]).read())")
    script = str(HERE / "scripts" / "train_cnn.py")
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    outputs = {subprocess.run([sys.executable, "-c", code, threads, script, optimizer], capture_output=True, text=True,
                              check=True, env=environment).stdout for threads in "12"}
    assert len(outputs) == 1


def test_a_seed_starts_the_same_numbers_again():
    torch.manual_seed(3)
    first = torch.randn(5), torch.randperm(7), torch.nn.Linear(2, 2).weight
    torch.manual_seed(3)
    again = torch.randn(5), torch.randperm(7), torch.nn.Linear(2, 2).weight
    assert all(torch.equal(a, b) for a, b in zip(first, again))


def test_threads_draw_from_one_stream_without_repeating():
    import threading

    torch.manual_seed(0)
    drawn = []

    def work():
        for _ in range(50):
            drawn.append(torch.rand(4).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    flat = [v for numbers in drawn for v in numbers]
    torch.manual_seed(0)
    assert sorted(flat) == sorted(torch.rand(4 * 200).tolist())
