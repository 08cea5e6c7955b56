"""Settings of the compiler there is not: programs read and write them, and they change nothing."""

import sys

from ..compiler import _Config

_values = dict(verbose=False, suppress_errors=False, cache_size_limit=8, recompile_limit=8, accumulated_cache_size_limit=256,
               dynamic_shapes=True, assume_static_by_default=True, automatic_dynamic_shapes=True, capture_scalar_outputs=False,
               capture_dynamic_output_shape_ops=False, optimize_ddp=True, disable=False, error_on_recompile=False,
               inline_inbuilt_nn_modules=True, guard_nn_modules=True, allow_rnn=False, compiled_autograd=False, log_level=None)
_settings = _Config(**_values)
_settings.__dict__.update({k: v for k, v in globals().items() if k.startswith("__")})
sys.modules[__name__] = _settings  # a module's attributes cannot be patched as these can
