"""torch.distributions, against what PyTorch answered (tools/golden_distributions.py)."""

import pathlib
import re
import warnings

import pytest

import distribution_cases

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "distributions.txt"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w.])")


def golden():
    found, subject = {}, None
    for line in GOLDEN.read_text().splitlines():
        if line.startswith("# "):
            subject = line[2:]
        else:
            question, _, answer = line.partition("\t")
            found[subject, question] = answer.replace("\\n", "\n").replace("\\\\", "\\")
    return found


def differs(got, want, tolerance):
    """Are the texts different beyond the last digits of numbers?"""
    if got == want or want == "an error" and re.match(r"\w+Error: ", got):
        return False
    if NUMBER.sub("#", got) != NUMBER.sub("#", want):
        return True
    for a, b in zip(map(float, NUMBER.findall(got)), map(float, NUMBER.findall(want))):
        if a != b and not (a != a and b != b) and not abs(a - b) <= tolerance * max(1, abs(b)):
            return True
    return False


@pytest.fixture(scope="module")
def answers():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Wishart's singular samples
        return list(distribution_cases.results())


def test_the_same_questions_were_asked(answers):
    assert [(subject, question) for subject, question, _, _ in answers] == list(golden())


def test_answers_are_those_of_pytorch(answers):
    want = golden()
    wrong = [f"{subject}: {question}\n    got  {answer}\n    want {want[subject, question]}"
             for subject, question, answer, tolerance in answers if differs(answer, want.get((subject, question), ""), tolerance)]
    assert not wrong, f"{len(wrong)} of {len(answers)}:\n" + "\n".join(wrong[:40])
