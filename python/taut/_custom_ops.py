"""Old names of torch.library."""

from .library import get_ctx, impl_abstract  # noqa: F401
