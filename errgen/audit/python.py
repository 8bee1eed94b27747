"""Read Python source: bytes flow in; names, codes, comments and imports flow out."""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from errgen.audit.columns import Columns
from errgen.audit.pyexpressions import asserted, chain, is_collection, literal, name_of, named_in
from errgen.audit.pyscopes import Scopes
from errgen.audit.sightings import Chain, Comment, Literal, Place, Ref, Scan

# Methods of mappings whose first argument is a key.
_KEYED: Final = ("get", "pop", "setdefault")
# Positions within an f-string are not to be relied on before Python 3.12.
_F_STRINGS: Final = sys.version_info >= (3, 12)
# What a literal passes on its way to what names its role.
_CLEAR: Final = (
    *(ast.UnaryOp, ast.Tuple, ast.List, ast.Set, ast.IfExp, ast.BoolOp, ast.Starred),
    *(ast.MatchValue, ast.MatchOr, ast.MatchAs, ast.MatchSequence),
)


def scan(_path: Path, content: bytes) -> Scan:
    """Return what a file of Python says of errors; of one that is no Python, only why."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = io.StringIO(content.decode(encoding), newline=None).read()
        tree = ast.parse(text)
    except SyntaxError as error:
        return Scan(problem=(Place(error.lineno or 1, max(error.offset or 1, 1)), error.msg))
    except (ValueError, LookupError, MemoryError) as error:
        return Scan(problem=(Place(1, 1), f"{type(error).__name__}: {error}"))
    source = _Source(text, tree)
    return Scan(
        chains=tuple(source.chains()),
        literals=tuple(source.literals()),
        comments=tuple(_comments(text)) if "errgen:" in text else (),
        bindings=source.bindings,
        stars=tuple(source.stars()),
    )


class _Source:
    """A parsed file with the way from each node to the one around it."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.lines = text.split("\n")
        self.nodes = list(ast.walk(tree))
        self.around = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        # Looked up, since a table can have many thousand entries.
        self.named = {value: name for node in self.nodes for value, name in named_in(node) if value}
        self.columns = Columns([line.encode() for line in self.lines])

    def chains(self) -> Iterator[Chain]:
        has_stars = any(self.stars())
        for node in self.nodes:
            if isinstance(node, ast.Attribute | ast.Subscript) and not self._is_inner(node):
                names = chain(node)
                is_ours = has_stars or (names and names[0] in self.bindings)
                if len(names) > 1 and is_ours and not self.scopes.hide(node, names[0]):
                    yield Chain(self._place(node), names)
            if isinstance(node, ast.Call) and chain(node.func) == ("getattr",):
                yield from self._by_getattr(node)

    def _is_inner(self, node: ast.expr) -> bool:
        outer = self.around[node]
        return isinstance(outer, ast.Attribute | ast.Subscript) and bool(
            outer.value is node and len(chain(outer)) > len(chain(node))
        )

    def _by_getattr(self, node: ast.Call) -> Iterator[Chain]:
        match node.args:
            case [owner, ast.Constant(value=str(name)), *_] if names := self._visible(owner):
                yield Chain(self._place(node), (*names, name))

    def _visible(self, node: ast.AST) -> tuple[str, ...]:
        """Return the names of a dotted expression, the first as nothing where it is a function's own."""
        names = chain(node)
        return ("", *names[1:]) if names and self.scopes.hide(node, names[0]) else names

    def literals(self) -> Iterator[Literal]:
        for node in self.nodes:
            value = literal(node)
            if value is None or not isinstance(node, ast.expr):
                continue
            outer = self.around[node]
            if isinstance(outer, ast.UnaryOp) and literal(outer) is not None:
                continue
            found = self._role(node)
            if found or (isinstance(value, int) and value < 0):
                role, user, is_key = found or ("", (), False)
                yield Literal(self._place(node), value, role, user, is_key)

    def _role(self, node: ast.AST) -> tuple[str, tuple[str, ...], bool] | None:
        """Return the role of a literal, who uses it, and whether it is a key."""
        is_key = False
        outer = self.around.get(node)
        while outer is not None:
            if isinstance(outer, ast.Dict) and (is_key or node not in self.named):
                is_key = True
            elif not isinstance(outer, _CLEAR) and not self._is_passed(outer):
                is_key = is_key or isinstance(outer, ast.Subscript)
                found = self._named(node, outer)
                return (*found, is_key) if found else None
            node, outer = outer, self.around.get(outer)
        return None

    def _is_passed(self, outer: ast.AST) -> bool:
        if isinstance(outer, ast.keyword) and outer.arg == "default":
            # `code: int = field(default=2001)`
            return is_collection(self.around[outer])
        return is_collection(outer)

    def _named(self, node: ast.AST, outer: ast.AST) -> tuple[str, tuple[str, ...]] | None:
        """Return the name that `outer` gives to a literal in `node`, and who uses it."""
        if isinstance(outer, ast.Call) and (role := asserted(node, outer)):
            return role, ()
        user = _user(node, outer)
        if user is not None:
            return (name_of(user), self._visible(user)) if name_of(user) else None
        if isinstance(outer, ast.Return):
            role = self._function(outer)
        elif isinstance(outer, ast.match_case):
            subject = self.around[outer]
            role = name_of(subject.subject) if isinstance(subject, ast.Match) else None
        else:
            role = self.named.get(node)
        return (role, ()) if role else None

    def _function(self, node: ast.AST) -> str | None:
        outer = self.around.get(node)
        while outer and not isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            outer = self.around.get(outer)
        return getattr(outer, "name", None)

    @cached_property
    def bindings(self) -> dict[str, Ref]:
        """Return what the file imports, and its other names for that."""
        found: dict[str, Ref] = {}
        for node in self.nodes:
            match node:
                case ast.Import(names=names):
                    for one in names:
                        name = one.asname or one.name.split(".")[0]
                        found[name] = Ref(one.name if one.asname else name)
                case ast.ImportFrom(names=names):
                    for one in names:
                        found[one.asname or one.name] = Ref(_module(node), (one.name,))
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                    | ast.NamedExpr(target=ast.Name(id=name), value=value)
                ):
                    if module := _loaded(value):
                        found[name] = Ref(module)
                    parts = chain(value)
                    if parts and parts[0] in found and parts != (name,):
                        found[name] = Ref("", parts)
                case _:
                    pass
        return found

    @cached_property
    def scopes(self) -> Scopes:
        """Return which of those names mean something else in functions."""
        return Scopes(self.nodes, self.around, self.bindings)

    def stars(self) -> Iterator[str]:
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield _module(node)

    def _place(self, node: ast.expr) -> Place:
        spot, outer = node, self.around.get(node)
        while not _F_STRINGS and outer is not None:
            if isinstance(outer, ast.JoinedStr):
                spot = outer
            outer = self.around.get(outer)
        return Place(spot.lineno, self.columns.at(spot.lineno - 1, spot.col_offset))


def _user(node: ast.AST, outer: ast.AST) -> ast.expr | None:
    """Return the function or mapping that a literal is given to."""
    match outer:
        case ast.Subscript(value=owner) if owner is not node:
            return owner
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in _KEYED:
            return owner
        case ast.Call(func=func) if func is not node:
            return func
        case _:
            return None


def _loaded(value: ast.expr) -> str | None:
    """Return the module that `importlib.import_module("…")` loads."""
    match value:
        case ast.Call(func=func, args=[ast.Constant(value=str(module))]):
            return module if chain(func)[-1:] == ("import_module",) else None
        case _:
            return None


def _module(node: ast.ImportFrom) -> str:
    return "." * node.level + (node.module or "")


def _comments(text: str) -> Iterator[Comment]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            place = Place(token.start[0], token.start[1] + 1)
            is_alone = not token.line[: token.start[1]].strip()
            yield Comment(place, token.string.lstrip("#").strip(), is_alone, place.line)
