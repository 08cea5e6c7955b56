"""What has a state dict of its own."""

import typing


@typing.runtime_checkable
class Stateful(typing.Protocol):
    """An object that gives its state and takes it again."""

    def state_dict(self):
        """Its state, as a dict."""

    def load_state_dict(self, state_dict):
        """Takes it."""
