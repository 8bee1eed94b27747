"""Which names of Python mean something else where they stand: a syntax tree flows in, names of functions flow out."""

import ast
from collections.abc import Container, Mapping, Sequence
from typing import Final

from errgen.audit.pyexpressions import chain

_SCOPES: Final = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Scopes:
    """The names that functions and comprehensions give to something of their own; `known` names are imports."""

    def __init__(
        self, nodes: Sequence[ast.AST], around: Mapping[ast.AST, ast.AST], known: Container[str]
    ) -> None:
        """Note parameters and what is assigned, unless it is an import by another name."""
        self.around = around
        self.own: set[tuple[ast.AST, str]] = set()
        for node in nodes:
            name = _given(node)
            if name in known and not self._is_import(node, known):
                scope = self._scope(node)
                if scope is not None:
                    self.own.add((scope, name or ""))

    def hide(self, node: ast.AST, name: str) -> bool:
        """Tell whether a name at a node is one of a function around it."""
        outer = self._scope(node) if self.own else None
        while outer is not None and (outer, name) not in self.own:
            outer = self._scope(outer)
        return outer is not None

    def _scope(self, node: ast.AST) -> ast.AST | None:
        outer = self.around.get(node)
        while outer is not None and not isinstance(outer, _SCOPES):
            # A default, an annotation and a decorator stand outside their function; they are read as if within.
            outer = self.around.get(outer)
        return outer

    def _is_import(self, node: ast.AST, known: Container[str]) -> bool:
        outer = self.around.get(node)
        if not isinstance(outer, ast.Assign | ast.AnnAssign | ast.NamedExpr) or not outer.value:
            return False
        names = chain(outer.value)
        return bool(names) and names[0] in known


def _given(node: ast.AST) -> str | None:
    match node:
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
        case _:
            return None
