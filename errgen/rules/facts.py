"""What rules read: a Document and what the schema refuses of it flow in, views of what is valid flow out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from errgen.defaults import DEFAULT_LAYER, NEVER, code_of, layer_of_category, layers_of, policies_of
from errgen.diagnostics import Location
from errgen.rules.accepted import Accepted, Entry
from errgen.shapes import Path, Problem
from errgen.source import Document
from errgen.words import Vocabulary

_NOTHING: Final[Entry] = {}


@dataclass(frozen=True, slots=True)
class Facts:
    """A catalog as rules see it: only what is valid, beside the names of all that is there.

    `sections` holds valid entries by name, or by index where a section is a list. A rule that says that something is
    absent asks first whether it may be among what was refused: whether the section is whole, the name is known.
    """

    document: Document
    data: Entry
    sections: Mapping[str, Mapping[Any, Any]]
    doubtful: frozenset[str]
    known: Mapping[str, Vocabulary | None]
    names: Mapping[str, str]
    layers: Mapping[str, Entry]
    layer_of: Mapping[str, str | None]
    policies: Mapping[str, Entry]

    @classmethod
    def of(cls, document: Document, problems: Iterable[Problem]) -> "Facts":
        """Gather the facts; `problems` are what the schema refuses of the document."""
        part = Accepted.of(document.data, tuple(problems))
        names = dict(_names(part.data.get("errors")))
        known = {
            "category": part.known("categories"),
            "layer": part.known("layers", () if "layers" in part.data else (DEFAULT_LAYER,)),
            "retry policy": part.known("retry_policies", (NEVER,)),
            "error": part.known("errors", names),
        }
        declared = dict.fromkeys(known["layer"] or (), _NOTHING)
        return cls(
            document=document,
            data=part.data,
            sections=part.sections,
            doubtful=part.doubtful,
            known=known,
            names=names,
            layers=_layers(part, declared),
            layer_of={
                name: layer_of_category({"layers": declared}, category) if declared else None
                for name, category in part.sections["categories"].items()
            },
            policies=policies_of(part.sections),
        )

    @property
    def categories(self) -> Mapping[str, Entry]:
        """Return the valid categories."""
        return self.sections["categories"]

    @property
    def errors(self) -> Mapping[str, Entry]:
        """Return the valid errors."""
        return self.sections["errors"]

    def at(self, *path: str | int, key: bool = False) -> Location:
        """Return where the value (or with `key` the key) at `path` stands."""
        return self.document.locate(*path, key=key)

    def is_whole(self, section: str) -> bool:
        """Tell whether nothing of a section was refused, and none is written under a name that was."""
        return section not in self.doubtful

    def lacks(self, kind: str, name: str) -> bool:
        """Tell whether a category, layer, retry policy or error is certainly not there."""
        known = self.known[kind]
        return known is not None and name not in known

    def fields(self, *path: str) -> Iterator[tuple[Path, Entry]]:
        """Yield path and body of each field below a part of the response, those of nested objects too."""
        part: Any = self.sections["response"]
        for step in path:
            part = part.get(step, _NOTHING)
        yield from _fields(("response", *path, "fields"), part.get("fields", _NOTHING))

    def layer(self, entry: Entry) -> str | None:
        """Return the layer to which the category of an error or a range belongs, or None where it is unknown."""
        layer = self.layer_of.get(entry["category"])
        return layer if layer in self.layers else None

    def wire(self, entry: Entry) -> str | None:
        """Return how an error travels, or None where its layer is unknown."""
        layer = self.layer(entry)
        return None if layer is None else self.layers[layer].get("wire", "body")

    def policy(self, entry: Entry) -> tuple[str, Entry] | None:
        """Return the name and the body of an error's retry policy, or None where there is none."""
        category = self.categories.get(entry["category"], {})
        name = entry.get("retry", category.get("retry"))
        return (name, self.policies[name]) if name in self.policies else None

    def _linked(
        self, entries: Iterable[tuple[str, Entry]], key: str = "replaced_by"
    ) -> dict[str, str]:
        return {
            name: self.names[entry[key]] for name, entry in entries if entry.get(key) in self.names
        }

    @property
    def replacements(self) -> dict[str, str]:
        """Return which error each deprecated one names as its replacement, as far as that exists."""
        return self._linked(
            (name, entry.get("deprecated", _NOTHING)) for name, entry in self.errors.items()
        )

    @property
    def concealments(self) -> dict[str, str]:
        """Return as which error each one is concealed, as far as that exists."""
        return self._linked(self.errors.items(), "conceal_as")

    def coded(self) -> Iterator[tuple[str, Entry, int | str, str | None]]:
        """Yield name, entry, code and layer of each error, unless its code has not the type that its layer asks for."""
        for name, entry in self.errors.items():
            layer, code = self.layer(entry), code_of(name, entry)
            if layer is None and "code" not in entry:
                continue
            if layer is None or isinstance(code, int) == (self.layers[layer]["code"] == "integer"):
                yield name, entry, code, layer

    def numbered(self) -> Iterator[tuple[str, Entry, int, str]]:
        """Yield what `coded` does of each error that has an integer code and a known layer."""
        for name, entry, code, layer in self.coded():
            if isinstance(code, int) and layer is not None:
                yield name, entry, code, layer


def _fields(path: Path, fields: Entry) -> Iterator[tuple[Path, Entry]]:
    for name, field in fields.items():
        yield (*path, name), field
        yield from _fields((*path, name, "fields"), field.get("fields", _NOTHING))


def _names(errors: Any) -> Iterator[tuple[str, str]]:
    """Yield each name and alias, valid or not, with the name of its error; names after aliases, as they win."""
    if not isinstance(errors, dict):
        return
    for name, entry in errors.items():
        aliases = entry.get("aliases") if isinstance(entry, dict) else None
        if isinstance(aliases, list):
            yield from ((alias, name) for alias in aliases if isinstance(alias, str))
    yield from ((name, name) for name in errors)


def _layers(part: Accepted, declared: Entry) -> Mapping[str, Entry]:
    if "layers" in part.data or not declared:
        return part.sections["layers"]
    errors = part.data.get("errors")
    return layers_of({"errors": errors if isinstance(errors, dict) else {}})
