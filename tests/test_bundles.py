"""TypeScript of a large catalog: tsc takes it, and a bundle holds no more of it than its client uses."""

import dataclasses
import json
import re
import shutil
from pathlib import Path
from typing import Final

import pytest
from catalogs import catalog
from conftest import Checker, Node
from support import ROOT, catalog_of, rendered, write_catalog

from errgen.filters.tscode import tsfactory
from errgen.filters.tserrors import tscodelist
from errgen.model import Catalog

_JS: Final = ROOT / "tests" / "js"
_NAME: Final = re.compile(r"\bE\d{6}_[A-Z_]+")
_COUNT: Final = 300
_MANY: Final = 1000
_WIDTH: Final = 88
# What tsc may make of each code: for its literal, its name, its factory and what that takes.
_TYPES: Final = 10
# A catalog-independent part, such as the retry arithmetic, is smaller than this when it is bundled.
_FIXED: Final = 15_000
_CLIENTS: Final = {
    "type": "import type { ErrorCode, SpecOf } from './errors.ts'; export type T = SpecOf<ErrorCode>;",
    "guard": "export { isErrorCode, isCode } from './errors.ts';",
    "retry": "export { shouldRetry, retryDelayMs } from './errors.ts';",
    "class": "import { CatalogError } from './errors.ts'; export const f = (e: unknown) => e instanceof CatalogError;",
    "policies": "export { retryPolicies, categories, operations, reserved } from './errors.ts';",
    "code": "import { ErrorCode } from './errors.ts'; export const f = ErrorCode.E000004_CONFLICT;",
    "find": "export { find } from './errors.ts';",
    "parse": "export { parseResponse } from './errors.ts';",
    "factory": "import { KnownError } from './errors.ts'; export const f = () => KnownError.e000000Invalid();",
}

_TYPED: Final = """\
import { type Code, ErrorCode, type ErrorSpec, errorSpecs, find, KnownError, spec } from "./errors.ts";

export const never: false = spec(ErrorCode.E000000_INVALID).retryable;
export const backoff: true = spec(ErrorCode.E000002_UNAVAILABLE).retryable;
export const varies: null = spec(ErrorCode.E000004_CONFLICT).retryable;
export const some: boolean = spec<1000 | 1004>(1000).retryable;
export const any = (code: Code): boolean | null => spec(code).retryable;
export const found: string | undefined = find(1000)?.message;
export const all: readonly ErrorSpec[] = Object.values<ErrorSpec>(errorSpecs);
export const named: ErrorSpec = errorSpecs.E000004_CONFLICT;
export const made: KnownError = FACTORY({ retryable: true });
// @ts-expect-error whoever makes it must say whether it is retryable
export const undecided = FACTORY();
// @ts-expect-error there is no such error
export const stranger = errorSpecs.NO_SUCH_ERROR;
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Return a catalog of some hundred codes."""
    return catalog_of(write_catalog(tmp_path_factory.mktemp("large"), catalog(_COUNT)))


@pytest.fixture(scope="module")
def bundles(node: Node, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the minified bundle of each client."""
    folder = tmp_path_factory.mktemp("bundles")
    (text,) = rendered(write_catalog(folder, catalog(_COUNT)), "typescript").values()
    (folder / "errors.ts").write_text(text, "utf-8")
    plan = {"tools": str(_JS / "package.json"), "clients": _CLIENTS}
    (folder / "plan.json").write_text(json.dumps(plan), "utf-8")
    shutil.copy(_JS / "bundle.mjs", folder)
    result = node("bundle.mjs", cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    found: dict[str, str] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("client", ["type", "guard", "retry", "class", "policies"])
def test_who_names_no_error_ships_no_name(client: str, bundles: dict[str, str]) -> None:
    assert _NAME.findall(bundles[client]) == []


def test_who_retries_or_tests_a_class_ships_nothing_of_the_errors(
    bundles: dict[str, str], large: Catalog
) -> None:
    for client in ("type", "retry", "class"):
        assert len(bundles[client]) < _FIXED
        assert str(large.errors[-1].code) not in bundles[client]
    # Each code as a number, with a comma.
    assert len(bundles["guard"]) < _FIXED / 10 + 8 * _COUNT


def test_who_names_a_code_ships_the_enum_and_no_text_of_it(
    bundles: dict[str, str], large: Catalog
) -> None:
    names = {name for error in large.errors for name in (error.name, *error.aliases)}
    assert len(bundles["code"]) < _FIXED / 10 + sum(len(name) + 8 for name in names)
    assert not any(error.message in bundles["code"] for error in large.errors)


@pytest.mark.parametrize(("client", "factories"), [("find", 0), ("parse", 1), ("factory", 1)])
def test_who_looks_errors_up_ships_each_once(
    client: str, factories: int, bundles: dict[str, str], large: Catalog
) -> None:
    bundle = bundles[client]
    for error in large.errors:
        assert bundle.count(f'"name":"{error.name}"') == 1
    assert bundle.count("static e000000Invalid(") == factories
    lines = sum(map(len, re.findall(r'^\{"code":.*$', bundle, re.MULTILINE)))
    assert len(bundle) < _FIXED + lines + 100 * factories * _COUNT


def test_a_new_code_changes_one_line_of_a_list(large: Catalog) -> None:
    rows = tscodelist(large.errors, 4).strip().split("\n")
    assert max(map(len, rows)) <= _WIDTH
    assert all(len({int(code) // 10 for code in row.rstrip(",").split(", ")}) == 1 for row in rows)
    assert len(rows) == len({int(error.code) // 10 for error in large.errors})
    long = [dataclasses.replace(large.errors[0], code=10**15 + number) for number in range(9)]
    assert [len(row) for row in tscodelist(long, 4).strip().split("\n    ")] == [17] * 9


def test_tsc_works_out_few_types_for_each_code(node: Node, tmp_path: Path) -> None:
    few, many = (_types(node, tmp_path / str(count), count) for count in (_COUNT, _MANY))
    assert (many - few) / (_MANY - _COUNT) < _TYPES


def _types(node: Node, folder: Path, count: int) -> int:
    """Return how many types tsc makes of a catalog of some codes."""
    (text,) = rendered(write_catalog(folder, catalog(count)), "typescript").values()
    (folder / "errors.ts").write_text(text, "utf-8")
    options = ("--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--types", "")
    script = str(_JS / "node_modules/typescript/bin/tsc")
    result = node(script, *options, "--extendedDiagnostics", str(folder / "errors.ts"))
    assert result.returncode == 0, result.stdout
    (found,) = re.findall(r"^Types: +(\d+)$", result.stdout, re.MULTILINE)
    return int(found)


def test_tsc_knows_what_a_large_catalog_fixes(tsc: Checker, large: Catalog, tmp_path: Path) -> None:
    (text,) = rendered(write_catalog(tmp_path, catalog(_COUNT)), "typescript").values()
    (tmp_path / "errors.ts").write_text(text, "utf-8")
    varying = next(error for error in large.errors if error.retryable is None and not error.params)
    factory = f"KnownError.{tsfactory(varying.name)}"
    (tmp_path / "client.ts").write_text(_TYPED.replace("FACTORY", factory), "utf-8")
    result = tsc(tmp_path / "errors.ts", tmp_path / "client.ts")
    assert (result.returncode, result.stdout) == (0, "")
