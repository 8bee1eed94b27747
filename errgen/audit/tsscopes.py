"""Which names of TypeScript mean something else where they stand: nodes flow in, names of functions flow out."""

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from tree_sitter import Node

from errgen.audit.tsexpressions import text_of

_FUNCTIONS: Final = frozenset("""
    arrow_function function_declaration function_expression generator_function generator_function_declaration
    method_definition
    """.split())
_SCOPES: Final = _FUNCTIONS | {
    *("statement_block", "for_statement", "for_in_statement", "catch_clause", "switch_body")
}
# The field of a node that gives names.
_GIVES: Final = {
    "required_parameter": "pattern",
    "optional_parameter": "pattern",
    "arrow_function": "parameter",
    "for_in_statement": "left",
    "catch_clause": "parameter",
    "variable_declarator": "name",
}
_NAMES: Final = ("identifier", "shorthand_property_identifier_pattern")
_WHOLES: Final = ("object_pattern", "array_pattern", "rest_pattern")
_PARTS: Final = {
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
    "pair_pattern": "value",
}


class Scopes:
    """The names that functions and blocks give to something of their own; `known` names are imports."""

    def __init__(
        self,
        nodes: Iterable[Node],
        parent: Callable[[Node], Node | None],
        known: Container[str],
        is_import: Callable[[Node], bool],
    ) -> None:
        """Note parameters and what is declared, unless it is an import by another name."""
        self.parent = parent
        self.own: set[tuple[int, str]] = set()
        for node in nodes:
            given = _GIVES.get(node.type)
            pattern = node.child_by_field_name(given) if given else None
            if pattern and not is_import(node):
                scope = node if node.type in _SCOPES else self._scope(node)
                names = _names(pattern) if scope else ()
                self.own.update((scope.id, name) for name in names if scope and name in known)

    def hide(self, node: Node, name: str) -> bool:
        """Tell whether a name at a node is one of a function or block around it."""
        outer = self._scope(node) if self.own else None
        while outer is not None and (outer.id, name) not in self.own:
            outer = self._scope(outer)
        return outer is not None

    def _scope(self, node: Node) -> Node | None:
        outer = self.parent(node)
        while outer is not None and outer.type not in _SCOPES:
            outer = self.parent(outer)
        return outer


def _names(pattern: Node) -> Iterator[str]:
    if pattern.type in _NAMES:
        yield text_of(pattern)
    elif pattern.type in _WHOLES:
        for part in pattern.named_children:
            yield from _names(part)
    elif inner := pattern.child_by_field_name(_PARTS.get(pattern.type, "none")):
        yield from _names(inner)
