"""Models of a directory with a hubconf.py. Only local ones: nothing is fetched from the network."""

import os
import re
import sys
import warnings  # noqa: F401
from urllib.parse import urlparse  # noqa: F401

from ._refuse import lacking as _lacking

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")  # a file's name says how its hash begins: resnet18-bfd8deac.pth
MODULE_HUBCONF, VAR_DEPENDENCY = "hubconf.py", "dependencies"
ENV_TORCH_HOME, ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR, ENV_GITHUB_TOKEN = "TORCH_HOME", "XDG_CACHE_HOME", "~/.cache", "GITHUB_TOKEN"
READ_DATA_CHUNK = 128 * 1024
_dir = None


def _get_torch_home():
    """Where files are kept."""
    cache = os.getenv(ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR)
    return os.path.expanduser(os.getenv(ENV_TORCH_HOME, os.path.join(cache, "torch")))


def get_dir():
    """Where models are kept."""
    return _dir if _dir is not None else os.path.join(_get_torch_home(), "hub")


def set_dir(d):
    """Says where models are kept."""
    global _dir
    _dir = os.path.expanduser(d)


def _refuse_network(name, what):
    raise NotImplementedError(f"torch.hub.{name} is not supported by Taut for {what}: nothing is fetched from the network; get the files "
                              "yourself and give their directory with source='local'")


def _hubconf(repo_or_dir, source, name):
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        _refuse_network(name, repr(repo_or_dir))
    import importlib.util

    repo = os.path.expanduser(repo_or_dir)
    path = os.path.join(repo, MODULE_HUBCONF)
    sys.path.insert(0, repo)
    try:
        spec = importlib.util.spec_from_file_location(MODULE_HUBCONF, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(repo)
    missing = [d for d in getattr(module, VAR_DEPENDENCY, None) or [] if importlib.util.find_spec(d) is None]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    return module


def _entry(module, model):
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    found = getattr(module, model, None)
    if found is None or not callable(found):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return found


def list(github, force_reload=False, skip_validation=False, trust_repo=None, verbose=True, *, source="local"):
    """The functions that a directory's hubconf.py offers."""
    source = source if os.path.isdir(os.path.expanduser(github)) else "github"
    module = _hubconf(github, source, "list")
    return [f for f in dir(module) if callable(getattr(module, f)) and not f.startswith("_")]


def help(github, model, force_reload=False, skip_validation=False, trust_repo=None, *, source="local"):
    """What a function of a directory's hubconf.py says of itself."""
    source = source if os.path.isdir(os.path.expanduser(github)) else "github"
    return _entry(_hubconf(github, source, "help"), model).__doc__


def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True, skip_validation=False, **kwargs):
    """What a function of the hubconf.py of a directory (source="local") returns."""
    return _entry(_hubconf(repo_or_dir, source, "load"), model)(*args, **kwargs)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """Copies the file of a file: URL; others are not fetched."""
    import hashlib
    import shutil

    parts = urlparse(str(url))
    if parts.scheme != "file":
        _refuse_network("download_url_to_file", url)
    from urllib.request import url2pathname

    source = url2pathname(parts.path)
    if hash_prefix is not None:
        with open(source, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        if not digest.startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest}")')
    shutil.copyfile(source, dst)


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False):
    """The file of this name where models are kept (get_dir()/checkpoints), or that of a file: URL; others are not fetched."""
    from .serialization import load as load_file

    model_dir = os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir
    name = file_name or os.path.basename(urlparse(url).path)
    cached = os.path.join(model_dir, name)
    if not os.path.exists(cached):
        if urlparse(url).scheme != "file":
            raise NotImplementedError(f"torch.hub.load_state_dict_from_url is not supported by Taut for {url}: nothing is fetched from the "
                                      f"network; put the file at {cached}")
        os.makedirs(model_dir, exist_ok=True)
        match = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, cached, match and match[1])
    return load_file(cached, map_location=map_location, weights_only=weights_only)


__getattr__ = _lacking("hub")
