"""The old name of torch.hub's loader."""

from ..hub import load_state_dict_from_url as load_url  # noqa: F401
