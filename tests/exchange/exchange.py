"""exchange.py <program>: weights go from Python to C++ and back by file. Both train on; both must come to the same bits."""

import subprocess
import sys
import tempfile

import taut as torch
from taut import nn, safetensors


def make_model():
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2))


def train(model, x):
    sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(3):
        sgd.zero_grad()
        model(x).square().mean().backward()
        sgd.step()


def main(program):
    torch.manual_seed(1)
    model, x = make_model(), torch.randn(5, 3)
    model(x)  # the statistics of the batch norm are no longer those it starts with
    with tempfile.TemporaryDirectory() as folder:
        given = {**model.state_dict(), "x": x}
        torch.save(given, f"{folder}/python.pt")
        safetensors.save_file(given, f"{folder}/python.safetensors")
        subprocess.run([program, folder], check=True)
        train(model, x)
        result = model(x).detach()
        for back in (torch.load(f"{folder}/cpp.pt"), safetensors.load_file(f"{folder}/cpp.safetensors")):
            assert torch.equal(back.pop("result"), result), "C++ computes something else with the same weights"
            assert list(back) == list(model.state_dict()), list(back)
            other = make_model()
            other.load_state_dict(back)
            assert all(torch.equal(a, b) for a, b in zip(other.state_dict().values(), model.state_dict().values()))


if __name__ == "__main__":
    main(sys.argv[1])
