"""What a report of a bug should say about the machine: python -m taut -m torch.utils.collect_env."""

import platform
import re
import subprocess
import sys
from collections import namedtuple

SystemEnv = namedtuple("SystemEnv", ["torch_version", "is_debug_build", "cuda_compiled_version", "gcc_version", "clang_version",
                                     "cmake_version", "os", "libc_version", "python_version", "python_platform",
                                     "is_cuda_available", "pip_version", "pip_packages", "cpu_info"])


def run(command):
    """(status, output, errors) of a command."""
    try:
        done = subprocess.run(command, shell=isinstance(command, str), capture_output=True, text=True)
    except OSError as problem:
        return 127, "", str(problem)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def _first(command, pattern):
    status, out, _ = run(command)
    match = re.search(pattern, out) if status == 0 else None
    return match[1] if match else None


def get_gcc_version(run_lambda=run):
    """The version of gcc."""
    return _first("gcc --version", r"gcc (.*)")


def get_clang_version(run_lambda=run):
    """The version of clang."""
    return _first("clang --version", r"clang version (.*)")


def get_cmake_version(run_lambda=run):
    """The version of cmake."""
    return _first("cmake --version", r"cmake (.*)")


def get_libc_version():
    """The C library."""
    return "-".join(platform.libc_ver()) if platform.system() == "Linux" else "N/A"


def get_os(run_lambda=run):
    """The operating system."""
    try:
        with open("/etc/os-release") as file:
            match = re.search(r'^PRETTY_NAME="?(.*?)"?$', file.read(), re.M)
    except OSError:
        match = None
    return f"{match[1] if match else platform.system()} ({platform.machine()})"


def get_cpu_info(run_lambda=run):
    """What lscpu says."""
    status, out, _ = run("lscpu")
    return out if status == 0 else platform.processor()


def get_pip_packages(run_lambda=run, patterns=None):
    """(pip's name, packages of this field and their versions)."""
    from importlib.metadata import distributions

    wanted = patterns or ("taut", "numpy", "torch", "onnx", "mypy", "optree", "triton", "flake8")
    lines = {f"{d.metadata['Name']}=={d.version}" for d in distributions()
             if any(w in (d.metadata["Name"] or "").lower() for w in wanted)}
    return "pip3", "\n".join(sorted(lines))


def get_env_info():
    """All of it, as a SystemEnv."""
    from .. import __version__

    pip, packages = get_pip_packages()
    return SystemEnv(torch_version=__version__, is_debug_build="False", cuda_compiled_version="None", gcc_version=get_gcc_version(),
                     clang_version=get_clang_version(), cmake_version=get_cmake_version(), os=get_os(), libc_version=get_libc_version(),
                     python_version=f"{sys.version} ({platform.architecture()[0][:2]}-bit runtime)".replace("\n", " "),
                     python_platform=platform.platform(), is_cuda_available="False", pip_version=pip, pip_packages=packages,
                     cpu_info=get_cpu_info())


def pretty_str(envinfo):
    """It in lines."""

    def said(text):
        return "Could not collect" if not text else text

    packages = "\n".join(f"[{envinfo.pip_version}] {line}" for line in (envinfo.pip_packages or "").splitlines())
    return f"""\
PyTorch version: {envinfo.torch_version}
Is debug build: {envinfo.is_debug_build}
CUDA used to build PyTorch: {envinfo.cuda_compiled_version}

OS: {said(envinfo.os)}
GCC version: {said(envinfo.gcc_version)}
Clang version: {said(envinfo.clang_version)}
CMake version: {said(envinfo.cmake_version)}
Libc version: {envinfo.libc_version}

Python version: {envinfo.python_version}
Python platform: {envinfo.python_platform}
Is CUDA available: {envinfo.is_cuda_available}

CPU:
{said(envinfo.cpu_info)}

Versions of relevant libraries:
{said(packages)}"""


def get_pretty_env_info():
    """All of it, in lines."""
    return pretty_str(get_env_info())


def main():
    """Prints it."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
