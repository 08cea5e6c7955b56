"""What tools/golden_distributions.py asks PyTorch and test_distributions.py asks Taut: every distribution with several parameters,
every pair of kl_divergence, transforms, constraints, and mistakes. Written against Taut, which has the same names.

results() gives (subject, question, answer, tolerance). An answer is a text, in which numbers may differ in their last digits."""

import copy
import pickle
import warnings

import taut as torch
import taut.distributions as D
from taut.distributions import constraints

# `t` makes a tensor of the dtype asked for; its gradient is asked for as well.
CASES = """
Normal(0, 1)
Normal(t([0.5, -1.5, 2.0]), t([1.0, 0.3, 2.5]))
Normal(t([[0.0], [1.0]]), t([0.5, 1.0, 1.5]))
Laplace(0.0, 2.0)
Laplace(t([0.5, -1.5]), t([1.0, 0.3]))
Cauchy(t([0.5, -1.5]), t([1.0, 0.3]))
Gumbel(0.5, 2.0)
Gumbel(t([0.5, -1.5]), t([1.0, 0.3]))
Uniform(-1.0, 3.0)
Uniform(t([0.0, -1.5]), t([1.0, 2.0]))
Exponential(2.0)
Exponential(t([0.5, 1.5, 7.0]))
Gamma(2.0, 0.5)
Gamma(t([0.05, 0.7, 1.0, 3.5, 40.0]), t([1.0, 0.5, 2.0, 1.5, 3.0]))
Chi2(t([0.5, 3.0, 25.0]))
Beta(0.5, 3.0)
Beta(t([0.3, 2.0, 9.0, 30.0]), t([0.7, 1.0, 8.0, 20.0]))
Dirichlet(t([0.5, 1.5, 3.0]))
Dirichlet(t([[0.3, 0.4, 0.9], [7.0, 9.0, 20.0]]))
StudentT(5.0)
StudentT(t([1.0, 2.0, 4.5]), t([0.0, 1.0, -1.0]), t([1.0, 0.5, 2.0]))
FisherSnedecor(t([1.5, 3.0, 8.0]), t([2.0, 5.0, 9.0]))
HalfNormal(t([0.5, 2.0]))
HalfCauchy(t([0.5, 2.0]))
LogNormal(t([0.0, -0.5]), t([0.5, 1.0]))
LogisticNormal(t([0.0, -0.5, 0.5]), t([0.5, 1.0, 1.5]))
InverseGamma(t([0.8, 1.5, 4.0]), t([1.0, 0.5, 2.0]))
Kumaraswamy(t([0.5, 2.0, 3.0]), t([0.7, 1.5, 4.0]))
Pareto(t([0.5, 1.0, 2.0]), t([0.8, 1.5, 4.0]))
GeneralizedPareto(t([0.0, 0.5, -1.0]), t([1.0, 2.0, 0.5]), t([0.0, 0.3, -0.4]))
Weibull(t([0.5, 1.0, 2.0]), t([0.8, 1.5, 4.0]))
VonMises(t([0.0, 1.0, -2.0]), t([0.5, 4.0, 20.0]))
ContinuousBernoulli(t([0.1, 0.4995, 0.7]))
ContinuousBernoulli(logits=t([-1.0, 0.001, 2.0]))
Bernoulli(0.3)
Bernoulli(t([0.1, 0.5, 0.9]))
Bernoulli(logits=t([-2.0, 0.0, 1.5]))
Binomial(5, t([0.1, 0.5, 0.9]))
Binomial(40, logits=t([-2.0, 0.0, 1.5]))
Binomial(t([1.0, 5.0, 100.0]), t([0.1, 0.5, 0.9]))
NegativeBinomial(3, t([0.1, 0.5, 0.9]))
NegativeBinomial(t([0.5, 5.0]), logits=t([-2.0, 1.5]))
Geometric(t([0.1, 0.5, 0.9]))
Geometric(logits=t([-2.0, 1.5]))
Poisson(3.0)
Poisson(t([0.5, 4.0, 60.0]))
Categorical(t([0.1, 0.2, 0.7]))
Categorical(logits=t([[0.0, 1.0, 2.0], [-1.0, 0.5, 0.0]]))
OneHotCategorical(t([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]))
OneHotCategorical(logits=t([0.0, 1.0, 2.0]))
OneHotCategoricalStraightThrough(t([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]))
Multinomial(10, t([0.1, 0.2, 0.7]))
Multinomial(4, logits=t([[0.0, 1.0], [-1.0, 0.5]]))
RelaxedBernoulli(t(0.7), t([0.1, 0.5, 0.9]))
RelaxedBernoulli(t(2.0), logits=t([-2.0, 1.5]))
LogitRelaxedBernoulli(t(0.7), t([0.1, 0.5, 0.9]))
RelaxedOneHotCategorical(t(0.7), t([0.1, 0.2, 0.7]))
RelaxedOneHotCategorical(t(2.0), logits=t([[0.0, 1.0], [-1.0, 0.5]]))
MultivariateNormal(t([0.0, 1.0]), t([[2.0, 0.5], [0.5, 1.0]]))
MultivariateNormal(t([[0.0, 1.0, -1.0], [0.5, 0.0, 2.0]]), scale_tril=t([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-0.3, 0.1, 0.7]]))
MultivariateNormal(t([0.0, 1.0]), precision_matrix=t([[[2.0, 0.5], [0.5, 1.0]], [[1.0, 0.1], [0.1, 3.0]]]))
LowRankMultivariateNormal(t([0.0, 1.0, -1.0]), t([[1.0], [0.5], [-0.3]]), t([0.5, 1.0, 2.0]))
LowRankMultivariateNormal(t([[0.0, 1.0], [2.0, 3.0]]), t([[1.0, 0.2], [0.5, -1.0]]), t([0.5, 1.0]))
Wishart(t(4.5), t([[2.0, 0.5], [0.5, 1.0]]))
Wishart(t([3.0, 5.0]), scale_tril=t([[1.0, 0.0], [0.5, 2.0]]))
LKJCholesky(3, 0.5)
LKJCholesky(4, t([1.0, 3.0]))
Independent(Normal(t([[0.0, 1.0], [2.0, 3.0]]), t([1.0, 2.0])), 1)
Independent(Bernoulli(t([[0.1, 0.5], [0.9, 0.3]])), 2)
MixtureSameFamily(Categorical(t([0.3, 0.7])), Normal(t([-1.0, 2.0]), t([0.5, 1.0])))
MixtureSameFamily(Categorical(t([[0.3, 0.7], [0.5, 0.5]])), Independent(Normal(t([[[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [-1.0, 0.5]]]), t([0.5, 1.0])), 1))
TransformedDistribution(Normal(t([0.0, 1.0]), t([1.0, 0.5])), [AffineTransform(1.0, -2.0), SigmoidTransform()])
TransformedDistribution(Uniform(t([0.0, 0.2]), t([1.0, 0.9])), [SigmoidTransform().inv, AffineTransform(t([1.0, 2.0]), t([0.5, 3.0]))])
TransformedDistribution(Normal(t([0.0, 0.5, 1.0]), t([1.0, 0.5, 0.3])), [StickBreakingTransform()])
TransformedDistribution(Gamma(t([2.0, 3.0]), t([1.0, 0.5])), PowerTransform(t(0.5)))
""".strip().splitlines()

PAIRS = """
Bernoulli(t([0.2, 0.7]))
Beta(t([0.5, 3.0]), t([2.0, 1.5]))
Binomial(3, t([0.2, 0.7]))
Categorical(t([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]))
Cauchy(t([0.5, -1.0]), t([1.0, 2.0]))
ContinuousBernoulli(t([0.2, 0.7]))
Dirichlet(t([[0.5, 1.0], [3.0, 2.0]]))
Exponential(t([0.5, 2.0]))
Gamma(t([0.5, 3.0]), t([1.0, 2.0]))
Chi2(t([1.5, 4.0]))
Geometric(t([0.2, 0.7]))
Gumbel(t([0.5, -1.0]), t([1.0, 2.0]))
HalfNormal(t([0.5, 2.0]))
Independent(Normal(t([[0.0, 1.0], [2.0, 3.0]]), t([1.0, 2.0])), 1)
Laplace(t([0.5, -1.0]), t([1.0, 2.0]))
LogNormal(t([0.5, -1.0]), t([1.0, 2.0]))
LowRankMultivariateNormal(t([[0.0, 1.0], [2.0, 3.0]]), t([[1.0], [0.5]]), t([0.5, 1.0]))
MultivariateNormal(t([[0.0, 1.0], [2.0, 3.0]]), t([[2.0, 0.5], [0.5, 1.0]]))
MultivariateNormal(t([0.5, 1.0]), t([[[1.0, 0.2], [0.2, 1.0]], [[3.0, -0.5], [-0.5, 1.0]]]))
NegativeBinomial(3, t([0.2, 0.7]))
Normal(t([0.5, -1.0]), t([1.0, 2.0]))
OneHotCategorical(t([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]))
Pareto(t([0.5, 1.5]), t([1.5, 3.0]))
Poisson(t([0.5, 4.0]))
StudentT(t([2.5, 4.0]))
Uniform(t([0.1, 2.0]), t([0.9, 3.0]))
Uniform(t([-1.0, 0.0]), t([2.0, 5.0]))
VonMises(t([0.5, -1.0]), t([1.0, 2.0]))
Wishart(t(4.5), t([[2.0, 0.5], [0.5, 1.0]]))
""".strip().splitlines()

# Divergences at the edges, and others that the pairs above do not meet.
DIVERGENCES = """
Bernoulli(t([0.0, 1.0, 0.5, 0.5])), Bernoulli(t([0.5, 0.5, 0.0, 1.0]))
Categorical(t([0.0, 1.0])), Categorical(t([1.0, 0.0]))
Categorical(t([0.0, 0.4, 0.6])), Categorical(t([0.2, 0.3, 0.5]))
Binomial(5, t([0.2, 0.7])), Binomial(3, t([0.5, 0.5]))
Binomial(2, t([0.2, 0.7])), Binomial(3, t([0.5, 0.5]))
MultivariateNormal(t([0.0, 1.0]), t([[2.0, 0.5], [0.5, 1.0]])), MultivariateNormal(t([0.0]), t([[2.0]]))
Pareto(t([2.0]), t([0.5])), Normal(t([0.0]), t([1.0]))
Uniform(t([0.2]), t([0.8])), Beta(t([2.0]), t([3.0]))
Independent(Normal(t([[0.0, 1.0]]), t([1.0, 2.0])), 1), Independent(Normal(t([[0.0, 1.0]]), t([1.0, 2.0])), 2)
Weibull(t([1.0]), t([2.0])), Weibull(t([1.5]), t([3.0]))
LogNormal(t([0.0]), t([1.0])), TransformedDistribution(Normal(t([1.0]), t([2.0])), [ExpTransform()])
""".strip().splitlines()

TRANSFORMS = """
ExpTransform()
AbsTransform()
AffineTransform(1.0, -2.0)
AffineTransform(t([1.0, 2.0, 3.0]), t([0.5, -1.0, 2.0]), event_dim=1)
PowerTransform(t(3.0))
SigmoidTransform()
TanhTransform()
SoftplusTransform()
SoftmaxTransform()
StickBreakingTransform()
CorrCholeskyTransform()
ExpTransform().inv
StickBreakingTransform().inv
ComposeTransform([ExpTransform(), AffineTransform(1.0, 2.0)])
ComposeTransform([AffineTransform(0.0, 2.0), StickBreakingTransform()])
ComposeTransform([AffineTransform(0.0, 2.0), StickBreakingTransform()]).inv
ComposeTransform([])
IndependentTransform(ExpTransform(), 1)
ReshapeTransform((3,), (1, 3))
CumulativeDistributionTransform(Normal(0.0, 1.0))
CatTransform([ExpTransform(), AffineTransform(1.0, 2.0)], dim=-1, lengths=[1, 2])
StackTransform([ExpTransform(), SigmoidTransform(), identity_transform], dim=-1)
biject_to(constraints.positive)
biject_to(constraints.nonnegative)
biject_to(constraints.unit_interval)
biject_to(constraints.interval(-1.0, 2.0))
biject_to(constraints.half_open_interval(0.0, 4.0))
biject_to(constraints.less_than(1.5))
biject_to(constraints.simplex)
transform_to(constraints.simplex)
biject_to(constraints.real)
biject_to(constraints.real_vector)
biject_to(constraints.corr_cholesky)
biject_to(constraints.independent(constraints.positive, 1))
biject_to(constraints.cat([constraints.positive, constraints.real], dim=-1, lengths=[1, 2]))
transform_to(constraints.stack([constraints.positive, constraints.real, constraints.unit_interval], dim=-1))
""".strip().splitlines()
MATRIX_TRANSFORMS = """
LowerCholeskyTransform()
PositiveDefiniteTransform()
transform_to(constraints.lower_cholesky)
transform_to(constraints.positive_definite)
transform_to(constraints.positive_semidefinite)
CorrCholeskyTransform().inv
""".strip().splitlines()

CONSTRAINTS = """
boolean
cat([constraints.positive, constraints.real], dim=-1, lengths=[1, 1])
dependent
greater_than(1.0)
greater_than_eq(1.0)
independent(constraints.positive, 1)
integer_interval(0, 2)
interval(0.0, 1.0)
half_open_interval(0.0, 1.0)
less_than(1.0)
MixtureSameFamilyConstraint(constraints.positive)
multinomial(3)
nonnegative
nonnegative_integer
one_hot
positive
positive_integer
real
real_vector
simplex
stack([constraints.positive, constraints.real], dim=-1)
unit_interval
corr_cholesky
lower_cholesky
lower_triangular
positive_definite
positive_semidefinite
square
symmetric
dependent(is_discrete=True, event_dim=1)
""".strip().splitlines()
VALUES = ["t([0.0, 1.0])", "t([[0.5, 0.5], [1.0, 0.0], [-1.0, 2.0], [3.0, 4.0]])", "t([[1.0, 0.0], [0.6, 0.8]])",
          "t([[2.0, 0.5], [0.5, 1.0]])", "t([[1.0, 2.0], [2.0, 1.0]])", "t([float('nan'), 0.25])", "t([[[1.0, 0.0], [0.0, 1.0]]])"]

# Statements whose error, or result, is asked for.
STATEMENTS = """
Normal(0.0, -1.0)
Normal(t([0.0, 1.0]), t([1.0, 0.0]))
Normal(t([0.0, 1.0]), t([1.0, 1.0, 1.0]))
Normal("a", 1.0)
Normal(t([float('nan')]), 1.0)
Normal(0.0, -1.0, validate_args=False).log_prob(t(0.5))
Normal(0.0, 1.0, validate_args=False).log_prob(0.5)
Normal(0.0, 1.0).log_prob(0.5)
Normal(t([0.0, 1.0]), t([1.0, 2.0])).log_prob(t([0.0, 1.0, 2.0]))
Normal(0.0, 1.0).log_prob(t([float('nan')]))
Normal(0.0, 1.0).mode
Normal(0.0, 1.0).enumerate_support()
Normal(t([0.0]), t([1.0])).expand([2, 3])
Normal(t([0.0, 1.0]), t([1.0])).expand([2, 3])
Uniform(1.0, 0.0)
Uniform(0.0, 1.0).log_prob(t(1.5))
Uniform(0.0, 1.0, validate_args=False).log_prob(t([-0.5, 0.0, 0.5, 1.0, 1.5]))
Bernoulli()
Bernoulli(0.5, 0.5)
Bernoulli(1.5)
Bernoulli(0.5).log_prob(t(0.5))
Bernoulli(t([0.5])).rsample()
Bernoulli(0.5).param_shape
Binomial(3)
Binomial(-1, t(0.5))
Binomial(t([2.0, 3.0]), t(0.5)).entropy()
Binomial(t([2.0, 3.0]), t(0.5)).enumerate_support()
Binomial(3, t(0.5)).log_prob(t(4.0))
Categorical(t(0.5))
Categorical(logits=t(0.5))
Categorical()
Categorical(t([-0.5, 1.5]))
Categorical(t([0.5, 0.5])).log_prob(t(2.0))
Categorical(t([[0.5, 0.5]])).log_prob(t([0.0, 1.0, 1.0]))
Categorical(t([0.5, 0.5])).mean
Categorical(t([0.5, 0.5])).mode
Categorical(logits=t([0.0, -float('inf')])).entropy()
ContinuousBernoulli(t(1.5))
ContinuousBernoulli(t(1.5), validate_args=True)
Dirichlet(t(0.5))
Dirichlet(t([0.5, -0.5]))
Dirichlet(t([0.5, 0.5])).log_prob(t([0.5, 0.6]))
Dirichlet(t([0.5, 0.5])).log_prob(t([0.5]))
Exponential(-1.0)
Exponential(1.0).log_prob(t(-1.0))
FisherSnedecor(t(0.0), t(1.0))
Gamma(-1.0, 1.0)
Gamma(1.0, 1.0).log_prob(2.0)
Gamma(1.0, 1.0).cdf(t(2.0))
GeneralizedPareto(0.0, -1.0, 0.0)
GeneralizedPareto(t([0.0, 0.0]), t([1.0, 1.0]), t([0.0, -0.5])).support
GeneralizedPareto(t([0.0, 0.0]), t([1.0, 1.0]), t([0.0, -0.5])).log_survival_function(t([0.5, 0.5]))
Geometric()
Geometric(0.0)
Geometric(t([0.5, 0.0]))
Geometric(1.0).log_prob(t([0.0, 1.0]))
HalfCauchy(1.0, validate_args=False).log_prob(t([-1.0, 1.0]))
HalfNormal(-1.0)
HalfNormal(1.0, validate_args=False).log_prob(t([-1.0, 1.0]))
Independent(Normal(0.0, 1.0), 1)
Independent(Bernoulli(t([0.5])), 1).enumerate_support()
Independent(Bernoulli(t([0.5])), 0).enumerate_support()
Independent(Bernoulli(t([0.5])), 1).has_enumerate_support
LKJCholesky(1)
LKJCholesky(2, -1.0)
LKJCholesky(2, 1.0).log_prob(t([[1.0, 0.0], [0.5, 0.5]]))
LogNormal(0.0, 1.0).log_prob(t(-1.0))
LowRankMultivariateNormal(t(0.0), t([[1.0]]), t([1.0]))
LowRankMultivariateNormal(t([0.0]), t([1.0]), t([1.0]))
LowRankMultivariateNormal(t([0.0, 1.0]), t([[1.0]]), t([1.0]))
LowRankMultivariateNormal(t([0.0]), t([[1.0]]), t([1.0, 1.0]))
LowRankMultivariateNormal(t([[0.0], [1.0]]), t([[[1.0]], [[1.0]], [[1.0]]]), t([1.0]))
MixtureSameFamily(Normal(0.0, 1.0), Normal(t([0.0]), 1.0))
MixtureSameFamily(Categorical(t([0.5, 0.5])), 1)
MixtureSameFamily(Categorical(t([0.5, 0.5])), Normal(t([0.0, 1.0, 2.0]), 1.0))
MixtureSameFamily(Categorical(t([[0.5, 0.5], [0.5, 0.5]])), Normal(t([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]), 1.0))
MixtureSameFamily(Categorical(t([0.5, 0.5])), Exponential(t([0.5, 2.0]))).log_prob(t(-1.0))
MixtureSameFamily(Categorical(t([0.5, 0.5])), Exponential(t([0.5, 2.0]))).support
Multinomial(t(2.0), t([0.5, 0.5]))
Multinomial(2, t([0.5, 0.5])).log_prob(t([1.0, 2.0]))
Multinomial(2, t([1.0, 0.0])).log_prob(t([2.0, 0.0]))
MultivariateNormal(t(0.0), t([[1.0]]))
MultivariateNormal(t([0.0]))
MultivariateNormal(t([0.0]), t([1.0]))
MultivariateNormal(t([0.0]), scale_tril=t([1.0]))
MultivariateNormal(t([0.0]), precision_matrix=t([1.0]))
MultivariateNormal(t([0.0, 0.0]), t([[1.0, 2.0], [2.0, 1.0]]))
MultivariateNormal(t([0.0, 0.0]), scale_tril=t([[1.0, 0.5], [0.0, 1.0]]))
NegativeBinomial(1)
NegativeBinomial(1, t(1.0))
NegativeBinomial(t([0.0, 2.0]), t([0.5, 0.5])).log_prob(t([0.0, 0.0]))
OneHotCategorical(t([0.5, 0.5])).log_prob(t([1.0, 1.0]))
OneHotCategorical(t([0.5, 0.5])).enumerate_support()
Pareto(1.0, -1.0)
Pareto(1.0, 2.0).log_prob(t(0.5))
Poisson(-1.0)
Poisson(2.0).log_prob(t(0.5))
RelaxedBernoulli(t(0.5))
RelaxedOneHotCategorical(t(0.5), t([0.5, 0.5])).log_prob(t([0.5, 0.6]))
StudentT(-1.0)
TransformedDistribution(Normal(0.0, 1.0), 1)
TransformedDistribution(Normal(0.0, 1.0), [1])
TransformedDistribution(Normal(0.0, 1.0), StickBreakingTransform())
TransformedDistribution(Normal(0.0, 1.0), []).support
VonMises(0.0, -1.0)
VonMises(t([0.0]), t([1.0])).expand([2])
Weibull(-1.0, 1.0)
Wishart(t(0.5), t([[2.0, 0.5], [0.5, 1.0]]))
Wishart(t(3.0))
Wishart(3.0, t([[2.0, 0.5], [0.5, 1.0]])).df
Distribution()
Distribution.set_default_validate_args(3)
Distribution(validate_args=False).sample()
Distribution(validate_args=False).mode
Distribution(validate_args=False).expand([2])
Transform()(t(1.0))
Transform(cache_size=2)
Transform().sign
ExpTransform() == ExpTransform()
ExpTransform() == SigmoidTransform()
AffineTransform(1.0, 2.0) == AffineTransform(1.0, t(2.0))
AffineTransform(1.0, 2.0) == AffineTransform(1.0, 3.0)
AffineTransform(1.0, -2.0).sign
PowerTransform(t(2.0)) == PowerTransform(t(2.0))
ComposeTransform([ExpTransform()]) == ComposeTransform([ExpTransform()])
ComposeTransform([ExpTransform(), AffineTransform(0.0, -1.0)]).sign
ComposeTransform([ExpTransform(), AbsTransform()]).bijective
ExpTransform().inv.inv == ExpTransform()
ExpTransform().inv == ExpTransform().inv
IndependentTransform(ExpTransform(), 1)(t(1.0))
StickBreakingTransform().event_dim
CorrCholeskyTransform().event_dim
CorrCholeskyTransform().forward_shape((4,))
CorrCholeskyTransform().forward_shape((5, 6))
CorrCholeskyTransform().inverse_shape((3, 2))
CorrCholeskyTransform().inverse_shape((4, 3, 3))
StickBreakingTransform().forward_shape(())
StickBreakingTransform().inverse_shape((4, 3))
ReshapeTransform((2, 3), (4,))
ReshapeTransform((2, 3), (6,)).forward_shape((5, 3, 2))
ReshapeTransform((2, 3), (6,)).forward_shape((3,))
ReshapeTransform((2, 3), (6,)).inverse_shape((5, 6))
CatTransform([ExpTransform(), 1])
CatTransform([ExpTransform()], lengths=[1, 2])
CatTransform([ExpTransform()], lengths=[2])(t([1.0, 2.0, 3.0]))
CatTransform([ExpTransform()], dim=2)(t([1.0, 2.0, 3.0]))
StackTransform([ExpTransform()])(t([1.0, 2.0, 3.0]))
StackTransform([ExpTransform()], dim=1)(t([1.0, 2.0, 3.0]))
AffineTransform(t([1.0, 2.0]), 1.0).forward_shape((4, 1))
biject_to(constraints.one_hot)
biject_to(constraints.lower_cholesky)
biject_to.register(3, lambda c: None)
constraints.independent(3, 1)
constraints.independent(constraints.real, -1)
constraints.independent(constraints.real, 1.5)
constraints.independent(constraints.real, 2).check(t([1.0]))
constraints.dependent.event_dim
constraints.dependent.is_discrete
constraints.dependent.check(t(1.0))
constraints.is_dependent(Uniform.support)
constraints.is_dependent(Normal.support)
constraints.cat([3])
constraints.cat([constraints.real], lengths=[1, 2])
constraints.stack([constraints.real], dim=3).check(t([1.0]))
constraints.stack([constraints.real_vector, constraints.real], dim=-1).event_dim
Uniform.support.event_dim
Categorical.support.is_discrete
utils.broadcast_all(t([1.0, 2.0]), 3)
utils.broadcast_all(1, 2.5)
utils.broadcast_all("a")
utils.tril_matrix_to_vec(t([[1.0, 2.0], [3.0, 4.0]]))
utils.tril_matrix_to_vec(t([[1.0, 2.0], [3.0, 4.0]]), diag=-1)
utils.tril_matrix_to_vec(t([[1.0, 2.0], [3.0, 4.0]]), diag=2)
utils.vec_to_tril_matrix(t([1.0, 2.0, 3.0]))
utils.vec_to_tril_matrix(t([1.0, 2.0, 3.0]), diag=-1)
utils.vec_to_tril_matrix(t([1.0, 2.0, 3.0, 4.0]))
utils.clamp_probs(t([0.0, 0.5, 1.0]))
utils.probs_to_logits(t([0.0, 0.5, 1.0]), is_binary=True)
utils.logits_to_probs(t([0.0, 0.5, 1.0]))
utils.euler_constant
multivariate_normal._batch_mahalanobis(t([[2.0, 0.0], [0.5, 1.0]]), t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
multivariate_normal._batch_mahalanobis(t([[[2.0, 0.0], [0.5, 1.0]]]), t([[[1.0, 2.0], [3.0, 4.0]]]))
multivariate_normal._batch_mv(t([[2.0, 0.0], [0.5, 1.0]]), t([1.0, 2.0]))
multivariate_normal._precision_to_scale_tril(t([[2.0, 0.5], [0.5, 1.0]]))
kl_divergence(Normal(0.0, 1.0), Poisson(1.0))
register_kl(3, Normal)
""".strip().splitlines()

SCALES = {torch.float32: (7, 2e-6), torch.float64: (12, 1e-9)}  # digits that are written, and how far off they may be


def _number(x, digits):
    return f"{x:.{digits}g}" if isinstance(x, float) else str(x)


def text_of(value, digits=7):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype)[6:]} {list(value.shape)} " + " ".join(_number(x, digits) for x in value.detach().reshape(-1).tolist())
    if isinstance(value, torch.Size):
        return str(value)
    if isinstance(value, (tuple, list)):
        return "(" + "; ".join(text_of(v, digits) for v in value) + ")"
    if isinstance(value, D.Distribution):
        return f"{value!r} {value.batch_shape} {value.event_shape}"
    if isinstance(value, torch.dtype):
        return str(value)
    return str(value) if isinstance(value, (bool, int, str)) else _number(value, digits) if isinstance(value, float) else repr(value)


class Leaves:
    """Makes the tensors of an expression, and remembers them."""

    def __init__(self, dtype, requires_grad=False):
        self.dtype, self.requires_grad, self.made = dtype, requires_grad, []

    def __call__(self, data):
        made = torch.tensor(data, dtype=self.dtype, requires_grad=self.requires_grad)
        self.made.append(made)
        return made

    def evaluate(self, expression):
        from taut.distributions import kl, multivariate_normal, relaxed_bernoulli, utils

        scope = {**{name: getattr(D, name) for name in D.__all__}, "t": self, "constraints": constraints, "torch": torch,
                 "LogitRelaxedBernoulli": relaxed_bernoulli.LogitRelaxedBernoulli, "utils": utils, "kl": kl,
                 "multivariate_normal": multivariate_normal}
        before = torch.get_default_dtype()
        torch.set_default_dtype(self.dtype)
        try:
            return eval(expression, scope)  # noqa: S307  our own text
        finally:
            torch.set_default_dtype(before)


def attempt(f, digits=7):
    """The result of f(), or its error, as text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return text_of(f(), digits)
    except (NotImplementedError, ValueError, TypeError, AssertionError, AttributeError) as e:
        return f"{type(e).__name__}: {e}"
    except (RuntimeError, IndexError):  # of an op, which has words of its own
        return "an error"


def weights(shape, dtype):
    """Different factors for the elements whose gradients are asked for."""
    n = 1
    for size in shape:
        n *= size
    return torch.tensor([((i * 7) % 5 + 1) / 3 for i in range(n)], dtype=dtype).reshape(shape)


def gradients(leaves, result):
    if not isinstance(result, torch.Tensor) or not result.requires_grad:
        return "none"
    loss = (result * weights(list(result.shape), result.dtype)).sum()
    return tuple("none" if g is None else g for g in torch.autograd.grad(loss, leaves, allow_unused=True))


def sampled(expression, dtype):
    """Numbers for a seed, and their gradients."""
    digits = SCALES[dtype][0]
    leaves = Leaves(dtype, requires_grad=True)
    made = leaves.evaluate(expression)
    torch.manual_seed(11)
    yield "sample", attempt(lambda: made.sample((3,)), digits)
    yield "sample again", attempt(made.sample, digits)
    yield "sample more", attempt(lambda: made.sample((4, 5)).double().mean((0, 1)), digits)
    if not made.has_rsample:
        return
    yield "rsample", attempt(lambda: made.rsample((2,)), digits)
    torch.manual_seed(12)
    if expression.startswith("Wishart"):
        return  # PyTorch's overwrites what backward needs
    yield "rsample gradients", attempt(lambda: gradients(leaves.made, made.rsample((2,))), digits)


def parameters_alone(made, digits):
    yield "repr", repr(made)
    yield "shapes", f"{made.batch_shape} {made.event_shape} {made.has_rsample} {made.has_enumerate_support}"
    yield "support", attempt(lambda: made.support)
    yield "arg_constraints", attempt(lambda: repr(made.arg_constraints))
    for name in ("mean", "mode", "variance", "stddev"):
        yield name, attempt(lambda: getattr(made, name), digits)


def formulas(expression):
    """All else, in float64. PyTorch's GeneralizedPareto has densities in float32 alone."""
    digits = SCALES[torch.float64][0]
    made = Leaves(torch.float64).evaluate(expression)
    if expression.startswith("Generalized"):
        torch.manual_seed(13)
        yield from parameters_alone(made, digits)
        made = Leaves(torch.float32).evaluate(expression)
        yield "log_prob", attempt(lambda: made.log_prob(torch.tensor([0.1, 0.9, -0.8])), 6)
        yield "cdf", attempt(lambda: made.cdf(torch.tensor([0.1, 0.9, -0.8])), 6)
        return
    yield from parameters_alone(made, digits)
    yield "entropy", attempt(made.entropy, digits)
    yield "perplexity", attempt(made.perplexity, digits)
    torch.manual_seed(13)
    value = made.sample((2,))
    yield "value", text_of(value, digits)
    leaves = Leaves(torch.float64, requires_grad=True)
    tracked = leaves.evaluate(expression)
    yield "log_prob", attempt(lambda: made.log_prob(value), digits)
    yield "log_prob gradients", attempt(lambda: gradients(leaves.made, tracked.log_prob(value)), digits)
    leaves = Leaves(torch.float64, requires_grad=True)
    yield "entropy gradients", attempt(lambda: gradients(leaves.made, leaves.evaluate(expression).entropy()), digits)
    yield "cdf", attempt(lambda: made.cdf(value), digits)
    yield "icdf", attempt(lambda: made.icdf(torch.tensor(0.3, dtype=torch.float64)), digits)
    yield "enumerate_support", attempt(made.enumerate_support, digits)
    yield "enumerate_support, not expanded", attempt(lambda: made.enumerate_support(expand=False), digits)
    wide = made.expand((2, *made.batch_shape))
    yield "expanded", text_of(wide)
    yield "expanded log_prob", attempt(lambda: wide.log_prob(value), digits)
    yield "expanded variance", attempt(lambda: wide.variance, digits)
    torch.manual_seed(14)
    yield "expanded sample", attempt(wide.sample, digits)
    if ".inv" in expression:
        return  # PyTorch's copies of these are broken
    for name, copied in (("copied", copy.deepcopy(made)), ("pickled", pickle.loads(pickle.dumps(made)))):
        yield name, repr(copied) + " " + attempt(lambda: copied.log_prob(value), digits)


def transformed(expression, x):
    digits = SCALES[torch.float64][0]
    leaves = Leaves(torch.float64)
    transform = leaves.evaluate(expression)
    x = leaves.evaluate(x)
    yield "repr", repr(transform)
    for name in ("domain", "codomain", "bijective", "sign", "event_dim"):
        yield name, attempt(lambda: getattr(transform, name))
    y = transform(x)
    yield "y", text_of(y, digits)
    yield "x", attempt(lambda: transform.inv(y), digits)
    yield "log_abs_det_jacobian", attempt(lambda: transform.log_abs_det_jacobian(x, y), digits)
    yield "inverse log_abs_det_jacobian", attempt(lambda: transform.inv.log_abs_det_jacobian(y, x), digits)
    yield "forward_shape", attempt(lambda: transform.forward_shape(x.shape))
    yield "inverse_shape", attempt(lambda: transform.inverse_shape(y.shape))
    yield "inverse", repr(transform.inv)

    def cached():
        other = transform.with_cache(1)
        return other.inv(other(x)) is x

    yield "with_cache", attempt(cached)
    if ".inv" not in repr(transform) and "Inverse" not in repr(transform):  # PyTorch's copies of these are broken
        yield "copied", repr(copy.deepcopy(transform))
        yield "pickled", repr(pickle.loads(pickle.dumps(transform)))


def results():
    """All questions and answers, and by how much the answers' numbers may be off."""
    small, wide = (SCALES[dtype][1] for dtype in (torch.float32, torch.float64))
    for expression in CASES:
        for dtype in (torch.float32, torch.float64):
            for name, answer in sampled(expression, dtype):
                yield expression, f"{name}, {str(dtype)[6:]}", answer, SCALES[dtype][1]
        for name, answer in formulas(expression):
            yield expression, name, answer, wide
    for p in PAIRS:
        for q in PAIRS:
            pair = [Leaves(torch.float64).evaluate(e) for e in (p, q)]
            yield f"kl_divergence({p}, ...)", q, attempt(lambda: D.kl_divergence(*pair), 12), wide
    for pair in DIVERGENCES:
        yield "kl_divergence", pair, attempt(lambda: Leaves(torch.float64).evaluate(f"kl_divergence({pair})"), 12), wide
    for expressions, x in ((TRANSFORMS, "t([[0.3, -0.5, 1.2], [0.9, 0.1, -0.4]])"),
                           (MATRIX_TRANSFORMS, "t([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])")):
        for expression in expressions:
            # what is within (0, 1) and sums to less than 1
            at = "t([[0.3, 0.2, 0.5], [0.1, 0.6, 0.3]])" if expression.endswith(".inv") and "Corr" not in expression else x
            for name, answer in transformed(expression, at):
                yield expression, name, answer, wide
    for expression in CONSTRAINTS:
        constraint = Leaves(torch.float64).evaluate("constraints." + expression)
        yield expression, "repr", repr(constraint), wide
        yield expression, "event_dim", attempt(lambda: constraint.event_dim), wide
        yield expression, "is_discrete", attempt(lambda: constraint.is_discrete), wide
        for value in VALUES:
            yield expression, value, attempt(lambda: constraint.check(Leaves(torch.float64).evaluate(value))), wide
    for statement in STATEMENTS:
        yield "statements", statement, attempt(lambda: Leaves(torch.float32).evaluate(statement)), small
