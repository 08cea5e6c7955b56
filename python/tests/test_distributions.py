"""torch.distributions, against what PyTorch answered (tools/golden_distributions.py)."""

import pathlib
import pickle
import re
import subprocess
import sys
import warnings

import pytest

import distribution_cases
import taut as torch
import taut.distributions as D

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


def test_the_most_derived_divergence_is_called():
    class P(D.Normal):
        pass

    class Q(P):
        pass

    D.kl.register_kl(P, D.Normal)(lambda p, q: "p")
    D.kl.register_kl(D.Normal, Q)(lambda p, q: "q")
    try:
        assert D.kl_divergence(P(0.0, 1.0), P(0.0, 1.0)) == "p"
        assert D.kl_divergence(D.Normal(0.0, 1.0), Q(0.0, 1.0)) == "q"
        with pytest.warns(RuntimeWarning, match=r"Ambiguous kl_divergence\(Q, Q\). Please register_kl\(P, Q\)"):
            assert D.kl_divergence(Q(0.0, 1.0), Q(0.0, 1.0)) == "p"
    finally:
        for pair in [(P, D.Normal), (D.Normal, Q)]:
            del D.kl._KL_REGISTRY[pair]
        D.kl._KL_MEMOIZE.clear()


def test_families_of_ones_own_have_an_entropy_and_a_divergence():
    class Own(D.Exponential):
        entropy = D.ExponentialFamily.entropy

    class Other(D.ExponentialFamily):
        arg_constraints = {}

    own, plain = Own(torch.tensor([0.5, 2.0])), D.Exponential(torch.tensor([0.5, 2.0]))
    assert torch.allclose(own.entropy(), plain.entropy())
    bregman = D.kl._kl_expfamily_expfamily(own, Own(torch.tensor([1.0, 1.0])))
    assert torch.allclose(bregman, D.kl_divergence(plain, D.Exponential(torch.tensor([1.0, 1.0]))))
    with pytest.raises(NotImplementedError, match="cross KL-divergence between different exponential families"):
        D.kl_divergence(Other(), own)


def test_validation_can_be_turned_off():
    D.Distribution.set_default_validate_args(False)
    try:
        D.Normal(0.0, -1.0)
    finally:
        D.Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="to satisfy the constraint GreaterThan"):
        D.Normal(0.0, -1.0)


def test_a_class_without_constraints_is_warned_of():
    class Bare(D.Distribution):
        def log_prob(self, value):
            self._validate_sample(value)
            return value

    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        bare = Bare()
    with pytest.warns(UserWarning, match="does not define `support`"):
        bare.log_prob(torch.tensor(0.0))
    with pytest.warns(FutureWarning, match="sample_n"):
        D.Normal(0.0, 1.0).sample_n(2)


def test_a_class_with_another_constructor_needs_its_own_expand():
    class Own(D.Normal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="Subclass Own of Normal that defines a custom __init__"):
        Own().expand([2])


def test_transforms_remember_the_last_pair():
    x = torch.tensor([0.3, -0.5])
    for transform in (D.ExpTransform(cache_size=1), D.StickBreakingTransform(cache_size=1)):
        y = transform(x)
        assert transform(x) is y and transform.inv(y) is x
        assert transform.inv(y.clone()) is not x
    with pytest.raises(TypeError):
        hash(D.ExpTransform())


def test_lazy_properties_have_gradients_whenever_they_are_first_read():
    logits = torch.tensor([0.5, 1.0], requires_grad=True)
    made = D.Bernoulli(logits=logits)
    with torch.no_grad():
        probs = made.probs
    assert probs.requires_grad and made.probs is probs


def test_gradients_of_drawn_numbers_are_differentiated_no_further():
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    grad, = torch.autograd.grad(D.Gamma(a, 1.0).rsample().sum(), a, create_graph=True)
    assert not grad.requires_grad


def test_distributions_are_loaded_when_they_are_asked_for():
    code = "import sys, taut; assert 'taut.distributions' not in sys.modules; taut.distributions.Normal; taut.distributions.normal"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_classes_and_pickles_have_pytorchs_names():
    assert D.Normal.__module__ == "torch.distributions.normal"
    assert D.ExpTransform.__module__ == "torch.distributions.transforms"
    assert type(D.constraints.real).__module__ == "torch.distributions.constraints"
    assert pickle.loads(pickle.dumps(D.constraints.positive)) is D.constraints.positive


def test_angles_around_which_nothing_varies_are_drawn_at_once():
    for concentration in (1e30, float("nan")):
        drawn = D.VonMises(torch.tensor([0.5, -1.0]), torch.tensor(concentration), validate_args=False).sample((3,))
        assert drawn.shape == (3, 2)
        assert torch.allclose(drawn, torch.tensor([0.5, -1.0]) * (concentration / concentration), equal_nan=True)


def test_a_number_of_samples_that_overflows_is_refused():
    for shape in ((2**62, 4), (2**33, 2**33), (-1,)):
        with pytest.raises((RuntimeError, ValueError)):
            D.Categorical(torch.ones(2)).sample(shape)


def test_a_dimension_must_be_whole():
    with pytest.raises(TypeError, match="iterable of 'int'"):
        D.LKJCholesky(2.5, 1.0)
