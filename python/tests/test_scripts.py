"""python -m taut, taut.as_torch(), --missing; scripts whose output is compared with what PyTorch printed."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest
import transcripts

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = sorted((HERE / "golden" / "scripts").glob("*.txt"))
NUMBERS = [g for g in GOLDEN if g.stem.startswith(("train_", "random_"))]  # for test_same_numbers.py
OTHERS = [g for g in GOLDEN if g not in NUMBERS]


def taut(*args, cwd=None):
    """Runs `python -m taut` with these arguments."""
    import taut

    package = str(pathlib.Path(taut.__file__).resolve().parent.parent)
    path = os.pathsep.join([package] + [p for p in [os.environ.get("PYTHONPATH")] if p])
    return subprocess.run([sys.executable, "-W", "ignore", "-m", "taut"] + [str(a) for a in args], capture_output=True,
                          text=True, cwd=cwd, env=dict(os.environ, PYTHONPATH=path), timeout=120)


def run(code, *args):
    return taut("-c", textwrap.dedent(code), *args)


def printed(code, *args):
    done = run(code, *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(golden):
    """Runs the script that a golden text belongs to, and compares."""
    name, _, argument = golden.stem.partition(".")
    done = taut(HERE / "scripts" / f"{name}.py", *([argument] if argument else []))
    assert done.returncode == 0, done.stderr
    assert transcripts.alike(done.stdout, golden.read_text()), done.stdout


@pytest.mark.parametrize("golden", OTHERS, ids=[g.stem for g in OTHERS])
def test_script_prints_what_pytorch_prints(golden):
    compare(golden)


def test_every_script_has_golden_text():
    assert {p.stem for p in (HERE / "scripts").glob("*.py")} == {g.stem.partition(".")[0] for g in GOLDEN}


def test_torch_and_taut_are_the_same_modules():
    assert printed("""
        import torch, torch.nn, torch.nn.functional, torch.utils.data, torch.autograd, torch.optim.lr_scheduler
        import torch.linalg, taut, taut.nn.functional, sys
        import torch.nn as nn
        import torch.nn.functional as F
        from torch import nn as again
        from torch.autograd import Function
        from torch.utils.data import DataLoader
        import torch as twice
        print(torch is taut, twice is torch, nn is taut.nn, again is nn, F is taut.nn.functional)
        print(sys.modules["torch.nn"] is sys.modules["taut.nn"], torch.nn.functional is F)
        print(Function is taut.autograd.Function, torch.linalg is taut.linalg)
        print(taut.nn.__spec__.name, taut.nn.__name__)
    """) == "True True True True True\nTrue True\nTrue True\ntaut.nn taut.nn\n"


def test_script_is_main_and_sees_its_arguments_and_directory(tmp_path):
    (tmp_path / "neighbour.py").write_text("import torch\nvalue = torch.ones(2).sum().item()\n")
    (tmp_path / "script.py").write_text("import sys, neighbour\nif __name__ == '__main__':\n    print(sys.argv[1:], "
                                        "sys.argv[0].endswith('script.py'), neighbour.value, __file__)\n")
    done = taut("script.py", "--help", "-x", "1", cwd=tmp_path)
    assert done.stdout == f"['--help', '-x', '1'] True 2.0 {tmp_path / 'script.py'}\n", done.stderr


def test_module_runs_as_python_m_runs_it(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import sys, torch\nprint(__name__, sys.argv[1:], torch.tensor(3) + 1)\n")
    done = taut("-m", "package", "a", cwd=tmp_path)
    assert done.stdout == "__main__ ['a'] tensor(4)\n", done.stderr


def test_code_sees_its_arguments():
    assert printed("import sys; print(sys.argv)", "a", "-b") == "['-c', 'a', '-b']\n"


def test_classes_of_a_script_can_be_pickled(tmp_path):
    (tmp_path / "script.py").write_text(textwrap.dedent("""
        import copy, pickle
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 1)

        net = Net()
        again = pickle.loads(pickle.dumps(net))
        print(type(again) is Net, torch.equal(again.layer.weight, net.layer.weight), type(again.layer) is nn.Linear)
        print(pickle.loads(pickle.dumps([torch.float32, torch.Size([2]), torch.tensor([1.5])])))
        print(nn.Linear.__module__, pickle.loads(pickle.dumps(nn.functional.relu)) is nn.functional.relu)
    """))
    done = taut("script.py", cwd=tmp_path)
    assert done.stdout == ("True True True\n[torch.float32, torch.Size([2]), "
                           "tensor([1.5000])]\ntorch.nn.modules.linear True\n"), done.stderr


def test_exit_status_of_the_script_is_kept():
    assert run("import sys; sys.exit(3)").returncode == 3
    assert run("raise SystemExit('stopped')").returncode == 1


def test_traceback_starts_at_the_script(tmp_path):
    (tmp_path / "script.py").write_text("import torch\n\ndef f():\n    torch.ones(2) @ torch.ones(3)\n\nf()\n")
    done = taut("script.py", cwd=tmp_path)
    lines = done.stderr.splitlines()
    assert done.returncode == 1
    assert lines[:2] == ["Traceback (most recent call last):", f'  File "{tmp_path / "script.py"}", line 6, in '
                                                               '<module>']
    assert lines[-1].startswith("RuntimeError: ")


def test_syntax_error_shows_only_the_script(tmp_path):
    (tmp_path / "script.py").write_text("import torch\nx = = 1\n")
    done = taut("script.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f'  File "{tmp_path / "script.py"}", line 2\n')
    assert done.stderr.endswith("SyntaxError: invalid syntax\n")


@pytest.mark.parametrize("code,name", [
    ("import torch; torch.no_such_name", "torch.no_such_name"),
    ("import torch; torch.nn.NoSuchLayer", "torch.nn.NoSuchLayer"),
    ("import torch; torch.linalg.no_such_norm", "torch.linalg.no_such_norm"),
    ("import torch.nonsense", "torch.nonsense"),
    ("import torch.nn.nonsense", "torch.nn.nonsense"),
    ("from torch import nonsense", "torch.nonsense"),
    ("from torch.linalg import nonsense", "torch.linalg.nonsense"),
    ("from torch.nn.nonsense import thing", "torch.nn.nonsense"),
    ("from torch.autograd import nonsense", "torch.autograd.nonsense"),
])
def test_missing_name_is_given_in_full(code, name):
    done = run(code)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert f"{name} is not part of Taut" in last
    assert last.startswith(("AttributeError", "ImportError", "ModuleNotFoundError"))


def test_function_is_not_hidden_by_the_module_of_its_name():
    assert printed("""
        from torch.autograd.gradcheck import gradcheck, GradcheckError
        import torch, torch.autograd.gradcheck
        print(torch.autograd.gradcheck is gradcheck)
    """) == "True\n"


def test_optional_imports_fall_back():
    assert printed("""
        try:
            import torch.nonsense
        except ImportError:
            print("absent")
        import torch
        print(hasattr(torch, "nonsense"), getattr(torch, "nonsense", None))
    """) == "absent\nFalse None\n"


def test_as_torch_inside_of_a_program():
    code = ("import taut; t = taut.as_torch(); import torch, torch.nn.functional as F; "
            "print(torch is taut, t is taut, taut.as_torch() is taut)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.stdout == "True True True\n", done.stderr


def test_as_torch_refuses_when_another_torch_is_there(tmp_path):
    (tmp_path / "torch.py").write_text("")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import torch, taut; taut.as_torch()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.returncode == 1
    assert "RuntimeError: taut.as_torch(): torch is imported already" in done.stderr


def test_without_as_torch_nothing_is_replaced():
    code = "import taut, sys; print('torch' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p)))
    assert done.stdout == "False False\n", done.stderr


def test_help_and_version():
    assert "usage: python -m taut" in taut("--help").stdout
    assert taut("--version").stdout.startswith("taut ")
    assert taut().returncode == 2


@pytest.mark.parametrize("args", [["--nonsense"], ["-m"], ["-c"], ["--missing"], ["no_such_script.py"],
                                  ["--missing", "no_such_script.py"]])
def test_bad_command_lines_exit_with_2(args):
    done = taut(*args)
    assert done.returncode == 2
    assert done.stderr.startswith("python -m taut")


SCRIPT = """\
import torch
import torch as t
import torch.nn as nn
import torch.nonsense.deep
from torch import nn as other, no_such_function, tensor
from torch.utils.data import DataLoader, NoSuchLoader
from torch.autograd import *
F = torch.nn.functional


class Net(nn.NoSuchModule):
    def forward(self, x):
        torch = x
        torch.fine_because_it_is_a_local()
        return F.relu(F.no_such_activation(x))


def use(nn, a: t.NoSuchType = t.no_such_default):
    nn.fine_because_it_is_an_argument
    return t.nn.Linear(2, 2), other.NoSuchLayer()


x = torch.randn(3)
x.no_such_method()
y = torch.zeros(2).relu().exp()
y.no_such_method_either
y.mine = 3
print(y.mine, torch.Tensor.no_such_tensor_method, torch.float32.anything, getattr(torch, "no_such_attribute"))
hasattr(torch, "fine_because_it_is_only_asked_for")
print([nn.Linear for nn in [t]], lambda t: t.fine, (w := torch.ones(1)).no_such_walrus, w.T)
"""


def test_missing_lists_what_a_script_lacks_without_running_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = taut("--missing", script)
    assert done.returncode == 1, done.stderr
    found = [line.replace(f"{script}:", "") for line in done.stdout.splitlines()]
    assert found == [
        "4: torch.nonsense", "5: torch.no_such_function", "6: torch.utils.data.NoSuchLoader", "11: "
                                                                                              "torch.nn.NoSuchModule",
        "15: torch.nn.functional.no_such_activation", "18: torch.no_such_default", "18: torch.NoSuchType",
        "20: torch.nn.NoSuchLayer", "24: torch.Tensor.no_such_method", "26: torch.Tensor.no_such_method_either",
        "28: torch.Tensor.no_such_tensor_method", "28: torch.no_such_attribute", "30: torch.Tensor.no_such_walrus"]


def test_missing_says_nothing_of_scripts_that_run():
    done = taut("--missing", *sorted((HERE / "scripts").glob("*.py")))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_missing_reports_scripts_it_cannot_parse(tmp_path):
    (tmp_path / "script.py").write_text("def f(:\n")
    done = taut("--missing", tmp_path / "script.py")
    assert done.returncode == 2 and "script.py" in done.stderr


def test_pickles_with_torch_names_are_read(tmp_path):
    # What PyTorch wrote for {"shape": torch.Size([2, 3]), "dtype": torch.float64}: names of torch, and nothing of Taut.
    data = (b"\x80\x02}q\x00(X\x05\x00\x00\x00shapeq\x01ctorch\nSize\nq\x02K\x02K\x03\x86q\x03\x85q\x04Rq\x05X"
            b"\x05\x00\x00\x00dtypeq\x06ctorch\nfloat64\nq\x07u.")
    (tmp_path / "data.pkl").write_bytes(data)
    assert printed(f"import pickle; print(pickle.load(open({str(tmp_path / 'data.pkl')!r}, 'rb')))") == \
        "{'shape': torch.Size([2, 3]), 'dtype': torch.float64}\n"


def test_missing_reports_for_a_whole_project(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.py").write_text("import torch\ntorch.no_such_name\ntorch.ones(1)\n")
    (tmp_path / "two.py").write_text("import torch\ntorch.no_such_name(1)\ntorch.nn.NoSuchLayer()\n")
    (tmp_path / "three.py").write_text("import torch\n")
    (tmp_path / "broken.py").write_text("import torch as\n")
    done = taut("--missing", tmp_path)
    assert done.returncode == 1 and "broken.py" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("two.py:2: torch.no_such_name") and len(lines) == 6
    assert lines[3:] == ["3 files, 2 of them with names that Taut lacks: 2 names", "     2 torch.no_such_name",
                         "     1 torch.nn.NoSuchLayer"]


def test_the_wheel_that_makes_torch_taut(tmp_path):
    import zipfile

    built = subprocess.run([sys.executable, str(HERE.parents[1] / "tools" / "as_torch_wheel.py"), str(tmp_path)], capture_output=True, text=True)
    with zipfile.ZipFile(built.stdout.strip()) as wheel:
        wheel.extractall(tmp_path / "site")
    purelib = next((tmp_path / "site").glob("*.data")) / "purelib"  # as pip does
    next(purelib.iterdir()).rename(tmp_path / "site" / next(purelib.iterdir()).name)
    code = ("import importlib.util, importlib.metadata as m; assert importlib.util.find_spec('torch')\n"
            "from torch.nn import Linear\nimport torch, taut, torch.utils.data\n"
            "print(torch is taut, m.version('torch') == torch.__version__, m.version('taut-as-torch') in torch.__version__)")
    path = os.pathsep.join([str(tmp_path / "site"), *(p for p in sys.path if p)])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=path))
    assert done.stdout == "True True True\n", done.stderr
