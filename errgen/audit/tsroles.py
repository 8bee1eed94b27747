"""What a literal of TypeScript stands for: a node flows in, the name of what it is compared with flows out."""

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from errgen.audit.tsexpressions import chain, field_of, name_of

_Parent = Callable[[Node], Node | None]
_COLLECTIONS: Final = ("Set", "Map", "Array", "of", "freeze")
# Methods of collections and of mappings whose first argument is what they are searched for.
_SEARCHED: Final = ("includes", "indexOf", "has", "get")
# Assertions that compare nothing with their arguments.
_CATCHES: Final = (
    "throws",
    "doesNotThrow",
    "rejects",
    "doesNotReject",
    "assertThrows",
    "assertRejects",
)
_EQUALITY: Final = ("===", "!==", "==", "!=")
# What a literal passes on its way to what names its role.
_CLEAR: Final = frozenset("""
    array as_expression jsx_expression literal_type non_null_expression parenthesized_expression satisfies_expression
    sequence_expression ternary_expression type_annotation unary_expression union_type
    """.split())


def role_of(node: Node, parent: _Parent) -> tuple[str, tuple[str, ...], bool] | None:
    """Return the role of a literal, who uses it, and whether it is a key."""
    is_key = False
    outer = parent(node)
    while outer is not None:
        if outer.type == "pair" and (is_key or outer.child_by_field_name("key") == node):
            is_key = True
        elif outer.type == "array" and _is_entry(outer, parent):
            is_key = is_key or outer.named_children[0] == node
        elif typed := _typed(outer):
            return typed, (typed,), is_key
        elif outer.type == "computed_property_name" or (is_key and outer.type == "object"):
            pass
        elif outer.type not in _CLEAR and not _is_collection(outer, node):
            is_key = is_key or outer.type == "subscript_expression"
            found = _named(node, outer, parent)
            return (*found, is_key) if found and found[0] else None
        node, outer = outer, parent(outer)
    return None


def _typed(outer: Node) -> str:
    """Return the type of a code that a literal is said to be: `const first: ErrorCode = 2001`, `2001 as ErrorCode`."""
    if outer.type in ("as_expression", "satisfies_expression"):
        kind = name_of(outer.named_children[-1])
    else:
        annotation = outer.child_by_field_name("type")
        is_named = annotation is not None and annotation.type == "type_annotation"
        kind = name_of(annotation.named_children[0]) if annotation and is_named else ""
    return kind if kind.endswith("Code") else ""


def _is_entry(pair: Node, parent: _Parent) -> bool:
    """Tell whether a literal is half of an entry of a map: `new Map([[2001, "missing"]])`."""
    entries = parent(pair)
    args = parent(entries) if entries and entries.type == "array" else None
    made = parent(args) if args and args.type == "arguments" else None
    return made is not None and field_of(made, "constructor") == "Map"


def _is_collection(outer: Node, node: Node) -> bool:
    """Tell whether a literal only passes a collection here, as in `new Set([2001, 2002])`, or another value."""
    if outer.type == "arguments":
        return True
    if outer.type == "binary_expression":
        return field_of(outer, "operator") in ("||", "??")
    if outer.type in ("new_expression", "call_expression"):
        called = outer.child_by_field_name("constructor") or outer.child_by_field_name("function")
        return node != called and name_of(called) in _COLLECTIONS
    return False


def _named(node: Node, outer: Node, parent: _Parent) -> tuple[str, tuple[str, ...]] | None:
    kind = outer.type
    if kind == "binary_expression" and field_of(outer, "operator") in _EQUALITY:
        left, right = outer.child_by_field_name("left"), outer.child_by_field_name("right")
        return name_of(right if left == node else left), ()
    if kind in ("call_expression", "new_expression"):
        return _called(node, outer)
    if kind == "subscript_expression" and outer.child_by_field_name("index") == node:
        owner = outer.named_children[0]
        return name_of(owner), chain(owner)
    if kind == "jsx_attribute":
        return name_of(outer.named_children[0]), ()
    if kind == "member_expression":
        return _searched(outer, parent)
    if kind == "switch_case":
        body = parent(outer)
        switch = parent(body) if body else None
        return name_of(switch.child_by_field_name("value") if switch else None), ()
    if kind == "assignment_pattern":
        outer = _renamed(outer, parent)
    for field in ("key", "name", "left", "pattern"):
        named = outer.child_by_field_name(field)
        if named is not None and named != node:
            return name_of(named), ()
    return None


def _renamed(default: Node, parent: _Parent) -> Node:
    """Return what names a value by default: in `{ code: other = 2001 }` that is the key."""
    pair = parent(default)
    return pair if pair and pair.type == "pair_pattern" else default


def _called(node: Node, outer: Node) -> tuple[str, tuple[str, ...]] | None:
    """Return the role of an argument: the name of the function, or of the mapping that is searched."""
    called = outer.child_by_field_name("constructor") or outer.child_by_field_name("function")
    if called is None or called == node:
        return None
    if called.type == "member_expression" and name_of(called) in _SEARCHED:
        owner = called.named_children[0]
        return name_of(owner), chain(owner)
    if role := _asserted(outer, called):
        return role, ()
    if called.type == "member_expression" and name_of(called) == "code":
        return None  # `reply.code(404)` sets a status of HTTP
    return name_of(called), chain(called)


def _asserted(call: Node, called: Node) -> str:
    """Return what a test compares an argument with: `assert.equal(e.code, 2001)`, `expect(e.code).toBe(2001)`."""
    names = chain(called)
    args = call.child_by_field_name("arguments")
    if names and names[0].startswith("assert") and names[-1] not in _CATCHES and args:
        others = (one for one in args.named_children if one.type not in ("number", "string"))
        return next(filter(None, map(name_of, others)), "")
    owner = called
    while owner.type in ("member_expression", "await_expression", "parenthesized_expression"):
        owner = owner.named_children[0]
    is_expectation = owner.type == "call_expression" and field_of(owner, "function") == "expect"
    return name_of(owner) if is_expectation else ""


def _searched(member: Node, parent: _Parent) -> tuple[str, tuple[str, ...]] | None:
    """Return the role of what is in a collection that is searched: `[2001, 2002].includes(error.code)`."""
    call = parent(member)
    args = call.child_by_field_name("arguments") if call else None
    if name_of(member) in _SEARCHED and args and args.named_children:
        return name_of(args.named_children[0]), ()
    return None
