"""torch.distributed.checkpoint is not there: its names are, and say so."""

from ..._refuse import loading, refusals

_WHY = "it is not supported: gather the state on one rank and save that"
globals().update(refusals("distributed.checkpoint", "save load async_save save_state_dict load_state_dict FileSystemReader FileSystemWriter "
                          "StorageReader StorageWriter DefaultSavePlanner DefaultLoadPlanner HuggingFaceStorageReader HuggingFaceStorageWriter", _WHY))
__getattr__ = loading("distributed.checkpoint", {"state_dict", "default_planner", "optimizer", "format_utils", "hf_storage", "_consolidate_hf_safetensors", "state_dict_loader"})
