"""Which torch names does a script use that Taut lacks? Found by reading the script, without running it."""

import ast
import functools
import importlib
import sys
import types


class _Lacks(Exception):
    """Taut has no such name."""


def _attribute(owner, full):
    """The object called `full`, an attribute or submodule of `owner`."""
    name = full.rpartition(".")[2]
    try:
        return getattr(owner, name)
    except AttributeError:
        pass
    if isinstance(owner, types.ModuleType):
        try:
            return importlib.import_module("taut" + full[len("torch"):])
        except ImportError:
            pass
    raise _Lacks(full)


@functools.lru_cache(maxsize=None)
def resolve(full):
    """The object that the dotted name `full` ("torch.nn.Linear") means; None where only running would tell.

    Raises _Lacks with the first part of the name that Taut lacks.
    """
    owner, _, _ = full.rpartition(".")
    if not owner:
        return importlib.import_module("taut")
    found = resolve(owner)
    if not isinstance(found, (types.ModuleType, type)):
        return None  # an attribute of a function or a value
    return _attribute(found, full)


@functools.lru_cache(maxsize=None)
def _makers_of_tensors():
    """The names of functions and methods that return one tensor."""
    from . import _C

    returns = {}
    for schema in _C._schemas():
        name = schema[:schema.index("(")].partition(".")[0]
        returns.setdefault(name, set()).add(schema.rpartition("-> ")[2].partition("(")[0])
    makers = {name for name, kinds in returns.items() if kinds == {"Tensor"}}
    return makers | {"tensor", "as_tensor", "from_numpy", "empty", "rand", "randn", "randint", "randperm", "zeros",
                     "ones", "full", "arange", "linspace", "eye", "clone", "detach", "to", "float", "double", "long",
                     "int", "contiguous"}


class _Reader(ast.NodeVisitor):
    """Follows names through the scopes of a script.

    A scope says what each of its names stands for: a dotted torch name, "torch.Tensor()" for a tensor, or None for
    anything else.
    """

    def __init__(self):
        self.scopes = [{}]
        self.lacking = []  # (line, name), in the order of the script

    def lacks(self, node, name):
        entry = node.lineno, name
        if entry not in self.lacking:
            self.lacking.append(entry)

    def check(self, node, full):
        """Notes `full` if Taut lacks it; returns it unless it is lacking."""
        try:
            resolve(full)
            return full
        except _Lacks as gap:
            self.lacks(node, str(gap))
            return None

    def bind(self, name, meaning):
        self.scopes[-1][name] = meaning

    def meaning(self, node):
        """What an expression stands for."""
        if isinstance(node, ast.Name):
            for scope in reversed(self.scopes):
                if node.id in scope:
                    return scope[node.id]
            return None
        if isinstance(node, ast.Attribute):
            owner = self.meaning(node.value)
            if owner is None:
                return None
            if owner == "torch.Tensor()":
                from . import Tensor

                # An attribute that the script itself gives to tensors is its own business.
                if not hasattr(Tensor, node.attr) and node.attr not in self.own_attributes:
                    self.lacks(node, f"torch.Tensor.{node.attr}")
                return f"torch.Tensor.{node.attr}()"
            return None if owner.endswith("()") else self.check(node, f"{owner}.{node.attr}")
        if isinstance(node, ast.NamedExpr):
            return self.meaning(node.value)
        if isinstance(node, ast.Call):
            called = self.meaning(node.func)
            if called is None:
                return None
            owner, _, name = called.rstrip("()").rpartition(".")
            if called.endswith("()"):  # a method of a tensor
                return "torch.Tensor()" if owner == "torch.Tensor" and name in _makers_of_tensors() else None
            if called == "torch.Tensor" or (owner in ("torch", "torch.nn.functional") and name in _makers_of_tensors()):
                return "torch.Tensor()"
        return None

    # Imports.

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name.partition(".")[0] != "torch":
                self.bind(alias.asname or alias.name.partition(".")[0], None)
            elif alias.asname:
                self.bind(alias.asname, self.check(node, alias.name))
            else:
                self.check(node, alias.name)
                self.bind("torch", "torch")

    def visit_ImportFrom(self, node):
        torch = node.level == 0 and node.module and node.module.partition(".")[0] == "torch"
        if torch and not self.check(node, node.module):
            torch = False  # the module is lacking: its names need not be listed
        for alias in node.names:
            if alias.name == "*":
                if torch:
                    module = resolve(node.module)
                    for name in getattr(module, "__all__", [n for n in dir(module) if n[0] != "_"]):
                        self.bind(name, f"{node.module}.{name}")
            else:
                found = self.check(node, f"{node.module}.{alias.name}") if torch else None
                self.bind(alias.asname or alias.name, found)

    # Names that get a new meaning.

    def assign(self, target, meaning):
        if isinstance(target, ast.Name):
            self.bind(target.id, meaning)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item in target.elts:
                self.assign(item, None)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, None)
        else:
            self.visit(target)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node.value, (ast.Tuple, ast.List)) \
                    and len(target.elts) == len(node.value.elts):
                for item, value in zip(target.elts, node.value.elts):
                    self.assign(item, self.meaning(value))
            else:
                self.assign(target, self.meaning(node.value))

    def visit_AnnAssign(self, node):
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self.assign(node.target, self.meaning(node.value))

    def visit_For(self, node):
        self.visit(node.iter)
        self.assign(node.target, None)
        for statement in node.body + node.orelse:
            self.visit(statement)

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, None)
        for statement in node.body:
            self.visit(statement)

    visit_AsyncWith = visit_With

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.assign(node.target, self.meaning(node.value))

    # Scopes.

    def visit_FunctionDef(self, node):
        annotations = [a.annotation for a in self.arguments(node.args)] + [node.returns]
        for outside in node.decorator_list + node.args.defaults + node.args.kw_defaults + annotations:
            if outside is not None:
                self.visit(outside)
        self.bind(node.name, None)
        self.inside(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        for default in node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(default)
        self.inside(node.args, [node.body])

    def inside(self, args, body):
        self.scopes.append({a.arg: None for a in self.arguments(args)})
        for statement in body:
            self.visit(statement)
        self.scopes.pop()

    @staticmethod
    def arguments(args):
        return args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]

    def visit_ClassDef(self, node):
        for outside in node.decorator_list + node.bases + [k.value for k in node.keywords]:
            self.visit(outside)
        self.bind(node.name, None)
        self.scopes.append({})
        for statement in node.body:
            self.visit(statement)
        self.scopes.pop()

    def comprehension(self, node):
        self.scopes.append({})
        for part in node.generators:
            self.visit(part.iter)
            self.assign(part.target, None)
            for condition in part.ifs:
                self.visit(condition)
        for item in ([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]):
            self.visit(item)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehension

    # Uses.

    def visit_Attribute(self, node):
        self.visit(node.value)
        self.meaning(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2 \
                and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str):
            owner = self.meaning(node.args[0])
            if owner and not owner.endswith("()"):
                self.check(node, f"{owner}.{node.args[1].value}")


def missing(source, file="<string>"):
    """(line, name) of every torch name that the script uses and Taut lacks."""
    tree = ast.parse(source, file)
    reader = _Reader()
    reader.own_attributes = {target.attr for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign))
                             for target in getattr(node, "targets", [getattr(node, "target", None)])
                             if isinstance(target, ast.Attribute)}
    reader.visit(tree)
    return reader.lacking


def _scripts(paths):
    """The files that are given, and the .py files of the directories that are given."""
    import os

    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for directory, below, names in os.walk(path):
            below[:] = sorted(d for d in below if d[0] != "." and d not in ("__pycache__", "node_modules", "site-packages"))
            yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(".py"))


def report(paths):
    """Prints what scripts lack, and of directories a summary; the exit status: 1 if anything, 2 if a script cannot be read."""
    import os

    status, counts, read, lacking = 0, {}, 0, 0
    directories = any(map(os.path.isdir, paths))
    for file in _scripts(paths):
        try:
            with open(file, "rb") as f:
                found = missing(f.read(), file)
        except (OSError, SyntaxError, ValueError) as error:
            sys.stderr.write(f"python -m taut --missing: {file}: {error}\n")
            if not directories:
                return 2
            continue
        read += 1
        lacking += bool(found)
        for line, name in found:
            print(f"{file}:{line}: {name}")
            counts[name] = counts.get(name, 0) + 1
            status = 1
    if directories:
        print(f"{read} files, {lacking} of them with names that Taut lacks: {len(counts)} names")
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            print(f"{count:6} {name}")
    return status
