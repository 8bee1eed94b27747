"""The files that `errgen init` offers: a folder flows in, their paths and texts flow out."""

from pathlib import Path
from typing import Final

from errgen.artifact import Artifact
from errgen.config import DEFAULT_CATALOG, is_configured
from errgen.resources import catalog_schema, starter_catalog

_SCHEMA: Final = "errgen.schema.json"
# By it editors know what the file is, and propose keys.
_MODELINE: Final = f"# yaml-language-server: $schema={_SCHEMA}\n"

_CONFIG: Final = """\
# Settings of errgen. Paths are relative to this file; what is commented out shows the default.

# One catalog, or a list of several.
catalog = "catalog/errors.yaml"

# output = "generated"

# Every target is built. Give one a path of its own, or turn it off:
# [targets.python]
# output = "src/app/errors.py"
#
# [targets]
# typescript = false
#
# What strangers read names no internal errors and has no log messages:
# [targets.markdown]
# audience = "public"
"""

_WORKFLOW: Final = """\
# Fails when the catalog is invalid, or when what is generated from it is not up to date.
name: errgen
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: pip install -r requirements.txt # which lists errgen
      - run: errgen check --format github
"""


def starter_files(folder: Path) -> tuple[Artifact, ...]:
    """Return a catalog to begin with and its schema, a config unless pyproject.toml is one, and a CI workflow."""
    config = () if is_configured(folder) else (Artifact("errgen.toml", _CONFIG),)
    return (
        Artifact(str(DEFAULT_CATALOG), f"{_MODELINE}{starter_catalog()}"),
        Artifact(str(DEFAULT_CATALOG.with_name(_SCHEMA)), catalog_schema()),
        *config,
        Artifact(".github/workflows/errgen.yml", _WORKFLOW),
    )
