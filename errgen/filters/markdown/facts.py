"""What a page says of an error: errors and policies flow in, cells and labelled lines of Markdown flow out."""

from collections.abc import Iterator, Sequence

from errgen import guidance
from errgen.filters.markdown.page import Page
from errgen.filters.markdown.spans import md, mdaddress, mdcode, mdsentence
from errgen.message import fill
from errgen.model import ErrorSpec, Link, Operation


def mdrows(errors: Sequence[ErrorSpec], page: Page) -> Iterator[tuple[str, ...]]:
    """Yield for each error its code, link, state, message, retry rule, recovery action and HTTP status, as cells."""
    for error in errors:
        states = ("deprecated", error.deprecated), ("internal", error.is_internal)
        yield (
            mdcode(error.code, cell=True),
            page.link("error", error.name),
            "".join(f" ({word})" for word, holds in states if holds),
            md(fill(error.message, {})),
            _retry(error, page),
            f"`{error.recovery_action}`" if error.recovery_action else "",
            str(error.http_status or ""),
        )


def mdfacts(
    error: ErrorSpec, page: Page, operations: Sequence[Operation]
) -> Iterator[tuple[str, str]]:
    """Yield what else is to be known of an error, each fact with its label."""
    if error.recovery_action:
        advice = guidance.RECOVERY[error.recovery_action].rstrip(".")
        hint = f": {mdsentence(error.recovery_hint)}" if error.recovery_hint else "."
        yield "What to do", f"{advice} (`{error.recovery_action}`){hint}"
    yield "Retry", _retry(error, page) + _retry_rule(error, operations)
    if error.outcome:
        yield "Outcome", guidance.OUTCOME[error.outcome]
    if error.conceal_as:
        told = page.link("error", error.conceal_as.name)
        yield "Visibility", f"internal; it never leaves the process as itself. Callers see {told} instead."
    statuses = (
        ("HTTP", error.http_status),
        ("gRPC", error.grpc_status),
        ("JSON-RPC", error.jsonrpc_code),
    )
    if known := [f"{name} `{status}`" for name, status in statuses if status is not None]:
        yield "Status", " · ".join(known)
    if error.range_waiver:
        yield "Outside its range", mdsentence(error.range_waiver)
    for label, names in (("Also called", error.aliases), ("Tags", error.tags)):
        if names:
            yield label, ", ".join(f"`{name}`" for name in names)
    if error.see_also:
        yield "See also", ", ".join(_see(link, page) for link in error.see_also)
    if error.docs_url:
        yield "Link", mdaddress(error.docs_url)


def _retry(error: ErrorSpec, page: Page) -> str:
    policy = "" if error.retryable is False else f", {page.link('retry', error.policy.name)}"
    return guidance.retry_word(error) + policy


def _retry_rule(error: ErrorSpec, operations: Sequence[Operation]) -> str:
    if error.retryable is False:
        return "."
    told = guidance.advice(operations, error.policy, error.safe_to_retry, error.outcome)
    return f": {guidance.schedule(error.policy)}. {told}."


def _see(link: Link, page: Page) -> str:
    return page.link("error", link.error.name) if link.error else mdaddress(str(link.url))
