"""Where PyTorch keeps detect_anomaly."""

from . import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
