"""Where PyTorch keeps what makes scripts."""

from . import Attribute, RecursiveScriptModule, ScriptFunction, ScriptModule, interface, script, script_method  # noqa: F401
