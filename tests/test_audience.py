"""What strangers may read: artifacts for the public say nothing of internal errors, nor of what is for logs alone."""

from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest
from conftest import Checker
from support import CATALOGS, catalog_of, module_of, write_catalog

from errgen.audience import leaks, public
from errgen.config import CatalogConfig, TargetConfig
from errgen.diagnostics import TemplateError
from errgen.model import Catalog
from errgen.render import render
from errgen.resources import templates_dir

_TARGETS: Final = ("conformance", "jsonschema", "markdown", "python", "typescript")
_VAULT: Final = """\
errgen: 1
name: secret
version: 1.0.0
categories: { a: { retry: never } }
ranges: [{ first: 1, last: 99, category: a }]
layers: { web: { enum: ErrorCode, code: integer, wire: http-problem } }
translations:
  codes: { kind: code, map: { vault: VAULT_OPEN, x: ABSENT }, default: VAULT_OPEN }
reserved: [{ code: 9, name: OLD_ONE, replaced_by: VAULT_OPEN, reason: Merged }]
errors:
  ABSENT: { code: 1, category: a, message: Absent, http_status: 404, see_also: [VAULT_OPEN, PLAIN] }
  PLAIN:
    code: 2
    category: a
    message: "Plain {shown}"
    log_message: "Plain {shown} {unseen}"
    params: { shown: { type: string } }
    private_params: { unseen: { type: string, description: Hush } }
    deprecated: { since: 1.0.0, reason: Old, replaced_by: VAULT_OPEN }
    http_status: 410
  VAULT_OPEN:
    code: 3
    category: a
    message: Open sesame
    aliases: [VAULT_AJAR]
    visibility: internal
    conceal_as: ABSENT
    http_status: 500
"""


def made(path: Path, audience: str, only: tuple[str, ...] = _TARGETS) -> dict[str, str]:
    """Return what each target makes of a catalog for an audience."""
    settings = TargetConfig(None, {"audience": audience})
    config = CatalogConfig(path.name, "out", dict.fromkeys(only, settings), only, frozenset())
    texts: dict[str, str] = {}
    for item in render(catalog_of(path), config, [templates_dir()]):
        target = PurePosixPath(item.path).parts[1]
        texts[target] = texts.get(target, "") + item.text
    return texts


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a catalog in which everything leads to an internal error."""
    return write_catalog(tmp_path, _VAULT)


@pytest.mark.parametrize("target", _TARGETS)
def test_strangers_read_nothing_internal(secret: Path, target: str) -> None:
    (text,) = made(secret, "public", (target,)).values()
    for word in ("VAULT", "sesame", "unseen", "Hush"):
        assert word not in text
    assert "PLAIN" in text
    # What writes logs has what is for logs; whoever serves strangers says so in the config.
    (text,) = made(secret, "internal", (target,)).values()
    assert "VAULT_OPEN" in text or target == "jsonschema"
    assert ("unseen" in text) == (target in ("python", "typescript", "markdown"))


def names(catalog: Catalog) -> set[str]:
    return {name for error in catalog.errors if error.is_internal for name in _named(error)}


def _named(error: Any) -> tuple[str, ...]:
    return (error.name, *error.aliases)


@pytest.mark.parametrize("name", CATALOGS)
def test_no_catalog_leaks(name: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    for text in made(CATALOGS[name], "public").values():
        assert not [word for word in names(catalog) if word in text]
        for error in catalog.errors:
            assert not error.log_message or error.log_message not in text


def absent_ref(catalog: Catalog) -> Any:
    (reserved,) = catalog.reserved
    return reserved.replaced_by


def test_what_led_to_the_internal_error_leads_to_the_one_that_conceals_it(secret: Path) -> None:
    shown = public(catalog_of(secret))
    plain = next(error for error in shown.errors if error.name == "PLAIN")
    assert plain.deprecated
    assert plain.deprecated.replaced_by
    assert plain.deprecated.replaced_by.name == "ABSENT"
    (reserved,) = shown.reserved
    assert reserved.replaced_by
    assert reserved.replaced_by.name == "ABSENT"
    (translation,) = shown.translations
    assert translation.default.name == "ABSENT"
    assert translation.entries == (("x", absent_ref(shown)),)
    absent = next(error for error in shown.errors if error.name == "ABSENT")
    assert [link.error.name for link in absent.see_also if link.error] == ["PLAIN"]
    assert shown.ranges[0].used == 2


def test_what_strangers_get_compiles_and_works(
    secret: Path, mypy_strict: Checker, tsc: Checker
) -> None:
    texts = made(secret, "public")
    (secret.parent / "public.py").write_text(texts["python"], "utf-8")
    (secret.parent / "public.ts").write_text(texts["typescript"], "utf-8")
    assert mypy_strict(secret.parent / "public.py").returncode == 0
    assert tsc(secret.parent / "public.ts").returncode == 0
    scope: dict[str, Any] = {"__name__": "public"}
    exec(compile(texts["python"], "public.py", "exec"), scope)  # noqa: S102
    told = module_of(secret).WebError.vault_open().to_wire()
    read = scope["from_wire"](told)
    assert (read.name, read.message) == ("ABSENT", "Absent")


def test_a_text_that_names_an_internal_error_stops_the_build(tmp_path: Path) -> None:
    text = _VAULT.replace("message: Absent", "message: Absent, description: As VAULT_AJAR is")
    path = write_catalog(tmp_path, text)
    with pytest.raises(TemplateError) as caught:
        made(path, "public", ("markdown",))
    (found,) = caught.value.diagnostics
    assert found.code.name == "INTERNAL_LEAK"
    assert "VAULT_AJAR" in found.message
    assert made(path, "internal", ("markdown",))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("VAULT_OPEN", ("VAULT_OPEN",)),
        ("`VAULT_OPEN`, VAULT_AJAR", ("VAULT_OPEN", "VAULT_AJAR")),
        (
            "vaultOpen vault_open VaultOpen",
            ("vault_open", "vaultOpen", "VaultOpen"),
        ),
        ("THE_VAULT_OPEN VAULT_OPENED VAULT vaultOpener", ()),
    ],
)
def test_a_leak_is_a_whole_name(secret: Path, text: str, found: tuple[str, ...]) -> None:
    assert leaks(catalog_of(secret), text) == found
