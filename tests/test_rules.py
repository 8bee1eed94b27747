"""The rules: each by the examples of errgen's own catalog of findings; references, chains and names by their edges."""

from typing import Any, Final

import pytest
import yaml
from fragments import (
    BASE,
    TWO_LAYERS,
    case,
    concealed,
    deprecated,
    errors,
    findings,
    reserved,
    response,
    seen,
)
from support import ROOT

from errgen.codes import DiagnosticCode
from errgen.rules import RULES, Facts
from errgen.source import load, parse
from errgen.validate import check

_FINDINGS: dict[str, Any] = yaml.safe_load(
    (ROOT / "catalog" / "diagnostics.yaml").read_text("utf-8")
)["errors"]
_WITH_EXAMPLES = [name for name, entry in _FINDINGS.items() if "x-bad" in entry]

_REFERENCES: Final = [
    case(
        "an unknown category is one mistake",
        errors(A="code: 9, category: validaton, recovery: { action: retry }"),
        "UNKNOWN_REFERENCE validaton",
    ),
    case(
        "an unknown retry policy is one mistake",
        errors(A="code: 2001, retry: backof, recovery: { action: retry }, safe_to_retry: always"),
        "UNKNOWN_REFERENCE backof",
    ),
    case("never is a policy without being written", errors(A="code: 2001, retry: never")),
    case(
        "an alias is a name",
        errors(A="code: 2001, aliases: [OLD]", B="code: 2002, see_also: [OLD]"),
    ),
    case(
        "the alias of an error that the schema refuses is a name",
        errors(A="code: 2001, aliases: [OLD], severity: x", B="code: 2002, see_also: [OLD, A]"),
        "WRONG_VALUE x",
    ),
    case(
        "a category that the schema refuses is a name",
        "categories:\n  validation: { titel: V, retry: never }\n  system: { retry: never }\n",
        "UNKNOWN_KEY titel",
    ),
    case(
        "where a section cannot be read, nothing is missing from it",
        "categories: none\n",
        "WRONG_TYPE none",
    ),
    case(
        "see_also takes an address",
        errors(A="code: 2001, see_also: ['https://example.com/a?b#c']"),
    ),
    case(
        "see_also takes no half of an address",
        errors(A="code: 2001, see_also: [www.example.com]"),
        "UNKNOWN_REFERENCE www.example.com",
    ),
    case(
        "every reference of a translation is looked up",
        "translations:\n  t: { kind: http-status, map: { 404: X }, default: Y }\n",
        "UNKNOWN_REFERENCE X",
        "UNKNOWN_REFERENCE Y",
    ),
    case(
        "a tombstone names its successor",
        reserved("code: 9, replaced_by: INVALD"),
        "UNKNOWN_REFERENCE INVALD",
    ),
    case(
        "one layer needs no name",
        "layers:\n  only: { enum: OnlyCode, code: integer }\n",
    ),
    case(
        "of several layers each category names its own",
        TWO_LAYERS,
        "MISSING_KEY validation",
        "MISSING_KEY system",
    ),
    case(
        "a layer that the schema refuses counts as one of several",
        TWO_LAYERS.replace("SecondCode", "second_code"),
        "MISSING_KEY validation",
        "MISSING_KEY system",
        "WRONG_FORM second_code",
    ),
    case(
        "an unknown layer is one mistake",
        "categories:\n  validation: { layer: tool, retry: never }\n  system: { retry: never }\n",
        "UNKNOWN_REFERENCE tool",
    ),
]

_CHAINS: Final = [
    case("an error cannot replace itself", errors(A=deprecated(2001, "A")), "REFERENCE_CYCLE A"),
    case(
        "an alias of itself is itself",
        errors(A=deprecated(2001, "OLD") + ", aliases: [OLD]"),
        "REFERENCE_CYCLE OLD",
    ),
    case(
        "two errors cannot replace each other",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "three errors cannot replace each other",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C=deprecated(2003, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "what leads into a circle is not on it",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C=deprecated(2003, "B")),
        "REFERENCE_CYCLE B",
    ),
    case(
        "a chain of replacements is longer than it need be",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C="code: 2003"),
        "REPLACEMENT_DEPRECATED B",
    ),
    case(
        "an error is not concealed as itself",
        errors(A=concealed(2001, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "errors are not concealed as each other",
        errors(A=concealed(2001, "B"), B=concealed(2002, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "an error is concealed as a public one",
        errors(A=concealed(2001, "B"), B=concealed(2002, "C"), C="code: 2003"),
        "CONCEALMENT B",
    ),
    case(
        "a public error is not concealed",
        errors(A="code: 2001, conceal_as: B", B="code: 2002"),
        "CONCEALMENT B",
    ),
    case(
        "public errors that are concealed as each other are not concealed",
        errors(A="code: 2001, conceal_as: B", B="code: 2002, conceal_as: A"),
        "CONCEALMENT B",
        "REFERENCE_CYCLE A",
        "CONCEALMENT A",
    ),
    case(
        "an error is concealed as one of its own layer",
        TWO_LAYERS + "categories:\n  validation: { layer: first, retry: never }\n"
        "  system: { layer: second, retry: never }\n"
        + errors(A=concealed(2001, "B"), B="category: system, code: 4001"),
        "CONCEALMENT B",
    ),
    case(
        "an unknown cover is one mistake",
        errors(A=concealed(2001, "NOBODY")),
        "UNKNOWN_REFERENCE NOBODY",
    ),
]

_NAMES: Final = [
    case(
        "an alias is not its own error's name",
        errors(A="code: 2001, aliases: [A]"),
        "DUPLICATE_NAME A",
    ),
    case(
        "two errors do not share an alias",
        errors(A="code: 2001, aliases: [X]", B="code: 2002, aliases: [X]"),
        "DUPLICATE_NAME X",
    ),
    case(
        "an alias is not the name of a later error",
        errors(A="code: 2001, aliases: [B]", B="code: 2002"),
        "DUPLICATE_NAME B",
    ),
    case(
        "names that differ in camelCase alone collide",
        errors(A1="code: 2001", A_1="code: 2002"),
        "NAME_COLLISION A_1",
    ),
    case(
        "params that differ in camelCase alone collide",
        errors(A="code: 2001, params: { a_1: { type: string }, a1: { type: string } }"),
        "NAME_COLLISION a1",
    ),
    case(
        "public and private params collide too",
        errors(
            A="code: 2001, log_message: '{a1}', params: { a_1: { type: string } }, "
            "private_params: { a1: { type: string } }"
        ),
        "NAME_COLLISION a1",
    ),
    case(
        "two layers do not share an enum",
        TWO_LAYERS.replace("SecondCode", "FirstCode")
        + "categories:\n  validation: { layer: first, retry: never }\n"
        "  system: { layer: second, retry: never }\n",
        "NAME_COLLISION FirstCode",
    ),
    case(
        "the response is not called like an enum",
        "layers:\n  error: { enum: ErrorResponse, code: integer }\n"
        + response("code: { from: code }"),
        "NAME_COLLISION ErrorResponse",
    ),
    case(
        "an object in the response makes a type, whose name an enum may have",
        "layers:\n  error: { enum: ErrorResponseDetails, code: integer }\n"
        + response("code: { from: code }, details: { fields: { a: { type: string } } }"),
        "NAME_COLLISION details",
    ),
    case(
        "what wraps the response makes a type",
        "layers:\n  error: { enum: ErrorResponseError, code: integer }\n"
        + response("code: { from: code }", "  wrap: error\n"),
        "NAME_COLLISION error",
    ),
    case(
        "the body of a success makes a type",
        "layers:\n  error: { enum: ErrorResponseSuccess, code: integer }\n"
        + response("code: { from: code }", "  success: { fields: { ok: { value: true } } }\n"),
        "NAME_COLLISION success",
    ),
    case(
        "objects at different depths may make one type",
        response(
            "code: { from: code }, a_b: { fields: { c: { type: any } } }, "
            "a: { fields: { b: { fields: { c: { type: any } } } } }"
        ),
        "NAME_COLLISION b",
    ),
    case(
        "an alias is spelled unlike every other name",
        errors(NOT_2_FOUND="code: 2001", OTHER="code: 2002, aliases: [NOT2_FOUND]"),
        "NAME_COLLISION NOT2_FOUND",
    ),
    *(
        case(
            f"a catalog without layers has {name} already",
            f"response:\n  type: {name}\n  fields: {{ code: {{ from: code }} }}\n",
            f"NAME_TAKEN {name}",
        )
        for name in ("ErrorCode", "KnownError")
    ),
    case(
        "an object does not make a type that the module needs",
        response("code: { from: code }, spec: { fields: { a: { type: any } } }").replace(
            "ErrorResponse", "Category"
        ),
        "NAME_TAKEN Category",
        "NAME_TAKEN spec",
    ),
    case(
        "whatever leaves out a private param has a constructor all the same",
        errors(
            A='code: 2001, log_message: "{constructor}", private_params: { constructor: { type: string } }'
        ),
        "NAME_TAKEN constructor",
    ),
    case(
        "a public param is never left out",
        errors(A="code: 2001, params: { constructor: { type: string } }"),
    ),
]


def test_the_base_catalog_is_clean() -> None:
    assert findings("") == ()


@pytest.mark.parametrize("name", _WITH_EXAMPLES)
def test_the_bad_example_of_a_rule_yields_its_finding_alone(name: str) -> None:
    found = findings(_FINDINGS[name]["x-bad"])
    assert {item.code.name for item in found} == {name}
    assert all(item.help for item in found)
    assert all(item.location.line > 1 for item in found)


@pytest.mark.parametrize("name", _WITH_EXAMPLES)
def test_the_good_example_of_a_rule_is_clean(name: str) -> None:
    assert findings(_FINDINGS[name]["x-good"]) == ()


def test_every_rule_about_a_catalog_has_examples() -> None:
    of_catalogs = {code.name for code in DiagnosticCode if "EG100" < code < "EG700"}
    assert of_catalogs == {name for name in _WITH_EXAMPLES if _FINDINGS[name]["code"] > "EG100"}


def test_every_finding_beyond_the_schema_has_one_rule() -> None:
    beyond = {code for code in DiagnosticCode if "EG200" < code < "EG700"}
    assert beyond <= RULES.keys()


@pytest.mark.parametrize(("fragment", "expected"), _REFERENCES)
def test_references(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _CHAINS)
def test_chains(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _NAMES)
def test_names(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(
    ("section", "misspelt"),
    [
        ("categories", "categorys"),
        ("ranges", "range"),
        ("retry_policies", "retry_policy"),
        ("errors", "error"),
    ],
)
def test_where_a_section_is_misspelt_nothing_is_missing_from_it(
    section: str, misspelt: str
) -> None:
    text = BASE.replace(f"\n{section}:", f"\n{misspelt}:")
    (found,) = check(parse(text.encode(), "catalog.yaml"))
    assert found.message == f"unknown key '{misspelt}' in the catalog"
    assert found.help == f"did you mean '{section}'?"


_SUSPECT = "code: 2001, visibility: internal, conceal_as: B"
_TAKING = "code: 2002, message: '{a} {b}', params: { a: { type: string }, b: { type: string } }"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (
            errors(A="code: 2001, visibility: internal"),
            "write conceal_as: <a public error>, or leave visibility: internal out",
        ),
        (
            errors(A="code: 2001, conceal_as: B", B="code: 2002"),
            "write visibility: internal, or leave conceal_as out",
        ),
        (
            errors(A=concealed(2001, "B"), B=concealed(2002, "C"), C="code: 2003"),
            "write conceal_as: <a public error>",
        ),
        (
            TWO_LAYERS + "categories:\n  validation: { layer: first, retry: never }\n"
            "  system: { layer: second, retry: never }\n"
            + errors(A=concealed(2001, "B"), B="category: system, code: 4001"),
            "write conceal_as: <a public error of the layer 'first'>",
        ),
        (
            errors(A=_SUSPECT, B=_TAKING),
            "add a and b to the params of A; or conceal it as an error without params",
        ),
        (
            errors(
                A=f"{_SUSPECT}, log_message: '{{b}}', private_params: {{ b: {{ type: string }} }}",
                B=_TAKING,
            ),
            (
                "add a to the params of A, and move b to its params if a client may see that; "
                "or conceal it as an error without params"
            ),
        ),
    ],
)
def test_the_remedy_for_a_concealment_fits_what_is_wrong(text: str, remedy: str) -> None:
    (found,) = findings(text)
    assert (found.code.name, found.help) == ("CONCEALMENT", remedy)


def test_rules_gather_what_links_errors_a_few_times_for_any_number_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gathered = []
    whole = Facts._linked  # noqa: SLF001 - the dear part of several views

    def spy(facts: Facts, *arguments: Any) -> Any:
        gathered.append(arguments)
        return whole(facts, *arguments)

    monkeypatch.setattr(Facts, "_linked", spy)
    document = load(ROOT / "catalog" / "errors.yaml", "errors.yaml")
    assert check(document) == ()
    assert len(document.data["errors"]) > len(gathered) < 8
