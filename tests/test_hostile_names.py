"""Names that collide: words of both languages stand wherever a catalog names something, and each finds its own."""

import builtins
import json
import keyword
import re
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest
import test_python
import test_typescript
from conftest import Checker, Node
from support import catalog_of, rendered, write_catalog

from errgen.filters.pycode import pyfactory, pyparam
from errgen.filters.tscode import tsfactory
from errgen.model import ErrorSpec
from errgen.naming import camel, error_type, pascal, snake
from errgen.source import load
from errgen.validate import check

_TYPESCRIPT: Final = """
    abstract any apply arguments as asserts async await bigint bind boolean break call caller case catch class const
    constructor continue debugger declare default delete do else enum eval export extends false finally for from
    function get global globalThis hasOwnProperty if implements import in infer instanceof interface is isPrototypeOf
    keyof length let module name namespace NaN never new null number object of override package private
    propertyIsEnumerable protected prototype public readonly require return satisfies set static string super switch
    symbol then this throw toJSON toLocaleString toString true try type typeof undefined unique unknown using valueOf
    var void while with yield
    """.split()
_PYTHON: Final = """
    __class__ __dict__ __doc__ __init__ __module__ __name__ __new__ __proto__ __slots__ _ignore_ _missing_
    _value_ as_integer_ratio bit_length cause cls code conjugate denominator encode format imag index join mro
    name names numerator real self to_bytes translate upper value values
    """.split()
_BUILTINS: Final = [name for name in dir(builtins) if not name.startswith("_")]
_WORDS: Final = [
    *dict.fromkeys([*_TYPESCRIPT, *_PYTHON, *keyword.kwlist, *keyword.softkwlist, *_BUILTINS]),
    "long" * 24,
]


def _distinct(names: list[str]) -> list[str]:
    """Return names that stay distinct in both languages."""
    return list(
        {camel(name): name for name in {snake(name): name for name in names}.values()}.values()
    )


_KEYS: Final = _distinct([word for word in _WORDS if word[0].isalpha() and word.isalnum()])
_PARAMS: Final = _distinct([snake(word) for word in _WORDS if snake(word)[:1].isalpha()])


def catalog_with_names() -> dict[str, Any]:
    """Return a catalog in which every word is the name of whatever may have such a name."""
    params = {word: {"type": "string"} for word in _PARAMS}
    private = {word: param for word, param in params.items() if word != "constructor"}
    return {
        "errgen": 1,
        "name": "names",
        "version": "1.0.0",
        "layers": {
            "one": {"enum": "OneCode", "code": "string", "wire": "mcp-tool-result"},
            "two": {"enum": "TwoCode", "code": "integer", "wire": "jsonrpc-error"},
        },
        "categories": {word: {"layer": "one", "retry": word} for word in _KEYS}
        | {"protocol": {"layer": "two", "retry": "never"}},
        "retry_policies": {
            word: {"retryable": True, "retry_after": 1, "max_attempts": 2} for word in _KEYS
        }
        | {"never": {"retryable": False}},
        "operations": {
            word: {"effect": "read", "max_attempts": 2, "default": word == _KEYS[0]}
            for word in _KEYS
        },
        "response": {
            "type": "Failure",
            "fields": {
                "code": {"from": "code"},
                "message": {"from": "message"},
                "in": {"fields": {word: {"type": "string", "optional": True} for word in _WORDS}},
                "out": {"fields": {word: {"value": word} for word in _WORDS}},
            },
        },
        "translations": {
            word: {"kind": "code", "map": {word: f"E_{word}".upper()}, "default": "PLAIN"}
            for word in _PARAMS
        },
        "errors": {
            "PLAIN": {"category": _KEYS[0], "message": "Plain"},
            "EVERY_WORD": {
                "category": _KEYS[0],
                "message": " ".join(f"{{{word}}}" for word in _PARAMS),
                "params": params,
            },
            "SECRET": {
                "category": _KEYS[0],
                "message": "Secret",
                "log_message": " ".join(f"{{{word}}}" for word in private),
                "private_params": private,
            },
        }
        | {
            f"E_{word}".upper(): {
                "category": category,
                "message": f"Failed {{{word}}}",
                "params": {word: {"type": "string"}},
                "aliases": [word.upper()],
            }
            for word, category in zip(_PARAMS, cycle(_KEYS))
        },
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a catalog of all the names, which breaks no rule."""
    path = write_catalog(tmp_path_factory.mktemp("names"), json.dumps(catalog_with_names()))
    assert [item.message for item in check(load(path, "x"))] == []
    return path


def test_python_finds_whatever_has_a_strange_name(
    path: Path, mypy_strict: Checker, tmp_path: Path
) -> None:
    made = catalog_of(path), test_python.module_of(path, tmp_path)
    test_python.test_enums_have_exactly_the_errors_of_their_layer(made)
    test_python.test_specs_say_what_the_catalog_says(made)
    test_python.test_params_and_deprecations_say_what_the_catalog_says(made)
    test_python.test_policies_categories_and_operations_say_what_the_catalog_says(made)
    module: Any = made[1]
    errors = {error.name: error for error in made[0].errors}
    fields = {"in": dict.fromkeys(_WORDS, "v")}
    body = {**fields, "out": {word: word for word in _WORDS}}
    for word in _PARAMS:
        name = f"E_{word}".upper()
        made_errors = (
            getattr(module.OneError, pyfactory(name))(**_keywords(errors[name]), fields=fields),
            getattr(module.OneError, pyfactory(word.upper()))(
                **_keywords(errors[name]), fields=fields
            ),
            getattr(module, f"translate_{word}")(word, **_translated(errors[name]), fields=fields),
        )
        for error in made_errors:
            assert (error.spec.name, error.params) == (name, {word: "v"})
            assert error.message == "Failed v"
            assert {key: error.to_response()[key] for key in body} == body
            assert module.parse_response(error.to_response()).spec.name == name
    assert mypy_strict(tmp_path / "generated.py").stdout.startswith("Success")


def _keywords(error: ErrorSpec) -> dict[str, str]:
    return {pyparam(param): "v" for param in error.params}


def _translated(error: ErrorSpec) -> dict[str, str]:
    return {pyparam(param, translated=True): "v" for param in error.params}


_SCRIPT: Final = """
import * as made from "./names.ts";
const [words, rows] = JSON.parse(process.argv[1]);
const fields = { in: Object.fromEntries(words.map((word) => [word, "v"])) };
const found = rows.map(([param, name, factory, alias, translate]) => {
  const params = Object.fromEntries([[param, "v"]]);
  return [
    made.OneError[factory](params, { fields }),
    made.OneError[alias](params, { fields }),
    made[translate](param, { params, fields }),
  ].map((error) => [
    error.spec.name,
    error.params,
    error.message,
    made.toResponse(error),
    made.parseResponse(made.toResponse(error)).spec.name,
  ]);
});
console.log(JSON.stringify(found));
"""


def test_typescript_finds_whatever_has_a_strange_name(
    path: Path, node: Node, tsc: Checker, tmp_path: Path
) -> None:
    (text,) = rendered(path, "typescript").values()
    made = catalog_of(path), test_typescript.dump(node, tmp_path, {"names": text})["names"]
    test_typescript.test_enums_have_exactly_the_errors_of_their_layer(made)
    test_typescript.test_specs_say_what_the_catalog_says(made)
    test_typescript.test_policies_and_operations_say_what_the_catalog_says(made)
    assert tsc(tmp_path / "names.ts").stdout == ""
    rows = [
        (word, name, tsfactory(name), tsfactory(word.upper()), camel(f"translate_{word}"))
        for word, name in ((word, f"E_{word}".upper()) for word in _PARAMS)
    ]
    given = json.dumps([_WORDS, rows])
    result = node("--input-type=module", "--eval", _SCRIPT, given, cwd=tmp_path)
    assert result.stderr == ""
    inner = {"in": dict.fromkeys(_WORDS, "v"), "out": {word: word for word in _WORDS}}
    for (word, name, *_), errors in zip(rows, json.loads(result.stdout), strict=True):
        for found, params, message, body, parsed in errors:
            assert (found, parsed, message, params) == (name, name, "Failed v", {word: "v"})
            assert {key: body[key] for key in inner} == inner


def catalog_with_layers(words: dict[str, str]) -> dict[str, Any]:
    """Return a catalog with a layer and a category of each name, and its enum."""
    return {
        "errgen": 1,
        "name": "layers",
        "version": "1.0.0",
        "layers": {word: {"enum": enum, "code": "string"} for word, enum in words.items()},
        "categories": {word: {"layer": word, "retry": "never"} for word in words},
        "retry_policies": {"never": {"retryable": False}},
        "errors": {f"E_{word}".upper(): {"category": word, "message": "Failed"} for word in words},
    }


def test_layers_and_enums_work_or_are_refused(
    node: Node, tsc: Checker, mypy_strict: Checker, tmp_path: Path
) -> None:
    words = {word: pascal(word) for word in _KEYS}
    path = write_catalog(tmp_path, json.dumps(catalog_with_layers(words)))
    found = check(load(path, "x"))
    assert {item.code.name for item in found} == {"NAME_TAKEN", "NAME_COLLISION"}
    refused = {name for item in found for name in re.findall(r"'(\w+)'", item.message)}
    assert {"Exception", "TypeError", "None"} <= refused
    words = {w: enum for w, enum in words.items() if not refused & {w, enum, error_type(w, enum)}}
    assert len(words) > len(_KEYS) // 2
    path = write_catalog(tmp_path, json.dumps(catalog_with_layers(words)), "accepted.yaml")
    assert check(load(path, "x")) == ()
    made = catalog_of(path), test_python.module_of(path, tmp_path)
    test_python.test_enums_have_exactly_the_errors_of_their_layer(made)
    assert mypy_strict(tmp_path / "generated.py").stdout.startswith("Success")
    (text,) = rendered(path, "typescript").values()
    dumped = test_typescript.dump(node, tmp_path, {"layers": text})["layers"]
    test_typescript.test_enums_have_exactly_the_errors_of_their_layer((made[0], dumped))
    assert tsc(tmp_path / "layers.ts").stdout == ""
