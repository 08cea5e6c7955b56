"""exact GP regression: 40 steps of Adam on the marginal likelihood, then means and variances"""

import gpytorch
import torch

PACKAGE = "gpytorch"


class Model(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def task():
    x = torch.linspace(0, 1, 60)
    y = torch.sin(x * 6.28) + torch.randn(60) * 0.2
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model, numbers = Model(x, y, likelihood), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    for _ in range(40):
        optimizer.zero_grad()
        loss = -mll(model(x), y)
        loss.backward()
        optimizer.step()
        numbers.append(loss.item())
    model.eval()
    likelihood.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        seen = likelihood(model(torch.linspace(0, 1, 21)))
        lower, upper = seen.confidence_region()
    return [*numbers, *seen.mean.tolist(), *lower.tolist(), *upper.tolist()]
