#!/usr/bin/env python3
"""Builds the wheel taut-as-torch from packaging/as-torch: tools/as_torch_wheel.py DIRECTORY. Prints the path of the wheel."""

import base64
import hashlib
import os
import re
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SOURCE = os.path.join(ROOT, "packaging", "as-torch")


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt")) as file:
        return re.search(r"project\(taut VERSION ([\d.]+)", file.read())[1]


def torch_version(own):
    """The version that taut.__version__ says."""
    with open(os.path.join(ROOT, "python", "taut", "__init__.py")) as file:
        kept = re.search(r'__version__ = f"([\d.]+)\+taut', file.read())[1]
    return f"{kept}+taut.{own}"


def files():
    """{path in the wheel: text}"""
    own = version()
    as_torch = torch_version(own)
    info, data = f"taut_as_torch-{own}.dist-info", f"taut_as_torch-{own}.data/purelib"
    with open(os.path.join(SOURCE, "torch", "__init__.py")) as file:
        package = file.read()
    with open(os.path.join(SOURCE, "README.md")) as file:
        readme = file.read()
    # A wheel has one dist-info of its own; that of torch is data, which pip puts beside it.
    made = {
        "torch/__init__.py": package,
        f"{data}/torch-{as_torch}.dist-info/METADATA":
            f"Metadata-Version: 2.1\nName: torch\nVersion: {as_torch}\nSummary: Taut by the name of torch\nRequires-Dist: taut\n",
        f"{data}/torch-{as_torch}.dist-info/INSTALLER": "taut-as-torch\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: taut-as-torch\nVersion: {own}\nSummary: Taut by the name of torch, for a whole "
                            f"environment\nLicense: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: taut\n"
                            f"Description-Content-Type: text/markdown\n\n{readme}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tools/as_torch_wheel.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/top_level.txt": "torch\n",
    }
    record = ""
    for path, text in made.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    made[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    return made


def main():
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, f"taut_as_torch-{version()}-py3-none-any.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, text in files().items():
            wheel.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)  # the same bytes whenever it is built
    print(path)


if __name__ == "__main__":
    main()
