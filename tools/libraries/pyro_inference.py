"""SVI with a normal guide (150 steps), then NUTS (60 samples), on a linear regression"""

import pyro
import pyro.distributions as dist
import torch
from pyro.infer import MCMC, NUTS, SVI, Trace_ELBO
from pyro.infer.autoguide import AutoNormal

PACKAGE = "pyro-ppl"


def model(x, y=None):
    slope, base = pyro.sample("slope", dist.Normal(0.0, 2.0)), pyro.sample("base", dist.Normal(0.0, 2.0))
    scale = pyro.sample("scale", dist.HalfNormal(1.0))
    with pyro.plate("data", len(x)):
        return pyro.sample("y", dist.Normal(slope * x + base, scale), obs=y)


def task():
    pyro.set_rng_seed(1)
    x = torch.linspace(-1, 1, 50)
    y = 1.5 * x + 0.3 + 0.2 * torch.randn(50)
    guide = AutoNormal(model)
    svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.05}), loss=Trace_ELBO())
    numbers = [svi.step(x, y) for _ in range(150)]
    numbers += [v.item() for v in guide.median().values()]
    pyro.set_rng_seed(1)
    mcmc = MCMC(NUTS(model), num_samples=60, warmup_steps=40, disable_progbar=True)
    mcmc.run(x, y)
    return numbers + [v.mean().item() for v in mcmc.get_samples().values()]
