"""Finding and reading the configuration."""

from pathlib import Path
from typing import Final

import pytest

from errgen.config import CatalogConfig, Config, TargetConfig, find_config
from errgen.diagnostics import ConfigError


def config_of(folder: Path, text: str, name: str = "errgen.toml") -> Config:
    """Write a config and find it from a folder below."""
    (folder / name).write_text(text, "utf-8")
    below = folder / "some" / "where"
    below.mkdir(parents=True)
    return find_config(below)


def catalog(path: str = "catalog/errors.yaml", output: str = "generated") -> CatalogConfig:
    return CatalogConfig(path, output, {}, None, frozenset())


def test_the_catalog_is_found_in_a_parent_without_a_config(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "errors.yaml").touch()
    (tmp_path / "deep").mkdir()
    found = find_config(tmp_path / "deep")
    assert found == Config(tmp_path.resolve(), "", (catalog(),), None, "generated")


def test_without_catalog_and_config_it_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        find_config(tmp_path)
    (item,) = caught.value.diagnostics
    assert item.code.name == "CATALOG_NOT_FOUND"
    assert "errgen init" in item.help


def test_an_empty_config_means_the_defaults(tmp_path: Path) -> None:
    found = config_of(tmp_path, "")
    assert found == Config(tmp_path.resolve(), "errgen.toml", (catalog(),), None, "generated")


def test_pyproject_is_read_where_it_has_a_section_for_errgen(tmp_path: Path) -> None:
    found = config_of(tmp_path, '[tool.errgen]\noutput = "out"\n', "pyproject.toml")
    assert (found.file, found.output) == ("pyproject.toml", "out")


def test_two_configs_in_one_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "errgen.toml").write_text('output = "other"\n')
    with pytest.raises(
        ConfigError, match=r"errgen\.toml: .*pyproject\.toml has settings of errgen too"
    ):
        config_of(tmp_path, '[tool.errgen]\noutput = "out"\n', "pyproject.toml")


@pytest.mark.parametrize("text", ["", "[tool.black]\nline-length = 100\n", "not toml"])
def test_pyproject_without_a_section_is_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "errgen.toml").write_text('output = "other"\n')
    assert config_of(tmp_path, text, "pyproject.toml").file == "errgen.toml"


def test_the_nearest_folder_wins(tmp_path: Path) -> None:
    (tmp_path / "errgen.toml").write_text("")
    (tmp_path / "sub" / "catalog").mkdir(parents=True)
    (tmp_path / "sub" / "catalog" / "errors.yaml").touch()
    assert find_config(tmp_path / "sub").root == (tmp_path / "sub").resolve()


def test_targets_and_outputs_of_several_catalogs(tmp_path: Path) -> None:
    found = config_of(
        tmp_path,
        """
catalog = ["a.yaml", { path = "sub/b.yaml", output = "gen/b", targets = { python = { output = "src/b.py" } } }]
templates = "my/../templates"
[targets]
typescript = false
python = { output = "src/a.py", style = "short" }
""",
    )
    a, b = found.catalogs
    assert found.templates == "my/../templates"
    assert a.targets == {"python": TargetConfig("src/a.py", {"style": "short"})}
    assert a.without == b.without == {"typescript"}
    assert (b.path, b.output, b.targets["python"].output) == ("sub/b.yaml", "gen/b", "src/b.py")
    assert b.targets["python"].options == {"style": "short"}


def test_a_list_of_targets_selects_them(tmp_path: Path) -> None:
    assert config_of(tmp_path, 'targets = ["python", "markdown"]').catalogs[0].only == (
        "python",
        "markdown",
    )


_ALL: Final = "known are catalog, output, templates, targets, audit"
_BELOW: Final = "write a path below the folder of the config"
_CATALOG: Final = 'write catalog = "catalog/errors.yaml"'
_TARGETS: Final = 'write targets = ["python"], or a table [targets.python]'
_SHAPE: Final = "catalog must be a path, or a list of paths and of tables with a path"
_PAGES: Final = "targets.markdown.pages must be single, per-category or per-error"
_OF_MARKDOWN: Final = "it is an option of the target markdown: write it below [targets.markdown]"
_WITHOUT: Final = "errgen.toml has the settings without [tool.errgen] above: write [targets]"


@pytest.mark.parametrize(
    ("text", "place", "problem", "remedy"),
    [
        ('ouput = "x"', (1, 1), "unknown key 'ouput'", "did you mean 'output'?"),
        ("\n\n  zzz = 1", (3, 3), "unknown key 'zzz'", _ALL),
        ("catalog = 7", (1, 1), f"{_SHAPE}, not 7", _CATALOG),
        ("catalog = []", (1, 1), "catalog is an empty list", _CATALOG),
        ('catalog = [{ file = "x" }]', (1, 1), f"{_SHAPE}, not a table", _CATALOG),
        (
            'catalog = [{ path = "x", outptu = "y" }]',
            (1, 26),
            "unknown key 'catalog.outptu'",
            "did you mean 'output'?",
        ),
        (
            '[[catalog]]\npath = "x"\n[[catalog]]\npath = "y"\noutput = 1',
            (5, 1),
            "output must be a path, not 1",
            _BELOW,
        ),
        (
            '[[catalog]]\npath = "x"\n[catalog.targets.python]\nouput = 1',
            (4, 1),
            "unknown key 'targets.python.ouput'",
            "did you mean 'output'?",
        ),
        ('output = ""', (1, 1), "output must be a path, not ''", _BELOW),
        (
            'output = "/etc"',
            (1, 1),
            "output '/etc' must be relative to the folder of the config",
            _BELOW,
        ),
        (
            'output = "a/../../b"',
            (1, 1),
            "output 'a/../../b' leads out of the folder of the config",
            _BELOW,
        ),
        (
            'output = "C:/x"',
            (1, 1),
            "output 'C:/x' must be relative to the folder of the config",
            _BELOW,
        ),
        (
            'catalog = "../x.yaml"',
            (1, 1),
            "path '../x.yaml' leads out of the folder of the config",
            _BELOW,
        ),
        ("targets = 1", (1, 1), "targets must be a list of names, or a table, not 1", _TARGETS),
        (
            "targets = [1]",
            (1, 1),
            "targets must be a list of names, or a table, not a list with 1",
            _TARGETS,
        ),
        (
            "targets = { python = 1 }",
            (1, 13),
            "targets.python must be a table, true or false, not 1",
            "write [targets.python], or python = false to leave the target out",
        ),
        (
            "[targets]\npython = { output = 1 }",
            (2, 12),
            "targets.python.output must be a path, not 1",
            _BELOW,
        ),
        (
            '[targets.markdown]\npages = "per_error"',
            (2, 1),
            f"{_PAGES}, not 'per_error'",
            "did you mean 'per-error'?",
        ),
        (
            '# pages\ntargets."markdown".pages = "per-page"',
            (2, 20),
            f"{_PAGES}, not 'per-page'",
            "did you mean 'per-category'?",
        ),
        (
            "[targets]\nmarkdown.pages = []",
            (2, 10),
            f"{_PAGES}, not a list",
            'write pages = "per-error"',
        ),
        (
            "[targets.markdown]\nfront_matter = {}",
            (2, 1),
            "targets.markdown.front_matter must be true or false, not a table that is empty",
            "write front_matter = true",
        ),
        (
            "[targets.markdown]\nfront_matter = 2026-01-01",
            (2, 1),
            "targets.markdown.front_matter must be true or false, not 2026-01-01",
            "write front_matter = true",
        ),
        (
            '[targets.python]\naudience = "pubic"',
            (2, 1),
            "targets.python.audience must be internal or public, not 'pubic'",
            "did you mean 'public'?",
        ),
        (
            'pages = "single"',
            (1, 1),
            "unknown key 'pages'",
            "write it below [targets.markdown]",
        ),
        ("exclude = []", (1, 1), "unknown key 'exclude'", "write it below [audit]"),
        (
            'audience = "public"',
            (1, 1),
            "unknown key 'audience'",
            "write it below [targets.<name>]",
        ),
        ("[targets.python]\npages = 3", (2, 1), "unknown key 'targets.python.pages'", _OF_MARKDOWN),
        (
            "[targets.python]\nstyle = 3",
            (2, 1),
            "unknown key 'targets.python.style'",
            "known are output, audience; others are for templates of your own",
        ),
        ("[tool.errgen.targets]\npython = {}", (1, 2), "unknown key 'tool'", _WITHOUT),
        ("[errgen]\noutput = 'x'", (1, 2), "unknown key 'errgen'", _WITHOUT),
        (
            "[audit]\nexclude = true",
            (2, 1),
            "audit.exclude must be a list of texts, not true",
            'write exclude = ["…"]',
        ),
    ],
)
def test_a_wrong_setting_is_named_where_it_stands(
    tmp_path: Path, text: str, place: tuple[int, int], problem: str, remedy: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    (item,) = caught.value.diagnostics
    assert (item.message, item.help) == (problem, remedy)
    assert (item.location.line, item.location.column) == place
    assert Path(item.location.path).resolve() == (tmp_path / "errgen.toml").resolve()


def test_a_setting_in_pyproject_is_named_where_it_stands(tmp_path: Path) -> None:
    text = '[tool.other]\noutput = 1\n[tool.errgen]\ncatalog = "x"\noutput = 1\n'
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text, "pyproject.toml")
    (item,) = caught.value.diagnostics
    assert (item.location.line, item.location.column) == (5, 1)


def test_templates_of_the_project_have_options_of_their_own(tmp_path: Path) -> None:
    text = 'templates = "own"\n[targets.python]\npages = 3\nstyle = 4\n'
    assert config_of(tmp_path, text).catalogs[0].targets["python"].options == {
        "pages": 3,
        "style": 4,
    }


@pytest.mark.parametrize("path", [".", "./", "a/.."])
def test_outputs_may_stand_beside_the_config(tmp_path: Path, path: str) -> None:
    text = f'output = "{path}"\ntemplates = "{path}"\n[targets]\nmarkdown = {{ output = "./" }}'
    config = config_of(tmp_path, text)
    assert config.manifest == ".errgen-manifest.json"
    assert (config.output, config.catalogs[0].output) == (".", ".")
    assert config.catalogs[0].targets["markdown"].output == "./"


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("output = 1\n  x = y\n", (2, 7), "Invalid value"),
        ("output = ", (0, 0), "Invalid value"),
    ],
)
def test_broken_toml_is_named_where_it_breaks(
    tmp_path: Path, text: str, place: tuple[int, int], problem: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    (item,) = caught.value.diagnostics
    assert (item.message, (item.location.line, item.location.column)) == (problem, place)


def test_a_listed_catalog_keeps_its_settings_and_makes_a_part(tmp_path: Path) -> None:
    (tmp_path / "errgen.toml").write_text('catalog = ["a.yaml", { path = "b.yaml", output = "b" }]')
    found = find_config(Path.cwd(), tmp_path / "b.yaml")
    assert [item.output for item in found.catalogs] == ["b"]
    assert found.is_partial


def test_the_only_catalog_makes_the_whole(tmp_path: Path) -> None:
    (tmp_path / "errgen.toml").write_text('catalog = "a.yaml"')
    assert not find_config(Path.cwd(), tmp_path / "a.yaml").is_partial


def test_a_catalog_outside_the_config_uses_its_general_settings(tmp_path: Path) -> None:
    (tmp_path / "errgen.toml").write_text('output = "out"')
    found = find_config(Path.cwd(), tmp_path / "other.yaml")
    assert found.catalogs == (catalog("other.yaml", "out"),)
    assert found.is_partial


@pytest.mark.parametrize(
    ("path", "root"), [("errors.yaml", "."), ("catalog/payments.yaml", "."), ("x/y.yaml", "x")]
)
def test_a_catalog_without_config_has_its_root_beside_it(
    tmp_path: Path, path: str, root: str
) -> None:
    found = find_config(Path.cwd(), tmp_path / path)
    assert found.root == (tmp_path / root).resolve()
    assert found.root / found.catalogs[0].path == tmp_path.resolve() / path
