"""The index for programs that read: errors and reservations flow in, a line of Markdown for each flows out."""

from collections.abc import Iterator, Sequence

from errgen import guidance
from errgen.filters.markdown.facts import told
from errgen.filters.markdown.page import Page
from errgen.filters.markdown.spans import md, mdsentence, unlinked
from errgen.model import Catalog, ErrorSpec, Reservation


def mdlines(errors: Sequence[ErrorSpec], page: Page, catalog: Catalog) -> str:
    """Return a list with a line for each error."""
    return "\n".join(_line(error, page, catalog) for error in errors)


def mdgone(reserved: Sequence[Reservation], page: Page) -> str:
    """Return a list with a line for each code or name that is reserved."""
    return "\n".join(_gone(item, page) for item in reserved)


def _line(error: ErrorSpec, page: Page, catalog: Catalog) -> str:
    name = error.name if error.code == error.name else f"{md(str(error.code))} {error.name}"
    address = page.address("error", error.name)
    hint = f". {mdsentence(error.recovery_hint)}" if error.recovery_hint else ""
    facts = "; ".join(_facts(error, page, catalog))
    return f"- [{unlinked(name)}]({address}): {told(error.message)} ({facts}){hint}"


def _facts(error: ErrorSpec, page: Page, catalog: Catalog) -> Iterator[str]:
    if error.deprecated:
        other = error.deprecated.replaced_by
        yield "deprecated" + (f", use {page.link('error', other.name)}" if other else "")
    if error.conceal_as:
        yield f"internal, callers see {page.link('error', error.conceal_as.name)}"
    if error.aliases:
        yield f"also called {', '.join(error.aliases)}"
    yield f"retry: {guidance.retry_word(error)}" + (
        f" ({error.policy.name})" if error.retryable is not False else ""
    )
    if error.retryable is not False:
        said = guidance.advice(catalog.operations, error.policy, error.safe_to_retry, error.outcome)
        yield said[0].lower() + said[1:]
    if error.outcome:
        yield f"outcome: {error.outcome}"
    if error.recovery_action:
        yield f"recovery: {error.recovery_action}"


def _gone(item: Reservation, page: Page) -> str:
    code = str(item.code) if item.code is not None else ""
    if item.first is not None:
        code = f"{item.first} to {item.last}"
    elif item.prefix:
        code = f"{item.prefix} and what follows it"
    name = " ".join(filter(None, (md(code), item.name)))
    other = f" Use {page.link('error', item.replaced_by.name)}." if item.replaced_by else ""
    return f"- {name}: {mdsentence(item.reason)}{other}"
