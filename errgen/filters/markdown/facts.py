"""What a page says of errors: errors and policies flow in, tables and labelled lines of Markdown flow out."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from errgen import guidance
from errgen.filters.markdown.commonmark import mdblock, mdline
from errgen.filters.markdown.page import Page
from errgen.filters.markdown.snippets import Modules, example_of, snippets_of
from errgen.filters.markdown.spans import md, mdaddress, mdcode, mdsentence, table_of
from errgen.message import fill
from errgen.model import Catalog, ErrorSpec, Link, Operation, Param


class Section(NamedTuple):
    """The parts of an error's section, as Markdown; a part that an error lacks is empty."""

    anchor: str
    heading: str
    head: str
    warning: str
    description: str
    message: str
    facts: tuple[tuple[str, str], ...]
    params: str
    private: str
    blocks: str
    error: ErrorSpec


def mderrors(errors: Sequence[ErrorSpec], page: Page) -> str:
    """Return the table of some errors; where a page is only their index, their ids are found in it."""
    is_named = _is_named(errors)
    # A column that says the same of all says nothing.
    is_graded = len({error.severity for error in errors}) > 1
    is_index = bool(page.files) and not page.own
    head = [
        "Code",
        "Name" if is_named else "Code",
        "Message",
        "Retry",
        "Recovery",
        "HTTP",
        "Severity",
    ]
    rows = [head if is_named else ["", *head[1:]]]
    for error in errors:
        anchor = page.anchor("error", error.name) if is_index else ""
        states = ("deprecated", error.deprecated), ("internal", error.is_internal)
        link = page.link("error", error.name)
        state = "".join(f" ({word})" for word, holds in states if holds)
        rows.append(
            [
                anchor + mdcode(error.code, cell=True) if is_named else "",
                f"{'' if is_named else anchor}{link}{state}",
                told(error.message),
                _retry(error, page),
                f"`{error.recovery_action}`" if error.recovery_action else "",
                str(error.http_status or ""),
                error.severity if is_graded else "",
            ]
        )
    return table_of(rows)


def mdsections(
    errors: Sequence[ErrorSpec], page: Page, catalog: Catalog, modules: Modules
) -> Iterator[Section]:
    """Yield the section of each error; what several errors have in common is written once."""
    is_named = _is_named(catalog.errors)
    rule = _rules(catalog.operations)
    code = snippets_of(catalog, modules)
    for error in errors:
        since = f" · since {error.since}" if error.since else ""
        severity = f"everity {error.severity}{since}"
        example = example_of(catalog, error)
        private = error.private_params if page.shows_logs else ()
        yield Section(
            anchor=page.anchor("error", error.name),
            heading=page.heading("error", error.name),
            head=f"Code {mdcode(error.code)} · s{severity}" if is_named else f"S{severity}",
            warning=_warning(error, page) if error.deprecated else "",
            description=mdblock(error.description, page.anchors) if error.description else "",
            message=mdcode(fill(error.message, {})),
            facts=tuple(_facts(error, page, rule)),
            params=_params(error.params, page, "Param"),
            private=_params(private, page, "Param for logs alone"),
            blocks="\n\n".join((example, *code(error))) if example else "",
            error=error,
        )


@lru_cache(maxsize=20_000)
def told(message: str) -> str:
    """Return what a message says; each stands in several tables."""
    return md(fill(message, {}))


def _is_named(errors: Sequence[ErrorSpec]) -> bool:
    return any(error.code != error.name for error in errors)


def _warning(error: ErrorSpec, page: Page) -> str:
    deprecated = error.deprecated
    assert deprecated
    text = f"Deprecated since {deprecated.since}: {mdsentence(deprecated.reason)}"
    if deprecated.replaced_by:
        text += f" Use {page.link('error', deprecated.replaced_by.name)} instead."
    return text


def _params(params: Sequence[Param], page: Page, head: str) -> str:
    rows = [[head, "Type", "Description"]]
    for param in params:
        told = mdline(param.description, page.anchors) if param.description else ""
        rows.append([f"`{param.name}`", param.type, told])
    return table_of(rows) if params else ""


def _facts(
    error: ErrorSpec, page: Page, rule: Callable[[ErrorSpec], str]
) -> Iterator[tuple[str, str]]:
    """Yield what else is to be known of an error, each fact with its label."""
    if error.log_message and page.shows_logs:
        yield "Log", mdcode(fill(error.log_message, {}))
    if error.recovery_action:
        yield "What to do", _remedy(error.recovery_action, error.recovery_hint)
    yield "Retry", _retry(error, page) + rule(error)
    if error.outcome:
        yield "Outcome", guidance.OUTCOME[error.outcome]
    if error.conceal_as:
        told = page.link("error", error.conceal_as.name)
        yield "Visibility", f"internal; it never leaves the process as itself. Callers see {told} instead."
    if known := _statuses(error):
        yield "Status", known
    if error.range_waiver:
        yield "Outside its range", mdsentence(error.range_waiver)
    yield from _links(error, page)


def _links(error: ErrorSpec, page: Page) -> Iterator[tuple[str, str]]:
    """Yield by what else an error is found, and what to read after it."""
    for label, names in (("Also called", error.aliases), ("Tags", error.tags)):
        if names:
            yield label, ", ".join(f"`{name}`" for name in names)
    if error.see_also:
        yield "See also", ", ".join(_see(link, page) for link in error.see_also)
    if error.docs_url:
        yield "Link", mdaddress(error.docs_url)


def _remedy(action: str, hint: str | None) -> str:
    advice = guidance.RECOVERY[action].rstrip(".")
    return f"{advice} (`{action}`)" + (f": {mdsentence(hint)}" if hint else ".")


def _statuses(error: ErrorSpec) -> str:
    statuses = (
        ("HTTP", error.http_status),
        ("gRPC", error.grpc_status),
        ("JSON-RPC", error.jsonrpc_code),
    )
    return " · ".join(f"{name} `{status}`" for name, status in statuses if status is not None)


def _retry(error: ErrorSpec, page: Page) -> str:
    policy = "" if error.retryable is False else f", {page.link('retry', error.policy.name)}"
    return guidance.retry_word(error) + policy


def _rules(operations: Sequence[Operation]) -> Callable[[ErrorSpec], str]:
    """Return what says how to retry an error; errors of one policy, safety and outcome share the words."""
    known: dict[tuple[str, str, str | None], str] = {}

    def rule(error: ErrorSpec) -> str:
        if error.retryable is False:
            return "."
        key = error.policy.name, error.safe_to_retry, error.outcome
        if key not in known:
            facts = error.policy, error.safe_to_retry, error.outcome
            delays = guidance.schedule(guidance.capped(operations, *facts))
            known[key] = f": {delays}. {guidance.advice(operations, *facts)}."
        return known[key]

    return rule


def _see(link: Link, page: Page) -> str:
    return page.link("error", link.error.name) if link.error else mdaddress(str(link.url))
