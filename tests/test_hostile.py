"""Texts that attack their container: each stands in every free text of the format, and is read back unchanged."""

import ast
import json
from pathlib import Path
from typing import Any, Final

import pytest
import test_python
import test_typescript
from conftest import Checker, Node
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from support import catalog_of, page_of, rendered, write_catalog
from test_markdown import HOSTILE

from errgen.filters.python import pydoc
from errgen.source import load
from errgen.validate import check

TEXTS: Final = {
    **HOSTILE,
    "three double quotes": '"""',
    "three single quotes": "'''",
    "quotes of both kinds": "a \"b\" 'c'",
    "a backslash": "a \\",
    "escapes": "\\n \\x41 \\u0041 \\N{BULLET} \\",
    "a comment's end": "*/ a /*",
    "a script in HTML": "--><script>a</script>",
    "a template literal": "`${process.exit(1)}`",
    "a percentage": "%s %(a)s %%",
    "a comment": "// a # b",
    "a tag of documentation": "@deprecated {@link a}",
    "a raw string": 'r"a" f"{{a}}" b"a"',
    "a byte of each plane": "a\N{LATIN SMALL LETTER E WITH ACUTE}\N{CJK UNIFIED IDEOGRAPH-4E00}\N{GRINNING FACE}",
    "spaces of other kinds": "a\N{NO-BREAK SPACE}b\N{IDEOGRAPHIC SPACE}c",
    "prototypes": "__proto__ constructor toString",
    "words of YAML": "no",
    "a number": "0x10",
    "a long text": "a long text " * 800,
}


def catalog_with(texts: list[str]) -> dict[str, Any]:
    """Return a catalog that has an error, a category, a policy and more for each text, with it in every free text."""
    numbered = list(enumerate(texts))

    def braced(text: str) -> str:
        return text.replace("{", "{{").replace("}", "}}")

    return {
        "errgen": 1,
        "name": "hostile",
        "version": "1.0.0",
        "title": texts[0],
        "description": "\n\n".join(texts),
        "x-all": texts,
        "layers": {
            "one": {"enum": "OneCode", "code": "string", "title": texts[0], "description": texts[1]}
        },
        "categories": {
            f"c{number}": {
                "title": text.strip(),
                "description": text,
                "retry": f"p{number}",
                "x-a": text,
            }
            for number, text in numbered
        },
        "retry_policies": {
            f"p{number}": {
                "retryable": True,
                "retry_after": 1,
                "max_attempts": 2,
                "description": text,
                "x-a": {"b": text},
            }
            for number, text in numbered
        },
        "operations": {
            f"o{number}": {
                "effect": "read",
                "max_attempts": 2,
                "description": text,
                "default": not number,
            }
            for number, text in numbered
        },
        "response": {
            "type": "Failure",
            "description": texts[0],
            "fields": {
                "code": {"from": "code"},
                "message": {"from": "message"},
                **{f"f{number}": {"value": text, "description": text} for number, text in numbered},
            },
        },
        "translations": {
            f"t{number}": {
                "kind": "code",
                "description": text,
                "map": {text[:100]: f"E{number}"},
                "default": "E0",
            }
            for number, text in numbered
        },
        "reserved": [
            {"code": f"R{number}", "name": f"R{number}", "reason": text}
            for number, text in numbered
        ],
        "errors": {
            f"E{number}": {
                "category": f"c{number}",
                "message": braced(text) + " {value}",
                "log_message": braced(text) + " {value} {hidden}",
                "params": {"value": {"type": "string", "description": text}},
                "private_params": {"hidden": {"type": "string", "description": text}},
                "description": text,
                "recovery": {"action": "none", "hint": text},
                "deprecated": {"since": "1.0.0", "reason": text},
                "examples": [{"params": {"value": text}, "description": text}],
                "tags": [f"t{number}"],
                "x-a": text,
                "x-b": {text[:100]: [text, {text[:100]: None}]},
            }
            for number, text in numbered
        }
        | {
            "LONG": {
                "category": "c0",
                "message": "Long",
                "description": "\n\n".join(texts * 10)[:100_000].strip(),
            }
        },
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a catalog of all the texts, which breaks no rule."""
    texts = [text.strip() for text in TEXTS.values()]
    text = json.dumps(catalog_with(texts), ensure_ascii=False)
    path = write_catalog(tmp_path_factory.mktemp("hostile"), text)
    assert [item.message for item in check(load(path, "x"))] == []
    return path


def test_python_reads_every_text_back(path: Path, tmp_path: Path) -> None:
    made = catalog_of(path), test_python.module_of(path, tmp_path)
    test_python.test_enums_have_exactly_the_errors_of_their_layer(made)
    test_python.test_specs_say_what_the_catalog_says(made)
    test_python.test_params_and_deprecations_say_what_the_catalog_says(made)
    test_python.test_policies_categories_and_operations_say_what_the_catalog_says(made)
    test_python.test_reservations_say_what_the_catalog_says(made)
    module: Any = made[1]
    for number, text in enumerate(text.strip() for text in TEXTS.values()):
        error = module.OneError.__dict__[f"e{number}"](value="v")
        assert error.to_response()[f"f{number}"] == text
        translate = getattr(module, f"translate_t{number}")
        assert translate(text[:100], value="v").spec.name == f"E{number}"


def test_typescript_reads_every_text_back(
    path: Path, node: Node, tsc: Checker, tmp_path: Path
) -> None:
    (text,) = rendered(path, "typescript").values()
    made = catalog_of(path), test_typescript.dump(node, tmp_path, {"hostile": text})["hostile"]
    test_typescript.test_enums_have_exactly_the_errors_of_their_layer(made)
    test_typescript.test_specs_say_what_the_catalog_says(made)
    test_typescript.test_policies_and_operations_say_what_the_catalog_says(made)
    test_typescript.test_reservations_say_what_the_catalog_says(made)
    assert tsc(tmp_path / "hostile.ts").stdout == ""
    assert "</script" not in text


def test_json_schema_and_conformance_hold_every_text(path: Path) -> None:
    (text,) = rendered(path, "jsonschema").values()
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    (conformance,) = (json.loads(item) for item in rendered(path, "conformance").values())
    found = json.dumps(schema, ensure_ascii=False) + json.dumps(conformance, ensure_ascii=False)
    for item in TEXTS.values():
        assert json.dumps(item.strip(), ensure_ascii=False)[1:-1] in found


def test_the_examples_of_the_manual_hold_every_text(path: Path) -> None:
    fences = (token for token in MarkdownIt().parse(page_of(path)) if token.type == "fence")
    bodies = [json.loads(token.content) for token in fences if token.info == "json"]
    shown = [body for body in bodies if isinstance(body, dict) and "code" in body]
    assert {body["code"] for body in shown} >= {f"E{number}" for number in range(len(TEXTS))}
    for body in shown:
        for number, text in enumerate(text.strip() for text in TEXTS.values()):
            assert body[f"f{number}"] == text


@given(st.text(alphabet="\"'\\ a\n{}", max_size=30), st.sampled_from([0, 4, 8]))
def test_no_text_ends_its_docstring(text: str, indent: int) -> None:
    read = ast.literal_eval(f'"""{pydoc(text, indent)}"""')
    assert read.split() == text.split()
