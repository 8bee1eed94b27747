"""Read TypeScript and JavaScript source: bytes flow in; names, codes, comments and imports flow out."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from errgen.audit.columns import Columns
from errgen.audit.sightings import Chain, Comment, Literal, Place, Ref, Scan
from errgen.audit.tsexpressions import BARE, bare, chain, field_of, literal, text_of
from errgen.audit.tsroles import role_of
from errgen.audit.tsscopes import Scopes

# What begins a comment, and the lines of one that has several.
_MARKS: Final = re.compile(r"\A[\s/*]+|(?<=\n)\s*\*\s*")


def scan(path: Path, content: bytes) -> Scan:
    """Return what a file of TypeScript or JavaScript says of errors; what does not parse is left out, and said."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Scan(problem=(Place(1, 1), f"byte {content[error.start]:#04x} is not UTF-8"))
    plain = text.replace("\r\n", "\n").replace("\r", "\n").encode()
    grammar = "typescript" if path.suffix in (".ts", ".mts", ".cts") else "tsx"
    source = _Source(plain, Parser(_grammar(grammar)).parse(plain).root_node)
    return Scan(
        chains=tuple(source.chains()),
        literals=tuple(source.literals()),
        comments=tuple(source.comments()) if "errgen:" in text else (),
        bindings=source.bindings,
        stars=tuple(source.stars),
        problem=source.problem(),
    )


@cache
def _grammar(name: str) -> Grammar:
    import tree_sitter_typescript

    return Grammar(
        tree_sitter_typescript.language_typescript()
        if name == "typescript"
        else tree_sitter_typescript.language_tsx()
    )


class _Source:
    """A parsed file: what it imports first, then what it says."""

    def __init__(self, content: bytes, root: Node) -> None:
        self.root = root
        self.lines = content.split(b"\n")
        self.columns = Columns(self.lines)
        self.nodes = list(_walk(root))
        # The parser looks for a parent from the root down, which takes long in large files.
        self.parents = {inner.id: node for node in self.nodes for inner in node.named_children}
        self.bindings: dict[str, Ref] = {}
        self.stars: list[str] = []
        self.taken: list[Chain] = []
        for node in self.nodes:
            self._bind(node)
        self.scopes = Scopes(self.nodes, self._parent, self.bindings, self._is_import)

    def problem(self) -> tuple[Place, str] | None:
        """Return where the grammar first failed, if it did."""
        if not self.root.has_error:
            return None
        bad = _first_bad(self.root)
        return self._place(bad), "this is not TypeScript or JavaScript that the parser knows"

    def chains(self) -> Iterator[Chain]:
        yield from self.taken
        for node in self.nodes:
            if node.type in ("member_expression", "subscript_expression", "nested_identifier"):
                names = chain(node)
                if len(names) > 1 and names[0] in self.bindings and not self._is_inner(node):
                    if self.scopes.hide(node, names[0]):
                        continue
                    yield Chain(self._place(node), names)

    def literals(self) -> Iterator[Literal]:
        for node in self.nodes:
            value = literal(node)
            outer = self._parent(node)
            if value is None or outer is None:
                continue
            if outer.type == "unary_expression" and literal(outer) is not None:
                continue
            found = role_of(node, self._parent)
            if found or (isinstance(value, int) and value < 0):
                role, user, is_key = found or ("", (), False)
                if user and self.scopes.hide(node, user[0]):
                    user = ("", *user[1:])
                yield Literal(self._place(node), value, role, user, is_key)

    def comments(self) -> Iterator[Comment]:
        for node in self.nodes:
            if node.type == "comment":
                before = self.lines[node.start_point.row][: node.start_point.column]
                after = self.lines[node.end_point.row][node.end_point.column :]
                words = _MARKS.sub("", text_of(node).removesuffix("*/")).strip()
                # In JSX a comment stands in braces.
                is_alone = before.strip() + after.strip() in (b"", b"{}", b"{")
                yield Comment(self._place(node), words, is_alone, node.end_point.row + 1)

    def _bind(self, node: Node) -> None:
        if node.type in ("import_statement", "export_statement"):
            source = node.child_by_field_name("source")
            self._bind_imports(node, str(literal(source)) if source else "")
            exported = node.child_by_field_name("value")
            if exported and (ref := self._imported(exported)):
                self._define("default", ref)
        elif node.type == "variable_declarator":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name and value and (ref := self._imported(value)):
                self._bind_names(name, ref)

    def _bind_imports(self, node: Node, module: str) -> None:
        is_star = any(child.type == "*" for child in node.children)
        if is_star and module:
            self.stars.append(module)
        for part in _walk(node):
            if part.type in ("import_specifier", "export_specifier"):
                name = field_of(part, "name")
                self._define(field_of(part, "alias") or name, Ref(module, (name,)))
            elif part.type in ("namespace_import", "namespace_export"):
                self._define(text_of(part.named_children[-1]), Ref(module))
            elif part.type == "import_require_clause":
                loaded = part.child_by_field_name("source")
                if loaded:
                    self._define(text_of(part.named_children[0]), Ref(str(literal(loaded))))
            elif part.type == "import_clause" and part.named_children[0].type == "identifier":
                self._define(text_of(part.named_children[0]), Ref(module, ("default",)))

    def _define(self, name: str, ref: Ref) -> None:
        # `export { ErrorCode }` says nothing new of a name that is imported.
        if ref != Ref("", (name,)):
            self.bindings[name] = ref

    def _imported(self, value: Node) -> Ref | None:
        """Return what a declared name stands for: a module that is loaded here, or part of what is imported."""
        value = bare(value)
        if value.type == "call_expression":
            loader = value.child_by_field_name("function")
            args = value.child_by_field_name("arguments")
            if loader and args and text_of(loader) in ("require", "import") and args.named_children:
                module = literal(args.named_children[0])
                return Ref(module) if isinstance(module, str) else None
        names = chain(value)
        return Ref("", names) if names and names[0] in self.bindings else None

    def _is_import(self, node: Node) -> bool:
        value = node.child_by_field_name("value")
        is_declared = node.type == "variable_declarator" and value is not None
        return is_declared and value is not None and self._imported(value) is not None

    def _bind_names(self, pattern: Node, ref: Ref) -> None:
        if pattern.type == "identifier":
            self._define(text_of(pattern), ref)
        elif pattern.type == "object_pattern":
            for part in pattern.named_children:
                name = field_of(part, "key") or text_of(part).split("=")[0].strip()
                inner = Ref(ref.module, (*ref.names, name))
                self._define(field_of(part, "value") or name, inner)
                if not inner.module:
                    self.taken.append(Chain(self._place(part), inner.names))

    def _place(self, node: Node) -> Place:
        row, column = node.start_point
        return Place(row + 1, self.columns.at(row, column))

    def _parent(self, node: Node) -> Node | None:
        return self.parents.get(node.id)

    def _is_inner(self, node: Node) -> bool:
        """Tell whether a dotted expression is only the head of a longer one."""
        outer = self._parent(node)
        while outer is not None and outer.type in BARE:
            outer = self._parent(outer)
        if outer is None or outer.type not in ("member_expression", "subscript_expression"):
            return False
        return len(chain(outer)) > len(chain(node)) and outer.start_byte <= node.start_byte


def _walk(root: Node) -> Iterator[Node]:
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(node.named_children))


def _first_bad(root: Node) -> Node:
    """Return the first node that does not parse, which may be a mark that is missing."""
    bad = root
    while not (bad.is_error or bad.is_missing):
        bad = next(one for one in bad.children if one.has_error or one.is_missing)
    return bad
