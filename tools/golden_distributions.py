#!/usr/bin/env python3
"""Writes tests/golden/distributions.txt: what PyTorch answers to the questions of python/tests/distribution_cases.py.

    PYTHON tools/golden_distributions.py        # a Python that has torch==2.13.0
"""

import pathlib
import sys
import warnings

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.modules["taut"] = torch  # the questions are written against Taut, which has the same names
sys.path.insert(0, str(ROOT / "python" / "tests"))
torch.set_num_threads(1)


def main():
    import torch.distributions
    from torch.distributions import constraints, kl, multivariate_normal, relaxed_bernoulli, transforms, utils

    sys.modules["taut.distributions"] = torch.distributions
    for module in (constraints, kl, multivariate_normal, relaxed_bernoulli, transforms, utils):
        sys.modules[module.__name__.replace("torch", "taut", 1)] = module
    from distribution_cases import results

    path = ROOT / "tests" / "golden" / "distributions.txt"
    count, before = 0, None
    with warnings.catch_warnings(), path.open("w") as out:
        warnings.simplefilter("ignore")  # of Wishart's singular samples
        for subject, question, answer, _ in results():
            if subject != before:
                out.write(f"# {subject}\n")
            before = subject
            answer = answer.replace("\\", "\\\\").replace("\n", "\\n")
            out.write(f"{question}\t{answer}\n")
            count += 1
    print(f"{path}: {count} answers")


if __name__ == "__main__":
    main()
