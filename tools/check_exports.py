"""check_exports.py <g++> <include directory> <libtaut.a> <libtaut.so>...: the shared libraries must export every function
that a public header declares and does not define.

g++ lists the declarations with their linker names as Ada bindings, and -fkeep-inline-functions what the headers define.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def symbols(*command, kinds=""):
    """What is defined, of the kinds named or of all."""
    lines = subprocess.run(["nm", "--defined-only", "-P", *command], check=True, capture_output=True, text=True).stdout
    return {line.split()[0].split("@")[0] for line in lines.splitlines() if " " in line and (not kinds or line.split()[1] in kinds)}


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout
    return dict(zip(names, text.splitlines()))


def is_template(name):
    return "<" in re.sub(r"operator<[<=]*>?", "", name.split("(")[0])


def may_be_nowhere(name):
    """A constant, a member that may be `= default` or `= delete`, or an operator that belongs to a template."""
    scope, _, member = name.split("(")[0].rpartition("::")
    of_template = (member.startswith("operator") and re.search(r"taut::[\w:]+<.*> const&\)$", name)
                   or re.search(r"\((taut::Complex<\w+>(, )?)+\)$", name))
    of_class = member.lstrip("~") == scope.rpartition("::")[2] and name.endswith("()")
    is_default = member == "operator=" or of_class
    return "(" not in name or is_default or of_template


def main(compiler, include, static, *shared):
    headers = sorted(path.relative_to(include) for path in pathlib.Path(include, "taut").rglob("*.h"))
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "all.cpp")
        source.write_text("".join(f"#include <{header}>\n" for header in headers))
        subprocess.run([compiler, "-std=c++20", "-w", "-O0", "-fkeep-inline-functions", "-fdump-ada-spec",
                        "-I", str(pathlib.Path(include).resolve()), "-c", source.name, "-o", "all.o"], cwd=scratch, check=True)
        declared = set()
        for spec in pathlib.Path(scratch).glob("taut_*.ads"):
            declared.update(re.findall(r'"(_Z\w*4taut\w*)"', spec.read_text(errors="replace")))
        defined = symbols(str(pathlib.Path(scratch, "all.o")))
    # Every program has its own copy of what is inline, which is weak.
    built, exported = symbols(static, kinds="TDBR"), set().union(*(symbols("-D", library) for library in shared))
    missing = demangled(sorted(declared - defined - exported))
    missing = {name: text for name, text in missing.items()
               if not is_template(text) and (name in built or not may_be_nowhere(text))}
    if len(declared & exported) < 1000:
        sys.exit(f"found only {len(declared & exported)} of the library's functions among the declarations")
    for name, text in missing.items():
        print(f"not exported{'' if name in built else ' and nowhere defined'}: {text}")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
