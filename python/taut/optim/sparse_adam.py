"""SparseAdam, which needs sparse gradients."""


class SparseAdam:
    """Not supported yet: there are no sparse tensors."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.optim.SparseAdam is not supported yet: Taut has no sparse tensors. Use "
                                  "torch.optim.Adam.")


SparseAdam.__module__ = "torch.optim.sparse_adam"
