"""Makes the reference of the catalog format: its JSON Schema flows in, a section a mapping flows out as Markdown."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from errgen.resources import catalog_schema

_Schema: TypeAlias = Mapping[str, Any]

_SCHEMA: Final[_Schema] = json.loads(catalog_schema())
# Placeholders of messages are code wherever they stand.
_BRACED: Final = re.compile(r"\{\w+\}|\{\{|\}\}")
_TYPES: Final = {"boolean": "true or false", "string": "text", "object": "mapping"}


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping of the format: its name, where it stands in a catalog, and its schema."""

    name: str
    paths: tuple[str, ...]
    schema: _Schema


def format_reference() -> str:
    """Return a section for each mapping of the catalog format, and in it a row for each key."""
    found = sections()
    names = {id(section.schema): section.name for section in found}
    return "\n".join(_section(section, names) for section in found)


def sections() -> list[Section]:
    """Return every mapping that the format gives keys: the catalog, then each with those in it."""
    found: dict[int, Section] = {}
    waiting: list[tuple[str, str, _Schema]] = [("catalog", "", _SCHEMA)]
    while waiting:
        name, path, schema = waiting.pop()
        known = found.get(id(schema))
        if known is not None:
            # Fields nest in fields without end.
            if not path.startswith(known.paths):
                found[id(schema)] = Section(known.name, (*known.paths, path), schema)
            continue
        found[id(schema)] = Section(name, (path,) if path else (), schema)
        waiting.extend(reversed([*_below(name, path, schema)]))
    return list(found.values())


def _below(name: str, path: str, schema: _Schema) -> Iterator[tuple[str, str, _Schema]]:
    """Yield the mappings that the keys of one lead to."""
    for key, value in schema["properties"].items():
        place = f"{path}.{key}" if path else key
        target, ending, own = _target(value)
        if target is not None:
            yield own or (key if name == "catalog" else f"{name}.{key}"), place + ending, target


def _target(value: _Schema) -> tuple[_Schema | None, str, str]:
    """Return the mapping that a value is or holds, how its place is written, and its name if it has one."""
    name, resolved = _resolved(value)
    if "properties" in resolved:
        return resolved, "", name
    entries = resolved.get("additionalProperties")
    for inner, ending in ((entries, ".*"), (resolved.get("items"), "[]")):
        if isinstance(inner, Mapping):
            entry, target = _resolved(inner)
            if "properties" in target:
                return target, ending, entry or name.removesuffix("s")
    return None, "", ""


def _resolved(value: _Schema) -> tuple[str, _Schema]:
    """Return the name and the schema of what a value refers to, or the value itself."""
    reference = value.get("$ref")
    if reference is None:
        return "", value
    name = reference.removeprefix("#/$defs/")
    return name, _SCHEMA["$defs"][name]


def _section(section: Section, names: Mapping[int, str]) -> str:
    heading = "The catalog" if section.name == "catalog" else f"`{section.paths[0]}`"
    others = [f"`{path}`" for path in section.paths[1:]]
    required = section.schema.get("required", ())
    lines = [
        *(f'<a id="{section.name}"></a>', "", f"## {heading}", ""),
        *([f"The same keys stand in {' and '.join(others)}.", ""] if others else ()),
        *("| Key | Meaning | Value |", "| --- | --- | --- |"),
    ]
    for key, value in section.schema["properties"].items():
        anchor = f"{section.name}.{key}"
        # A mapping that is named after its key has the anchor in its heading.
        place = "" if anchor in names.values() else f'<a id="{anchor}"></a>'
        cells = (
            f"{place}`{key}`{'<br>required' if key in required else ''}",
            _described(value),
            _value(value, names),
        )
        lines.append("| " + " | ".join(cell(item) for item in cells) + " |")
    return "\n".join([*lines, ""])


def _described(value: _Schema) -> str:
    text = str(value.get("description") or _resolved(value)[1].get("description", ""))
    return _BRACED.sub(r"`\g<0>`", text)


def _value(value: _Schema, names: Mapping[int, str]) -> str:
    """Say what may stand behind a key."""
    schema = _resolved(value)[1]
    if id(schema) in names:
        return f"[{_article(names[id(schema)])}](#{names[id(schema)]})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " · ".join(f"`{_scalar(item)}`" for item in schema["enum"])
    if isinstance(schema.get("items"), Mapping):
        return f"list of: {_value(schema['items'], names)}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        entry = _value(schema["additionalProperties"], names)
        return f"mapping of names to: {entry}"
    return _plain(schema)


def _article(name: str) -> str:
    return "mapping" if "." in name or name in ("limits", "catalog") else name.replace("_", " ")


def _plain(schema: _Schema) -> str:
    """Say what a value without parts may be."""
    if "type" not in schema:
        return "any value"
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    text = str(schema.get("x-expected") or " or ".join(_TYPES.get(kind, kind) for kind in kinds))
    if "x-expected" in schema:
        return text
    if "maximum" in schema:
        return f"{text} from {schema['minimum']:,} to {schema['maximum']:,}"
    return f"{text}, at most {schema['maxLength']:,} characters" if "maxLength" in schema else text


def _scalar(item: object) -> str:
    return item if isinstance(item, str) else json.dumps(item)


def cell(text: str) -> str:
    """Return a text as it may stand in a row."""
    return text.replace("|", "\\|").replace("\n", " ")
