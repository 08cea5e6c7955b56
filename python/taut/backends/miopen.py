"""MIOpen: not there."""

immediate = False
