"""The scaler of losses for sharded models: infinities are looked for where the gradients are."""

from ...amp import GradScaler as ShardedGradScaler  # noqa: F401
