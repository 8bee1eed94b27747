"""Rules about translations: they lead to one layer, and whoever supplies a value supplies one that fits."""

from collections.abc import Iterator
from typing import Any, Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import closest, join_or, type_names

# What of a foreign error can fill something, and the types that it fits.
_SOURCES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "exception": {"message": ("string", "any"), "type": ("string", "any")},
    "http-status": {"status": ("integer", "number", "string", "any")},
    "code": {"code": ("string", "any")},
}


@rule(Code.TRANSLATION_LAYERS)
def translation_layers(facts: Facts) -> Iterator[Diagnostic]:
    """All errors of a translation travel in the same way."""
    for name, translation in facts.sections["translations"].items():
        default = _layer(facts, translation["default"])
        for key, target in translation["map"].items():
            layer = _layer(facts, target)
            if layer is not None and default is not None and layer != default:
                yield finding(
                    Code.TRANSLATION_LAYERS,
                    facts.at("translations", name, "map", key),
                    name=name,
                    target=target,
                    layer=layer,
                    default=default,
                )


@rule(Code.TRANSLATION_FILL)
def translation_fill(facts: Facts) -> Iterator[Diagnostic]:
    """What a foreign error fills exists and takes it; an exception leaves no param of a message open."""
    for name, translation in facts.sections["translations"].items():
        targets = _targets(facts, translation)
        for path, problem, remedy in (
            *_fills(facts, translation, targets),
            *_open(facts, translation, targets),
        ):
            place = facts.at("translations", name, *path, key=path[:1] == ("fill",))
            yield finding(Code.TRANSLATION_FILL, place, name=name, problem=problem, help=remedy)


def _fills(
    facts: Facts, translation: Entry, targets: dict[str, Entry]
) -> Iterator[tuple[Path, str, str]]:
    sources = _SOURCES[translation["kind"]]
    types = _types(facts, targets)
    for key, source in translation.get("fill", {}).items():
        if source not in sources:
            said = join_or(list(sources))
            problem = f"fills '{key}' with {source}, which kind {translation['kind']} does not have"
            yield ("fill", key), problem, f"write {said}"
        elif key not in types and facts.is_whole("response") and facts.is_whole("errors"):
            problem = f"fills '{key}', which is neither a param of its errors nor a runtime field of the response"
            yield ("fill", key), problem, closest(key, types) or "name a param or a field"
        elif key in types and not types[key] <= set(sources[source]):
            wanted = next(iter(types[key] - set(sources[source])))
            problem = f"fills '{key}', which is {type_names(wanted)}, with {source}"
            yield ("fill", key), problem, "fill something that takes text"


def _open(
    facts: Facts, translation: Entry, targets: dict[str, Entry]
) -> Iterator[tuple[Path, str, str]]:
    """Nobody is there to give a param when an exception has escaped."""
    if translation["kind"] != "exception":
        return
    uses = [*((("map", key), to) for key, to in translation["map"].items())]
    for path, target in (*uses, (("default",), translation["default"])):
        entry = targets.get(facts.names.get(target, ""), {})
        for param in entry.get("params", {}):
            if param not in translation.get("fill", {}):
                problem = f"leads to {target} but nothing fills its param '{param}'"
                yield path, problem, f"add fill: {{ {param}: message }}, or name another error"


def _targets(facts: Facts, translation: Entry) -> dict[str, Entry]:
    found = (facts.names.get(name, "") for name in _leads_to(translation))
    return {name: facts.errors[name] for name in found if name in facts.errors}


def _leads_to(translation: Entry) -> list[str]:
    return [*translation["map"].values(), translation["default"]]


def _types(facts: Facts, targets: dict[str, Entry]) -> dict[str, set[str]]:
    """Return the types of what may be filled: params by name, runtime fields by their path with dots."""
    types: dict[str, set[str]] = {}
    for path, field in facts.fields():
        if "type" in field:
            types[".".join(map(str, path[2::2]))] = {field["type"]}
    for entry in targets.values():
        params: dict[str, Any] = {**entry.get("params", {}), **entry.get("private_params", {})}
        for name, param in params.items():
            types.setdefault(name, set()).add(param["type"])
    return types


def _layer(facts: Facts, target: str) -> str | None:
    entry = facts.errors.get(facts.names.get(target, ""))
    return facts.layer(entry) if entry else None
