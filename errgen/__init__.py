"""errgen: one YAML error catalog becomes Python enums, JSON Schema, TypeScript types and Markdown docs."""

__all__ = ["__version__"]

# Written here and read by the build: asking the installed metadata costs a third of the time of `errgen --help`.
__version__ = "0.1.0"
