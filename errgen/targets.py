"""What to render and where to: template folders and settings flow in, a job for each template flows out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.config import CatalogConfig, TargetConfig
from errgen.diagnostics import Location, TemplateError, finding, shown_path
from errgen.words import closest

_SUFFIX: Final = ".j2"
_FOLDER: Final = "errors"
# What a template can be rendered once for, if its path has the word in brackets.
EACH: Final = ("error", "category")
_BRACKETS: Final = re.compile(r"\[([^]]+)\]")
_NO_CONFIG: Final = TargetConfig(None, {})


@dataclass(frozen=True, slots=True)
class Job:
    """A template to render: its name below the templates folder, its target and the path of what it makes.

    `is_main` tells whether an output path in the config means this template of the target. `each` is what a file is
    made for, of which the path has the kind in brackets.
    """

    template: str
    target: str
    path: str
    settings: TargetConfig
    is_main: bool

    @property
    def each(self) -> str:
        """Return what the template is rendered once for: each error, each category, or nothing."""
        return next((kind for kind in EACH if f"[{kind}]" in self.template), "")


def targets_in(templates: Sequence[Path]) -> dict[str, list[str]]:
    """Return each target with the names of its templates, includes left out."""
    found: dict[str, set[str]] = {}
    for folder in templates:
        for path in folder.glob(f"*/**/*{_SUFFIX}"):
            relative = path.relative_to(folder)
            if not any(part.startswith(("_", ".")) for part in relative.parts):
                found.setdefault(relative.parts[0], set()).add(relative.as_posix())
    return {target: sorted(names) for target, names in sorted(found.items())}


def jobs(config: CatalogConfig, templates: Sequence[Path]) -> Iterator[Job]:
    """Yield what is to be rendered for a catalog."""
    available = targets_in(templates)
    _check_names((name for names in available.values() for name in names), templates)
    wanted = config.only if config.only is not None else tuple(available)
    for target in wanted:
        if target in config.without:
            continue
        # The file named errors.<ext> with the shortest name is what an output path in the config means.
        main = min(available[target], key=lambda name: (not _is_main(name), len(name), name))
        settings = config.targets.get(target, _NO_CONFIG)
        for name in available[target]:
            path = _path(name, main, target, settings, config)
            yield Job(name, target, path, settings, name == main)


def _check_names(names: Iterable[str], templates: Sequence[Path]) -> None:
    """Raise TemplateError for a word in brackets that misspells what a template can be rendered once for."""
    for name in names:
        for word in _BRACKETS.findall(name):
            remedy = closest(word, EACH)
            if word not in EACH and remedy:
                file = next(folder / name for folder in templates if (folder / name).exists())
                place, problem = Location(shown_path(file)), f"its name has [{word}]"
                raise TemplateError(
                    [
                        finding(
                            Code.TEMPLATE_FAILED, place, template=name, problem=problem, help=remedy
                        )
                    ]
                )


def _is_main(name: str) -> bool:
    return PurePosixPath(name).name.startswith("errors.")


def _path(name: str, main: str, target: str, settings: TargetConfig, config: CatalogConfig) -> str:
    relative = PurePosixPath(*PurePosixPath(name.removesuffix(_SUFFIX)).parts[1:])
    folder, stem = PurePosixPath(config.output, target), PurePosixPath(config.path).stem
    if settings.output is not None:
        if name == main and not settings.output.endswith("/"):
            return settings.output
        is_folder = settings.output.endswith("/")
        folder = (
            PurePosixPath(settings.output) if is_folder else PurePosixPath(settings.output).parent
        )
        stem = stem if is_folder else PurePosixPath(settings.output).name.split(".", 1)[0]
    if relative.suffix in (".py", ".pyi"):
        # What is not an identifier could not be imported.
        stem = re.sub(r"\W", "_", stem)
    if _is_main(name):
        relative = relative.with_name(stem + relative.name.removeprefix("errors"))
    if relative.parts[0] == _FOLDER:
        # Files of several catalogs stand beside each other.
        relative = PurePosixPath(stem, *relative.parts[1:])
    return (folder / relative).as_posix()
