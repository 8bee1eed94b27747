"""What an expression of Python is called: nodes of its syntax tree flow in, names and values flow out."""

import ast
from typing import Final, TypeGuard

_COLLECTIONS: Final = ("set", "frozenset", "tuple", "list")


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
        case ast.Call(func=ast.Name(id=name)):
            return name in _COLLECTIONS
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case ast.Subscript(value=ast.Attribute(attr="Literal")):
            return True
        case _:
            return False


def text_of(node: ast.AST | None) -> str | None:
    """Return the text that an expression is, or None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def defaulted(node: ast.AST, args: ast.arguments) -> str | None:
    """Return the name of the parameter that has a value by default."""
    positional = [*args.posonlyargs, *args.args]
    pairs = [
        *zip(reversed(positional), reversed(args.defaults), strict=False),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    return next((arg.arg for arg, default in pairs if default is node), None)


def role_in(node: ast.AST, outer: ast.AST) -> str | None:
    """Return the name that a statement or a pattern gives to what is in `node`."""
    match outer:
        case ast.Compare(left=left, comparators=others):
            return next(filter(None, (name_of(one) for one in (left, *others))), None)
        case ast.keyword(arg=role) | ast.arg(arg=role):
            return role
        case ast.Dict(keys=keys, values=values) if node in values:
            return text_of(keys[values.index(node)])
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
            return name_of(target)
        case ast.NamedExpr(target=target):
            return name_of(target)
        case ast.arguments():
            return defaulted(node, outer)
        case ast.MatchMapping(keys=keys, patterns=patterns) if node in patterns:
            return text_of(keys[patterns.index(node)])
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns) if node in patterns:
            return names[patterns.index(node)]
        case _:
            return None
