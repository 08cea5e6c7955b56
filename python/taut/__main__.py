"""python -m taut: runs PyTorch scripts on Taut."""

import sys

HELP = """\
usage: python -m taut script.py [args...]     run a PyTorch script, as it is, on Taut
       python -m taut -m module [args...]     run a module, as python -m does
       python -m taut -c code [args...]       run a line of code
       python -m taut --missing script.py...  list the torch names that scripts use and Taut lacks; runs nothing
       python -m taut --missing directory...  the same for all scripts below, and a summary
       python -m taut --version               say which version this is
       python -m taut --help                  show this

Within the script `import torch`, `import torch.nn as nn`, `from torch.utils.data import DataLoader` and so on give
Taut. A name that Taut lacks raises an error with its full name. --missing exits with status 1 if anything is missing.
Inside of a program, taut.as_torch() does the same.
"""


def _hide_ourselves():
    """Tracebacks of a script start at the script."""

    def is_ours(file):
        return file == __file__ or "runpy" in file  # which runs us

    def show(kind, value, traceback):
        start = traceback
        while start is not None and is_ours(start.tb_frame.f_code.co_filename):
            start = start.tb_next
        if start is None and not issubclass(kind, SyntaxError):  # which the script need not be running for
            start = traceback
        sys.__excepthook__(kind, value.with_traceback(start), start)

    sys.excepthook = show


def _run(code, file=None):
    """Runs compiled code as the module __main__."""
    import types

    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = __builtins__
    if file is not None:
        main.__file__ = file
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _fail(message):
    sys.stderr.write(f"python -m taut: {message}\n")
    return 2


def main(args):
    """Does what the command line says; returns the exit status."""
    if not args or args[0] in ("-h", "--help"):
        sys.stdout.write(HELP)
        return 0 if args else 2
    if args[0] in ("-V", "--version"):
        import taut

        print(f"taut {taut.__version__}")
        return 0
    if args[0] == "--missing":
        from taut._missing import report

        return report(args[1:]) if args[1:] else _fail("--missing: which script?")
    if args[0] in ("-m", "-c") and len(args) == 1:
        return _fail(f"{args[0]}: what is to be run?")

    from taut._as_torch import as_torch

    if args[0] == "-m":
        import runpy

        as_torch()
        _hide_ourselves()
        sys.argv = args[1:]  # runpy puts the file there
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    elif args[0] == "-c":
        as_torch()
        _hide_ourselves()
        sys.argv = ["-c"] + args[2:]
        _run(compile(args[1], "<string>", "exec"))
    elif args[0].startswith("-"):
        return _fail(f"unknown option {args[0]}; see --help")
    else:
        import io
        import os

        script = os.path.join(os.getcwd(), args[0])  # __file__ is absolute
        try:
            with io.open_code(script) as f:
                source = f.read()
        except OSError as error:
            return _fail(f"can't open file '{args[0]}': {error.strerror}")
        as_torch()
        _hide_ourselves()
        sys.argv = list(args)
        sys.path[0] = os.path.dirname(script)  # `python -m` has put the current directory there
        _run(compile(source, script, "exec"), script)
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    if status:
        sys.exit(status)
