"""The old name of torch.hub's loader."""

from ..hub import load_state_dict_from_url as load_url  # noqa: F401


def __getattr__(name):
    if name == "tqdm":  # progress bars, if the package is there
        from tqdm import tqdm

        return tqdm
    raise AttributeError(f"torch.utils.model_zoo.{name} is not part of Taut")
