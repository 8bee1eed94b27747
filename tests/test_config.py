"""Finding and reading the configuration."""

from pathlib import Path

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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('ouput = "x"', "unknown key 'ouput'; did you mean 'output'?"),
        ("zzz = 1", "unknown key 'zzz'; known are catalog, output, templates, targets, audit"),
        ("catalog = 7", "catalog must be a path, or a list of paths and of tables with a path"),
        ("catalog = []", "catalog is an empty list"),
        (
            'catalog = [{ file = "x" }]',
            "catalog must be a path, or a list of paths and of tables with a path",
        ),
        (
            'catalog = [{ path = "x", outptu = "y" }]',
            "unknown key 'catalog.outptu'; did you mean 'output'?",
        ),
        ('output = ""', "output must be a path"),
        ('output = "/etc"', "output '/etc' must be relative to the folder of the config"),
        ('output = "a/../../b"', "output 'a/../../b' leads out of the folder of the config"),
        ('output = "C:/x"', "output 'C:/x' must be relative to the folder of the config"),
        ('catalog = "../x.yaml"', "path '../x.yaml' leads out of the folder of the config"),
        ("targets = 1", "targets must be a list of names, or a table"),
        ("targets = [1]", "targets must be a list of names, or a table"),
        ("targets = { python = 1 }", "targets.python must be a table, true or false"),
        ("targets = { python = { output = 1 } }", "targets.python.output must be a path"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    assert [item.message for item in caught.value.diagnostics] == [problem]
    assert caught.value.diagnostics[0].location.path == "errgen.toml"


@pytest.mark.parametrize("path", [".", "./", "a/.."])
def test_outputs_may_stand_beside_the_config(tmp_path: Path, path: str) -> None:
    text = f'output = "{path}"\ntemplates = "{path}"\n[targets]\nmarkdown = {{ output = "./" }}'
    config = config_of(tmp_path, text)
    assert config.manifest == ".errgen-manifest.json"
    assert (config.output, config.catalogs[0].output) == (".", ".")
    assert config.catalogs[0].targets["markdown"].output == "./"


def test_broken_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"errgen\.toml"):
        config_of(tmp_path, "output = ")


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
