"""SparseAdam, whose gradients are sparse."""

from ..autograd.grad_mode import no_grad
from ..sparse import sparse_coo_tensor
from .optimizer import Optimizer, _check_lr, _evaluate


class SparseAdam(Optimizer):
    """Adam for sparse gradients: a step changes the averages and the parameters only where the gradient has elements."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        _check_lr(lr, text=None)
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for k in (0, 1):
            if not 0.0 <= betas[k] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {k}: {betas[k]}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))
        at = [[i, j] for i, group in enumerate(self.param_groups) for j, p in enumerate(group["params"])
              if p.is_sparse]
        if at:
            raise ValueError(f"Sparse params at indices {at}: SparseAdam requires dense parameter tensors")

    def step(self, closure=None):
        """One step along the gradients. A closure computes the loss anew and returns it."""
        loss = _evaluate(closure)
        with no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    if not p.grad.is_sparse:
                        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
                    self._step_one(group, p, p.grad)
        return loss

    def _step_one(self, group, p, grad):
        state = self.state[p]
        if not state:
            state["step"] = 0
            state["exp_avg"], state["exp_avg_sq"] = p.new_zeros(p.shape), p.new_zeros(p.shape)
        state["step"] += 1
        (beta1, beta2), step = group["betas"], state["step"]
        grad = -grad.coalesce() if group["maximize"] else grad.coalesce()
        if not grad._nnz():
            return
        value = grad._values()

        def like(values):
            return sparse_coo_tensor(grad._indices(), values, grad.shape, is_coalesced=True)

        old_average = state["exp_avg"].sparse_mask(grad)._values()
        change = (value - old_average) * (1 - beta1)
        state["exp_avg"].add_(like(change))
        old_square = state["exp_avg_sq"].sparse_mask(grad)._values()
        change_of_square = (value * value - old_square) * (1 - beta2)
        state["exp_avg_sq"].add_(like(change_of_square))
        down = (old_square + change_of_square).sqrt() + group["eps"]
        rate = group["lr"] * (1 - beta2 ** step) ** 0.5 / (1 - beta1 ** step)
        p.add_(like(-rate * ((change + old_average) / down)))


SparseAdam.__module__ = "torch.optim.sparse_adam"
