"""Render a catalog: a Catalog, its settings and template folders flow in, Artifacts flow out; nothing is written.

The templates' context, version 1: `catalog` (errgen.model.Catalog), `header` (who made the file, one line), `source`
(the catalog's path), `stem` (its file name without ending), `target` (the name), `options` (the target's settings),
`path` (of the file that is made), `outputs` (what is made of each template of the build, by its name: a path), and in a
template that is rendered for each error or category, `error`, or `category` and its `errors`. What has no text makes
no file.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from io import BytesIO
from itertools import tee
from pathlib import Path, PurePosixPath
from typing import Any, Final

from errgen.artifact import MARKER, Artifact
from errgen.audience import leaks, public
from errgen.codes import DiagnosticCode as Code
from errgen.config import CatalogConfig
from errgen.diagnostics import Location, TemplateError, finding
from errgen.faults import failed, failure
from errgen.filters import FILTERS, TESTS
from errgen.model import Catalog
from errgen.pagenames import page_names
from errgen.processes import shared
from errgen.sandbox import Sandbox
from errgen.targets import Job, jobs

CONTEXT_VERSION: Final = 1
# Fewer errors are rendered sooner than a process is copied.
_WORTH_SHARING: Final = 1000


def render(
    catalog: Catalog,
    config: CatalogConfig,
    templates: Sequence[Path],
    step: Callable[[], None] | None = None,
) -> tuple[Artifact, ...]:
    """Render every target of a catalog; the first folder of `templates` that has a template wins.

    `step` is called whenever a template is done.

    Raises TemplateError for a template that fails, for one whose Python, JSON or XML does not parse, and for a public
    target that names an internal error.
    """
    environment = _environment(tuple(templates))
    shown = public(catalog)
    wanted = tuple(jobs(config, templates))
    outputs = {job.template: job.path for job in wanted}
    work = []
    for job in wanted:
        seen = shown if job.settings.is_public else catalog
        work.append(partial(_render, environment, job, seen, config, outputs))
    is_large = len(catalog.errors) >= _WORTH_SHARING
    made: list[Artifact] = []
    results = shared(work) if is_large else (one() for one in work)
    for job, artifacts in zip(wanted, results, strict=True):
        if job.settings.is_public:
            _check_leaks(catalog, config, artifacts)
        made += artifacts
        if step is not None:
            step()
    return tuple(made)


def _check_leaks(catalog: Catalog, config: CatalogConfig, artifacts: Sequence[Artifact]) -> None:
    # Most files name nothing internal, which is seen in all of them at once.
    if leaks(catalog, "\n".join(artifact.text for artifact in artifacts)):
        for artifact in artifacts:
            for name in leaks(catalog, artifact.text):
                place = Location(config.path)
                raise TemplateError(
                    [finding(Code.INTERNAL_LEAK, place, path=artifact.path, name=name)]
                )


def header(catalog: Catalog, source: str) -> str:
    """Return the line that says what made a file and from what; never a time or a place on a machine."""
    return f"{MARKER} from {source} ({catalog.name} {catalog.version}) with 'errgen build'; do not edit"


@cache
def _environment(templates: tuple[Path, ...]) -> Sandbox:
    environment = Sandbox(templates)
    environment.filters.update(FILTERS)
    environment.tests.update(TESTS)
    return environment


def _render(
    environment: Sandbox,
    job: Job,
    catalog: Catalog,
    config: CatalogConfig,
    outputs: Mapping[str, str],
) -> tuple[Artifact, ...]:
    common = {
        "catalog": catalog,
        "header": header(catalog, config.path),
        "source": config.path,
        "stem": PurePosixPath(config.path).stem,
        "target": job.target,
        "options": job.settings.options,
        "outputs": outputs,
    }
    files, again = tee(_files(job, catalog))
    contexts = ({**common, **own} for own in again)
    try:
        with closing(environment.texts_of(job.template, contexts)) as texts:
            return tuple(
                Artifact(own["path"], environment.restored(_tidy(job, text)))
                for own, text in zip(files, texts, strict=True)
                if text.strip()
            )
    except TemplateError:
        raise
    except Exception as error:
        # A template can raise whatever an expression can.
        raise failed(
            job.template, error, environment, (*common, *filter(None, [job.each]))
        ) from error


def _files(job: Job, catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Yield for each file that a template may make its path and what it is for."""
    if not job.each:
        yield {"path": job.path}
        return
    names = page_names(catalog)
    items: Iterable[dict[str, Any]] = ({"error": error} for error in catalog.errors)
    if job.each == "category":
        groups = catalog.errors_by_category
        items = ({"category": found, "errors": errors} for found, errors in groups if errors)
    for item in items:
        name = names[job.each, item[job.each].name]
        yield {"path": job.path.replace(f"[{job.each}]", name), **item}


def _tidy(job: Job, text: str) -> str:
    """Bring what a template made into the form of its file type."""
    text = text.replace("\r\n", "\n")
    # Large texts are copied only where they have to be.
    if not text.endswith("\n") or text.endswith("\n\n"):
        text = text.rstrip("\n") + "\n"
    if job.path.endswith((".py", ".pyi")):
        return _black(job, text)
    if job.path.endswith(".json"):
        try:
            return json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"
        except ValueError as error:
            raise failure(job.template, f"what it makes is not JSON: {error}") from error
    if job.path.endswith((".svg", ".xml")):
        _check_xml(job, text)
    return text


def _check_xml(job: Job, text: str) -> None:
    from xml.parsers import expat

    try:
        expat.ParserCreate("utf-8").ParseFile(BytesIO(text.encode()))
    except (expat.ExpatError, ValueError) as error:
        raise failure(job.template, f"what it makes is not XML: {error}") from error


def _black(job: Job, text: str) -> str:
    # The dearest import, for the one target that needs it.
    from black import Mode, format_str
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    mode = Mode(target_versions={TargetVersion.PY311}, is_pyi=job.path.endswith(".pyi"))
    try:
        return format_str(text, mode=mode)
    except (InvalidInput, ValueError) as error:
        raise failure(job.template, f"what it makes is not Python: {error}") from error
