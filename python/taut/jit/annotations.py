"""Types of arguments that take one value or a list of them."""

from typing import Dict, List, Optional, Tuple, Union  # noqa: F401  # programs take them from here


class _BroadcastingList:
    """One value, or a list of n."""

    def __getitem__(self, types):
        return None


for _n in range(1, 7):
    globals()[f"BroadcastingList{_n}"] = _BroadcastingList()
