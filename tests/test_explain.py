"""`errgen explain CODE`: what finds an error, in which order, and what is said of it in each form."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from support import CATALOGS, EXAMPLES, README, ROOT, catalog_of, python_of, write_catalog
from test_guidance import attempts as attempts_of_code

from errgen.cli import main
from errgen.explain import explain, in_form
from errgen.explaining import _complete

Run: TypeAlias = Callable[..., Result]

_CATALOG: Final = """\
errgen: 1
name: shop
version: 1.0.0
categories:
  system: { title: Trouble, retry: backoff }
ranges:
  - { first: -10, last: 4999, category: system, description: All }
retry_policies:
  backoff: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 4 }
reserved:
  - { code: 17, name: OLD_LIMIT, since: 1.0.0, replaced_by: RATE_LIMITED, reason: Two became one }
  - { first: 40, last: 49, reason: Room for vendors }
errors:
  RATE_LIMITED:
    code: 1
    aliases: [THROTTLED]
    category: system
    message: "Slow down, {client}"
    params: { client: { type: string } }
    description: Too many calls in a minute
    tags: [quota]
    outcome: unknown
    recovery: { action: wait, hint: Wait a minute }
  TOKEN_EXPIRED:
    code: 2
    category: system
    message: Sign in again
    retry: never
    deprecated: { since: 1.0.0, reason: Nobody signs in, replaced_by: RATE_LIMITED }
  NEGATIVE:
    code: -3
    category: system
    message: The rate has no token left
  EMPTY:
    code: 4
    category: system
    message: Nothing
    description: The limit of a rate
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `errgen explain` in a project with a small catalog."""
    write_catalog(tmp_path, _CATALOG, "catalog/errors.yaml")
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, **options: Any) -> Result:
        return CliRunner().invoke(main, ["explain", *arguments], catch_exceptions=False, **options)

    return invoke


def title(result: Result) -> str:
    """Return the first line of what was explained."""
    return result.stdout.partition("\n")[0]


@pytest.mark.parametrize(
    "wanted",
    [
        *("1", "0x1", "0X01", "+1", "#1", "'1'", '"#1"', "`1`", " 1 ", "RATE_LIMITED"),
        *("rate_limited", "Rate-Limited", "rate limited", "THROTTLED", "throttled"),
        "#RATE_LIMITED",
    ],
)
def test_an_error_is_found_by_code_name_and_alias_in_any_spelling(run: Run, wanted: str) -> None:
    result = run(wanted)
    assert result.exit_code == 0
    assert title(result) == "1 RATE_LIMITED (shop 1.0.0)"


@pytest.mark.parametrize("wanted", ["-3", "-0x3", "'-3'", "#-3", "negative"])
def test_a_negative_code_is_no_option(run: Run, wanted: str) -> None:
    assert title(run(wanted)) == "-3 NEGATIVE (shop 1.0.0)"


def test_words_need_no_quotes(run: Run) -> None:
    assert title(run("sign", "in")) == "2 TOKEN_EXPIRED (shop 1.0.0)"


@pytest.mark.parametrize("wanted", ["17", "0x11", "OLD_LIMIT", "old limit"])
def test_a_retired_code_says_what_to_use_instead(run: Run, wanted: str) -> None:
    assert run(wanted).stdout == (
        "17 OLD_LIMIT is reserved since 1.0.0: Two became one\n"
        "  use           RATE_LIMITED (1)\n"
    )


def test_a_code_of_a_reserved_range_is_explained(run: Run) -> None:
    assert run("0x2a").stdout.startswith(
        "0x2a is reserved: Room for vendors\n  reserved      40 to"
    )


def test_a_text_with_a_reserved_prefix_is_explained(tmp_path: Path) -> None:
    text = """\
errgen: 1
name: texts
version: 1.0.0
categories: { system: { retry: never } }
reserved: [{ prefix: "23", reason: Belongs to SQL }]
errors: { NoSuchKey: { code: NoSuchKey, category: system, message: Gone } }
""".replace("{ NoSuchKey: {", "{ NO_SUCH_KEY: {")
    catalogs = {"c.yaml": catalog_of(write_catalog(tmp_path, text))}
    told = in_form(explain(catalogs, "23505"), "text")
    assert told.startswith(
        "23505 is reserved: Belongs to SQL\n  reserved      codes that begin with 23"
    )
    for wanted in ("NoSuchKey", "nosuchkey", "no such key"):
        assert [item["code"] for item in explain(catalogs, wanted).explained] == ["NoSuchKey"]
    assert explain(catalogs, "23 skidoo").explained == ()


@pytest.mark.parametrize("wanted", ["EG203", "eg203", "#EG203", "OUTSIDE_RANGE", "outside range"])
def test_a_finding_of_errgen_is_explained(run: Run, wanted: str) -> None:
    result = run(wanted)
    assert result.stdout.startswith("EG203 OUTSIDE_RANGE (a finding of errgen)\n")
    assert "instead of" in result.stdout


def test_a_finding_is_explained_while_the_catalog_has_it(run: Run, tmp_path: Path) -> None:
    write_catalog(tmp_path, "errgen: 2\n", "catalog/errors.yaml")
    assert run("EG104").stdout.startswith("EG104 ")
    broken = run("RATE_LIMITED", "--format", "json")
    assert broken.exit_code == 1
    assert broken.stdout == ""
    assert "EG1" in broken.stderr


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("expired", [2]),
        ("token expired", [2]),
        ("the token", [2, -3]),  # the name comes before the message
        ("rate", [1, -3, 4]),  # and the message before the description
        (
            "rate limit",
            [1, 4],
        ),  # all words before some, so that these are all; as it is in a name first
        ("token unheard-of", [2, -3]),  # some words, where none has all
        ("expiry tokens", [2, -3]),  # a word that only begins alike
        ("quota", [1]),
        ("minute", [1]),
        ("TROUBLE", [-3, 1, 2, 4]),
    ],
)
def test_words_find_errors_best_first(words: str, codes: list[int], tmp_path: Path) -> None:
    catalog = catalog_of(write_catalog(tmp_path, _CATALOG))
    answer = explain({"c.yaml": catalog}, words)
    assert [item["code"] for item in (*answer.explained, *answer.candidates)] == codes
    assert len(answer.explained) == (len(codes) == 1)


def test_several_matches_are_a_line_each_with_how_to_narrow(run: Run) -> None:
    result = run("the token")
    assert result.exit_code == 0
    assert result.stdout == (
        "2 TOKEN_EXPIRED (system): Sign in again\n"
        "-3 NEGATIVE (system): The rate has no token left\n"
        "\n"
        "name one by its code, or give more words\n"
    )


def test_no_more_than_ten_are_listed(tmp_path: Path) -> None:
    many = "".join(
        f"  E_{number}: {{ code: {number}, category: system, message: Boom }}\n"
        for number in range(100, 112)
    )
    catalog = catalog_of(write_catalog(tmp_path, _CATALOG + many))
    answer = explain({"c.yaml": catalog}, "boom")
    assert [item["code"] for item in answer.candidates] == [*range(100, 110)]
    assert "more words; 2 more are not shown\n" in in_form(answer, "text")
    assert "2 more are not shown." in in_form(answer, "markdown")


@pytest.mark.parametrize(
    ("wanted", "help_"),
    [
        ("RATE_LIMITTED", "did you mean 'RATE_LIMITED'?"),
        ("throtled", "did you mean 'THROTTLED'?"),
        ("OLD_LIMITS", "did you mean 'OLD_LIMIT'?"),
        ("18", "codes from -10 to 4999 are of category 'system'"),
        ("xyzzy", "give words of its message, as in errgen explain too many calls"),
        ("9" * 5000, "give words of its message, as in errgen explain too many calls"),
    ],
)
def test_what_nothing_has_is_a_finding(run: Run, wanted: str, help_: str) -> None:
    result = run(wanted)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "EG721 no error has the code or name" in result.stderr
    assert f"  help: {help_}\n" in result.stderr


def test_a_code_in_several_catalogs_is_explained_for_each_or_for_one(
    tmp_path: Path, run: Run
) -> None:
    (tmp_path / "errgen.toml").write_text('catalog = ["catalog/errors.yaml", "b.yaml"]\n', "utf-8")
    write_catalog(tmp_path, _CATALOG.replace("name: shop", "name: depot"), "b.yaml")
    both = run("1").stdout
    assert "1 RATE_LIMITED (shop 1.0.0)\n" in both
    assert "1 RATE_LIMITED (depot 1.0.0)\n" in both
    assert run("1", "--catalog", "b.yaml").stdout.count("RATE_LIMITED (") == 1


def test_the_first_lines_say_what_happened_whether_to_retry_and_what_to_do(run: Run) -> None:
    assert run("1").stdout.startswith(
        "1 RATE_LIMITED (shop 1.0.0)\n"
        "  Slow down, {client}\n"
        "\n"
        "  retry         yes (backoff): wait 100 ms, 200 ms, 400 ms, then give up after 4\n"
        "                attempts\n"
        "                reads, writes that may be done twice: 100 ms, 200 ms, 400 ms, then give\n"
        "                up after 4 attempts\n"
        "                other writes: once looked up that it did not happen, 100 ms, 200 ms, 400\n"
        "                ms, then give up after 4 attempts\n"
        "  outcome       It is unknown whether the operation happened.\n"
        "  what to do    Wait, then retry the same request, where that is safe. Wait a minute.\n"
        "\n"
        "  Too many calls in a minute\n"
    )


def test_a_deprecated_error_says_so_first(run: Run) -> None:
    lines = run("2").stdout.split("\n")
    assert lines[2] == "  Deprecated since 1.0.0: Nobody signs in. Use RATE_LIMITED instead."
    assert lines[4] == "  retry         no (never): do not retry"


def has_operations(name: str) -> bool:
    return bool(catalog_of(CATALOGS[name]).operations)


@pytest.mark.parametrize("name", [name for name in CATALOGS if has_operations(name)])
def test_what_is_said_of_retries_is_what_generated_code_does(name: str) -> None:
    catalog, module = catalog_of(CATALOGS[name]), python_of(name)
    for error in catalog.errors:
        retry = explain({name: catalog}, error.name).explained[0]["retry"]
        policy = module.find(error.code).policy
        for told in retry["operations"]:
            known = attempts_of_code(module, error, told["name"], reconciled=True)
            blind = attempts_of_code(module, error, told["name"], reconciled=False)
            assert told["attempts"] == known
            assert told["after_lookup"] == (blind < known)
            steady = [steady_ms(policy, attempt) for attempt in range(1, known)]
            assert told["delays_ms"] == steady


def steady_ms(policy: Any, attempt: int) -> int:
    """Return a delay of generated code before chance has its say."""
    wait: int = max(round(policy._steady_ms(attempt)), policy.retry_after_ms or 0)  # noqa: SLF001
    return wait


@pytest.mark.parametrize("name", CATALOGS)
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_every_error_of_a_real_catalog_is_explained(name: str, form: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    for error in catalog.errors:
        for wanted in (str(error.code), error.name, error.name.lower().replace("_", " ")):
            answer = explain({name: catalog}, wanted)
            assert [item["name"] for item in answer.explained] == [error.name]
            assert error.name in in_form(answer, form)


_NULL: Final = {"type": "null"}
_TEXT: Final = {"type": ["string", "null"]}
_CODE: Final = {"type": ["integer", "string"]}
_REF: Final = {
    "type": ["object", "null"],
    "required": ["code", "name"],
    "properties": {"code": _CODE, "name": {"type": "string"}},
}


def strict(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has these keys and no others."""
    return {
        "type": "object",
        "required": [*properties],
        "additionalProperties": False,
        "properties": properties,
    }


_CATALOG_FACTS: Final = strict(
    name={"type": "string"}, version={"type": "string"}, path={"type": "string"}
)
_RETRY: Final = strict(
    retryable={"enum": [True, False, "varies"]},
    policy=_TEXT,
    text={"type": "string"},
    safe_to_retry={"enum": ["always", "idempotent", "reconciled", "never", None]},
    max_attempts={"type": ["integer", "null"]},
    jitter={"enum": ["none", "full", "equal", "decorrelated"]},
    retry_after_ms={"type": ["integer", "null"]},
    operations={
        "type": "array",
        "items": strict(
            name={"type": "string"},
            attempts={"type": "integer", "minimum": 1},
            delays_ms={"type": "array", "items": {"type": "integer", "minimum": 0}},
            after_lookup={"type": "boolean"},
        ),
    },
)
_ERROR: Final = strict(
    kind={"const": "error"},
    catalog=_CATALOG_FACTS,
    code=_CODE,
    name={"type": "string"},
    message={"type": "string"},
    retry=_RETRY,
    outcome=strict(applied={"enum": ["unknown", "not-applied", "partial", None]}, text=_TEXT),
    recovery=strict(action=_TEXT, text=_TEXT, hint=_TEXT),
    http_status={"type": ["integer", "null"]},
    grpc_status=_TEXT,
    jsonrpc_code={"type": ["integer", "null"]},
    severity={"enum": ["info", "warning", "error", "critical"]},
    category=strict(name={"type": "string"}, title={"type": "string"}),
    layer=strict(name={"type": "string"}, wire={"type": "string"}),
    description=_TEXT,
    deprecated={"anyOf": [_NULL, strict(since=_TEXT, reason=_TEXT, replaced_by=_REF)]},
    visibility={"enum": ["public", "internal"]},
    conceal_as=_REF,
    params={
        "type": "array",
        "items": strict(name={"type": "string"}, type={"type": "string"}, description=_TEXT),
    },
    examples={
        "type": "array",
        "items": strict(params={"type": "object"}, message={"type": "string"}, description=_TEXT),
    },
    aliases={"type": "array", "items": {"type": "string"}},
    tags={"type": "array", "items": {"type": "string"}},
    since=_TEXT,
    range_waiver=_TEXT,
    see_also={"type": "array", "items": {"type": "string"}},
    docs_url=_TEXT,
)
_RESERVATION: Final = strict(
    kind={"const": "reservation"},
    catalog=_CATALOG_FACTS,
    code={"type": ["integer", "string", "null"]},
    name=_TEXT,
    first={"type": ["integer", "null"]},
    last={"type": ["integer", "null"]},
    prefix=_TEXT,
    since=_TEXT,
    reason={"type": "string"},
    replaced_by=_REF,
)
_FINDING: Final = strict(
    kind={"const": "finding"},
    code={"type": "string"},
    name={"type": "string"},
    severity={"type": "string"},
    message={"type": "string"},
    description={"type": "string"},
    recovery=strict(hint={"type": "string"}),
    bad=_TEXT,
    good=_TEXT,
)
_CANDIDATE: Final = strict(
    code={"type": ["integer", "string", "null"]},
    name={"type": "string"},
    category={"type": "string"},
    message={"type": "string"},
    kind={"enum": ["error", "reservation"]},
    catalog=_CATALOG_FACTS,
)
_RECEIVED: Final = strict(
    form={"type": "string"},
    known={"type": "boolean"},
    code={"type": ["integer", "string", "null"]},
    message=_TEXT,
    says=strict(
        retryable={"type": ["boolean", "null"]},
        safe_to_retry={"type": ["boolean", "null"]},
        retry_after_ms={"type": ["integer", "null"]},
    ),
    retry={"anyOf": [_NULL, _RETRY]},
    differences={
        "type": "array",
        "items": strict(field={"type": "string"}, found={}, fixed={}, text={"type": "string"}),
    },
    advice=_TEXT,
)
_ANSWER: Final = strict(
    wanted={"type": "string"},
    explained={"type": "array", "items": {"anyOf": [_ERROR, _RESERVATION, _FINDING]}},
    candidates={"type": "array", "items": _CANDIDATE},
    left_out={"type": "integer"},
    received={"anyOf": [_NULL, _RECEIVED]},
)
ANSWER: Final = Draft202012Validator(_ANSWER)


@pytest.mark.parametrize("name", CATALOGS)
def test_json_has_the_same_keys_for_every_error(name: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    reserved = [str(item.code or item.first or item.prefix) for item in catalog.reserved]
    for wanted in (*(error.name for error in catalog.errors), *reserved, "EG203", "a", "the error"):
        text = in_form(explain({name: catalog}, wanted), "json")
        assert [*ANSWER.iter_errors(json.loads(text))] == []


def test_json_of_what_is_unknown_is_json_too(run: Run) -> None:
    result = run("xyzzy", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["explained"] == []
    assert "EG721" in result.stderr


@pytest.mark.parametrize("example", ["explained", "received"])
def test_the_readme_shows_what_is_told(run: Run, tmp_path: Path, example: str) -> None:
    write_catalog(tmp_path, EXAMPLES["catalog"], "catalog/errors.yaml")
    command, _, told = EXAMPLES[example].partition("\n")
    if example == "explained":
        assert run("4001").stdout == EXAMPLES[example]
        return
    body = re.fullmatch(r"\$ echo '(.+)' \| errgen explain -", command)
    assert body
    assert run("-", input=body[1]).stdout == told


def test_the_readme_documents_every_key_of_the_json() -> None:
    section = README.partition("## What an error means")[2].partition("\n## ")[0]
    for key in (*_ANSWER["required"], *_ERROR["required"], *_RECEIVED["required"]):
        assert f"`{key}`" in section, key


@pytest.mark.parametrize("name", CATALOGS)
def test_markdown_is_a_section_with_the_same_facts(name: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    for error in catalog.errors:
        text = in_form(explain({name: catalog}, error.name), "markdown")
        tokens = MarkdownIt("commonmark").parse(text)
        assert [token.tag for token in tokens].count("h2") == 2  # opened and closed
        assert "html_block" not in {token.type for token in tokens}
        assert "- **Retry:** " in text
        assert "- **What to do:** " in text


@pytest.mark.parametrize("wanted", ["2", "17", "42", "EG203", "EG003", "the token", "became"])
def test_markdown_has_every_kind_of_answer(run: Run, wanted: str) -> None:
    text = run(wanted, "--format", "markdown").stdout
    assert text.startswith(("## ", "- **"))
    assert text.endswith("\n")


def on_a_terminal(folder: Path, **environment: str) -> str:
    """Return what `errgen explain 2` prints on a terminal."""
    leader, follower = pty.openpty()
    code = [sys.executable, "-m", "errgen", "explain", "2"]
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env |= {"PYTHONPATH": str(ROOT), **environment}
    subprocess.run(code, stdout=follower, cwd=folder, env=env, check=True, timeout=60)
    os.close(follower)
    text = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # all is read, and the other end is closed
            part = b""
        text += part
        if not part:
            os.close(leader)
            return text.decode().replace("\r\n", "\n")


def test_a_terminal_shows_colours_unless_no_color_says_otherwise(run: Run, tmp_path: Path) -> None:
    plain = run("2").stdout
    assert "\x1b[" not in plain
    assert on_a_terminal(tmp_path, NO_COLOR="1") == plain
    shown = on_a_terminal(tmp_path)
    assert "\x1b[1m2 TOKEN_EXPIRED\x1b[0m" in shown
    assert "\x1b[31m\x1b[1mno\x1b[0m (never)" in shown


def test_shells_complete_codes_and_names(run: Run, tmp_path: Path) -> None:
    assert _complete(None, None, "ra") == ["RATE_LIMITED"]
    assert _complete(None, None, "T") == ["THROTTLED", "TOKEN_EXPIRED"]
    assert _complete(None, None, "-") == ["-3"]
    write_catalog(tmp_path, "errgen: 2\n", "catalog/errors.yaml")
    assert _complete(None, None, "ra") == []


@pytest.mark.parametrize(
    "package", ["jsonschema", "jinja2", "black", "errgen.output", "errgen.recent"]
)
def test_explaining_loads_nothing_that_only_others_need(run: Run, package: str) -> None:
    code = (
        "import sys; from errgen.cli import main\n"
        "main(['explain', '1'], standalone_mode=False); sys.exit(sys.argv[1] in sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-c", code, package]
    assert subprocess.run(argv, env=env, check=False, capture_output=True).returncode == 0


def test_help_says_what_can_be_asked(run: Run) -> None:
    text = run("--help").stdout
    for word in (
        "EG203",
        "standard input",
        "--catalog",
        "[text|json|markdown]",
        "Form of the answer",
    ):
        assert word in text
