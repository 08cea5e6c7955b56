"""Quantisation is not there: its names are, and say so."""

from ._refuse import lacking as _lacking, refusals as _refusals

_NAMES = ("quantize quantize_dynamic quantize_qat quantize_jit prepare prepare_qat convert QConfig QConfigMapping default_qconfig get_default_qconfig "
          "get_default_qat_qconfig get_default_qconfig_mapping QuantStub DeQuantStub QuantWrapper fuse_modules fuse_modules_qat FakeQuantize "
          "FakeQuantizeBase ObserverBase MinMaxObserver MovingAverageMinMaxObserver HistogramObserver PerChannelMinMaxObserver "
          "PlaceholderObserver NoopObserver add_quant_dequant swap_module propagate_qconfig_ default_dynamic_qconfig "
          "float16_dynamic_qconfig per_channel_dynamic_qconfig default_qat_qconfig")
_WHY = "there are no quantised tensors"
globals().update(_refusals("ao.quantization", _NAMES, _WHY))
__getattr__ = _lacking("quantization")
