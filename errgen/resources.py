"""The only module that knows where the package's own files live: names flow in, their paths or text flow out."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent


def catalog_schema() -> str:
    """Return the JSON Schema of the catalog format, as text."""
    return (PACKAGE / "schema" / "catalog.schema.json").read_text("utf-8")


def templates_dir() -> Path:
    """Return the folder of the bundled templates. Raises FileNotFoundError if the installation lacks it."""
    return _bundled("templates")


def starter_catalog() -> str:
    """Return the reference catalog, as text. Raises FileNotFoundError if the installation lacks it."""
    return (_bundled("catalog") / "errors.yaml").read_text("utf-8")


def _bundled(name: str) -> Path:
    """Return a folder that is inside the package in a wheel and beside it in a checkout."""
    if (packaged := PACKAGE / name).is_dir():
        return packaged
    checkout = PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    message = f"errgen was installed without its {name}; reinstall it"
    raise FileNotFoundError(message)
