"""Reads what the reference shows of the public C++ headers: classes, their constructors and sentences, options, functions."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include" / "taut"


def text_of(*patterns):
    """The text of all headers that fit, without bodies of namespaces' ends and macros getting in the way."""
    return "\n".join(p.read_text() for pattern in patterns for p in sorted(INCLUDE.glob(pattern)))


def block(text, opening):
    """What stands between the brace that follows `opening` and its twin."""
    begin = text.index("{", opening)
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[begin + 1:at]
    return ""


def tidy(declaration):
    return re.sub(r"\s+", " ", declaration).strip()


def until_parenthesis(text, begin):
    """From `begin` to the parenthesis that closes the first one."""
    depth = 0
    for at in range(text.index("(", begin), len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[begin:at + 1]
    return ""


def functions(text, name):
    """The declarations of the functions of that name."""
    found = []
    for m in re.finditer(rf"^(?!\s*(?:return|//|using|#|else))\s*((?:inline |static )?[A-Za-z_][\w:<>,&* ]*[ &*]){re.escape(name)}\(", text, re.MULTILINE):
        declaration = tidy(until_parenthesis(text, m.start())).replace("inline ", "")
        if declaration not in found:
            found.append(declaration)
    return [d + ";" for d in found]


class Classes:
    """The classes and structs of some headers."""

    def __init__(self, *patterns):
        self.text = text_of(*patterns)
        self.defined, self.parameters = {}, {}
        for m in re.finditer(r"^(?:template <([^>]*)>\n)?(?:class|struct) (\w+)[^;{(]*\{", self.text, re.MULTILINE):
            self.defined.setdefault(m[2], m)
        self.names = {name: (target, arguments) for name, target, arguments in
                      re.findall(r"using (\w+) = (\w+)(?:<([^;]*)>)?;", self.text)}

    def has(self, name):
        return name in self.defined or name in self.names

    def _resolved(self, name):
        """(the match of its definition, {template parameter: argument})"""
        given = {}
        for _ in range(4):
            if name in self.defined:
                parameters = [p.split()[-1] for p in (self.defined[name][1] or "").split(",") if p.strip()]
                return self.defined[name], dict(zip(parameters, given.get("", [])))
            if name not in self.names:
                return None, {}
            name, arguments = self.names[name]
            given = {"": [a.strip() for a in arguments.split(",")]}
        return None, {}

    def sentence(self, name):
        found, _ = self._resolved(name)
        if not found:
            return ""
        lines = self.text[:found.start()].rstrip("\n").split("\n")
        comment = []
        while lines and lines[-1].startswith("///"):
            comment.insert(0, lines.pop()[3:].strip())
        return " ".join(comment)

    def constructors(self, name, called=None):
        """The public ways to make one, but for copies."""
        found, given = self._resolved(name)
        if not found:
            return []
        body = block(self.text, found.start())
        public = re.split(r"^ (?:private|protected):", body, maxsplit=1, flags=re.MULTILINE)[0]
        own = found[2]
        ways = []
        for m in re.finditer(rf"^  (?:explicit )?{own}\(", public, re.MULTILINE):
            way = tidy(until_parenthesis(public, m.start())).replace("explicit ", "")
            if not re.match(rf"{own}\((const )?{own}\s*&", way):
                ways.append(re.sub(rf"^{own}", called or name, self.filled(way, given)))
        return ways

    @staticmethod
    def filled(text, given):
        for parameter, argument in given.items():
            text = re.sub(rf"\b{parameter}\b", argument, text)
        return text

    def options(self, name):
        """(type, name, default) of each TAUT_ARG, of its bases too."""
        found, given = self._resolved(name)
        if not found:
            return []
        head = found[0]
        items = []
        for base in re.findall(r"[:,] (?:public )?(?:\w+::)*(\w+Options\w*)", head):
            if base != name and self.has(base):
                items += self.options(base)
        for kind, option, default in re.findall(r"TAUT_ARG\(((?:[^()]|\([^()]*\))*), (\w+)\)(?: = ([^;]*))?;", block(self.text, found.start())):
            items.append((self.filled(tidy(kind).strip("()"), given), option, self.filled(tidy(default), given)))
        return items

    def method(self, name, method):
        """The declarations of one method, of the class itself or a base."""
        found, given = self._resolved(name)
        if not found:
            return []
        body = block(self.text, found.start())
        ways = []
        for m in re.finditer(rf"^  ([\w:<>,&* ]+ ){method}\(", body, re.MULTILINE):
            ways.append(self.filled(tidy(until_parenthesis(body, m.start())), given))
        if ways:
            return ways
        base = re.search(r": public (\w+)(?:<([^{]*)>)?", found[0])
        if base and base[1] in self.defined and base[1] != name:
            parent = self.defined[base[1]]
            parameters = [p.split()[-1] for p in (parent[1] or "").split(",") if p.strip()]
            filled = dict(zip(parameters, [a.strip() for a in (base[2] or "").split(",")]))
            return [self.filled(w, filled) for w in self.method(base[1], method)]
        return []
