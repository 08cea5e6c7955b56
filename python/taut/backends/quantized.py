"""Quantised ops: there are none."""

engine, supported_engines = "none", ["none"]
