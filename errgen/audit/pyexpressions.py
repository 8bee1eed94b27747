"""What an expression of Python is called: nodes of its syntax tree flow in, names and values flow out."""

import ast
from collections.abc import Iterator
from typing import Final, TypeGuard

_COLLECTIONS: Final = ("set", "frozenset", "tuple", "list")
# What these return of codes is none.
_MEASURES: Final = ("len", "sum", "hash", "id")
_COMPARES: Final = (
    "assertEqual",
    "assertNotEqual",
    "assertIn",
    "assertIs",
    "assertNotIn",
    "assert_equal",
)
# What tells of an attribute, in dataclasses, attrs and pydantic.
_FIELDS: Final = ("field", "Field")


def literal(node: ast.AST) -> int | str | None:
    """Return the number or text that an expression is, or None."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case _:
            return None


def chain(node: ast.AST) -> tuple[str, ...]:
    """Return the names of a dotted expression, with texts in brackets as names; nothing for any other."""
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=owner, attr=name):
            names = chain(owner)
            return (*names, name) if names else ()
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(name))):
            names = chain(owner)
            return (*names, name) if names else ()
        case _:
            return ()


def name_of(node: ast.AST) -> str:
    """Return what an expression is called where its value is used: `body["code"]` and `int(error.code)` are a code."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Subscript(value=owner):
            return name_of(owner)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=ast.Name(id=name)) if name in _MEASURES:
            return name
        case ast.Call(args=[inner]):
            return name_of(inner)
        case ast.Call(func=func):
            return name_of(func)
        case ast.Await(value=inner) | ast.NamedExpr(target=inner):
            return name_of(inner)
        case _:
            return ""


def is_collection(outer: ast.AST) -> TypeGuard[ast.expr]:
    """Tell whether a literal only passes a collection or a type here, as in `frozenset((2001, 2002))`."""
    match outer:
        case ast.Call(func=ast.Name(id=name)) if name in _COLLECTIONS:
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name)):
            return name in _FIELDS
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case ast.Subscript(value=ast.Attribute(attr="Literal")):
            return True
        case _:
            return False


def text_of(node: ast.AST | None) -> str | None:
    """Return the text that an expression is, or None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def named_in(outer: ast.AST) -> Iterator[tuple[ast.AST | None, str | None]]:
    """Yield what a statement, a display or a pattern gives names to, with the names."""
    match outer:
        case ast.Compare(left=left, comparators=others, ops=ops) if not _is_order(ops):
            operands = (left, *others)
            name = next(filter(None, map(name_of, operands)), None)
            yield from ((operand, name) for operand in operands)
        case ast.keyword(arg=role, value=value):
            yield value, role
        case ast.arg(arg=role, annotation=value):
            yield value, role
        case ast.Dict(keys=keys, values=values):
            yield from zip(values, map(text_of, keys), strict=True)
        case ast.Assign(targets=[target, *_], value=value):
            yield value, name_of(target)
        case ast.AnnAssign(target=target, annotation=kind, value=value):
            yield kind, name_of(target)
            yield value, _typed(kind) or name_of(target)
        case ast.NamedExpr(target=target, value=value):
            yield value, name_of(target)
        case ast.arguments():
            yield from _defaults(outer)
        case _:
            yield from _matched(outer)


def _is_order(ops: list[ast.cmpop]) -> bool:
    # `2000 <= code < 3000` asks for a range, whose ends are no codes.
    return all(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in ops)


def asserted(node: ast.AST, call: ast.Call) -> str | None:
    """Return what an assertion compares an argument with, as in `self.assertEqual(error.code, 2002)`."""
    if not name_of(call.func).startswith(_COMPARES):
        return None
    return next(filter(None, (name_of(one) for one in call.args if one is not node)), None)


def _matched(pattern: ast.AST) -> Iterator[tuple[ast.AST, str | None]]:
    match pattern:
        case ast.MatchMapping(keys=keys, patterns=patterns):
            yield from zip(patterns, map(text_of, keys), strict=True)
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
            yield from zip(patterns, names, strict=True)
        case _:
            pass


def _defaults(args: ast.arguments) -> Iterator[tuple[ast.AST | None, str]]:
    positional = [*args.posonlyargs, *args.args]
    for arg, value in zip(reversed(positional), reversed(args.defaults), strict=False):
        yield value, _typed(arg.annotation) or arg.arg
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield default, _typed(arg.annotation) or arg.arg


def _typed(kind: ast.expr | None) -> str:
    """Return the type of a code that a literal is said to be: `first: ErrorCode = 2001`."""
    name = name_of(kind) if kind else ""
    return name if name.endswith("Code") else ""
