"""errgen: one YAML error catalog becomes Python enums, JSON Schema, TypeScript types and Markdown docs."""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("errgen")
