"""Names that programs import and Taut cannot serve: they are there, and say why when they are used."""


def refused(name, why):
    """A class that raises when it is called, made or subclassed; annotations and isinstance may name it."""

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"torch.{name} is not supported by Taut: {why}")

    module, _, short = name.rpartition(".")
    kind = type(short, (), {"__new__": refuse, "__init_subclass__": classmethod(refuse), "__module__": f"torch.{module}",
                            "__doc__": f"Raises: {why}"})
    return kind


def refusals(module, names, why):
    """{name: what raises} for several names of a module."""
    return {name: refused(f"{module}.{name}", why) for name in names.split()}


def lacking(module):
    """The __getattr__ of a module that has nothing more: it names in full what is missing."""

    def missing(name):
        raise AttributeError(f"torch.{module}.{name} is not part of Taut")

    return missing


def loading(module, submodules, others=()):
    """The __getattr__ of a package: loads a submodule when it is asked for; others: {name: the submodule that has it}."""
    others = dict(others)

    def found(name):
        import importlib

        if name in submodules:
            return importlib.import_module(f"taut.{module}.{name}")
        if name in others:
            return getattr(importlib.import_module(f"taut.{module}.{others[name]}"), name)
        raise AttributeError(f"torch.{module}.{name} is not part of Taut")

    return found
