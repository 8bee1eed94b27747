"""What an expression of TypeScript is called: nodes of its syntax tree flow in, names and values flow out."""

from typing import Final

from tree_sitter import Node

# What changes nothing of the value of an expression, as far as names and codes go.
BARE: Final = frozenset("""
    as_expression await_expression non_null_expression parenthesized_expression satisfies_expression
    """.split())


def text_of(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode(errors="replace")


def field_of(node: Node, name: str) -> str:
    """Return the source of a part of a node, or nothing."""
    found = node.child_by_field_name(name)
    return text_of(found) if found else ""


def literal(node: Node) -> int | str | None:
    """Return the integer or text that an expression is, or None."""
    if node.type == "number":
        return _number(text_of(node))
    if node.type == "unary_expression" and text_of(node.children[0]) == "-":
        value = literal(node.children[-1])
        return -value if isinstance(value, int) else None
    if node.type in ("string", "template_string"):
        parts = node.named_children
        if all(part.type == "string_fragment" for part in parts):
            return "".join(map(text_of, parts))
    return None


def _number(text: str) -> int | None:
    try:
        return int(text.removesuffix("n").replace("_", ""), 0)
    except ValueError:
        return None


def bare(node: Node) -> Node:
    """Return an expression without what changes nothing of its value."""
    while node.type in BARE:
        node = node.named_children[0]
    return node


def chain(node: Node) -> tuple[str, ...]:
    """Return the names of a dotted expression, with texts in brackets as names; nothing for any other."""
    node = bare(node)
    if node.type == "identifier":
        return (text_of(node),)
    if node.type in ("member_expression", "nested_identifier"):
        owner, name = node.named_children[0], node.named_children[-1]
        names = chain(owner)
        return (*names, text_of(name)) if names else ()
    if node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        name_in = literal(index) if index else None
        names = chain(node.named_children[0])
        return (*names, name_in) if names and isinstance(name_in, str) else ()
    return ()


def name_of(node: Node | None) -> str:
    """Return what an expression is called where its value is used: `body["code"]` and `Number(e.code)` are a code."""
    if node is None:
        return ""
    node = bare(node)
    if node.type.endswith(("identifier", "identifier_pattern")):
        return text_of(node)
    if node.type in ("member_expression", "nested_identifier"):
        return text_of(node.named_children[-1])
    if node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        name = literal(index) if index else None
        return name if isinstance(name, str) else name_of(node.named_children[0])
    if node.type == "call_expression":
        args = node.child_by_field_name("arguments")
        inner = args.named_children if args else []
        called = node.child_by_field_name("function")
        return (name_of(inner[0]) if len(inner) == 1 else "") or name_of(called)
    if node.type in ("string", "number"):
        return str(literal(node))
    return ""
