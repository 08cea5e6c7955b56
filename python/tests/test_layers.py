"""The table of layers (src/nn/layers): mistakes in an entry are found, and what is written follows it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import layer_cpp  # noqa: E402
import layer_python  # noqa: E402
import layer_table  # noqa: E402

ENTRY = """\
Bend(float sharp=2.0, bool inplace=False)
  x, bent.
  call: bend(input, sharp, inplace)
  op: bend
  check: sharp <= 0 -> ValueError: sharp must be positive, got {sharp}
  repr: sharp, inplace?
"""


@pytest.fixture
def read(tmp_path):
    def made(text):
        path = tmp_path / "bends.txt"
        path.write_text(text)
        return layer_table.read(path)

    return made


@pytest.mark.parametrize("right, wrong, why", [
    ("float sharp", "flaot sharp", "type that is not known"),
    ("repr:", "rper:", "no key that is known"),
    ("repr: sharp", "repr: blunt", "which is no option"),
    ("  call: bend(input, sharp, inplace)\n", "", "has no call"),
    ("  x, bent.\n", "", "no sentence"),
    ("Bend(float sharp=2.0, bool inplace=False)", "Bend : Curve", "does not stand above it"),
])
def test_a_mistake_in_an_entry_is_named_with_its_place(read, right, wrong, why):
    with pytest.raises(SystemExit, match="layers: bends.txt:1: .*" + why):
        read(ENTRY.replace(right, wrong))


def test_one_entry_gives_the_classes_and_functions_of_both_faces(read):
    table = read(ENTRY)
    options = "\n".join(layer_cpp.options_header(table))
    assert "TAUT_ARG(double, sharp) = 2.0;" in options and "using BendFuncOptions = BendOptions;" in options
    assert "TAUT_MODULE(Bend);" in layer_cpp.modules_header(table)
    source = "\n".join(layer_cpp.modules_source(table))
    assert 'throw ValueError(str("sharp must be positive, got ", shown(options.sharp())));' in source
    assert "return F::bend(std::move(input), options);" in source
    functions = "\n".join(layer_cpp.functional_source(table))
    assert "taut::bend_(input, options.sharp()) : taut::bend(input, options.sharp());" in functions

    class F:
        @staticmethod
        def bend(input, sharp, inplace):
            return input, sharp, inplace

    from taut.nn import Module

    space = {"F": F, "Module": Module}
    exec("\n".join(layer_python.classes(table)), space)
    bend = space["Bend"](3.0)
    assert bend(1) == (1, 3.0, False) and bend.extra_repr() == "sharp=3.0"
    assert bend.__constants__ == ["sharp", "inplace"]
    assert space["Bend"](inplace=True).extra_repr() == "sharp=2.0, inplace=True"
    with pytest.raises(ValueError, match="sharp must be positive, got -1"):
        space["Bend"](-1)
    space = {"_ops": {"bend": lambda x, sharp: x + sharp, "bend_": lambda x, sharp: x - sharp}}
    exec("\n".join(layer_python.all_functions(table)), space)
    assert space["bend"](1) == 3 and space["bend"](1, inplace=True) == -1
