"""Which literals are error codes: the name that a literal goes by flows in, whether it means a code flows out."""

from typing import Final

from errgen.audit.index import Index
from errgen.audit.sightings import Literal
from errgen.naming import words

# JSON-RPC 2.0, section 5.1: nothing else uses these numbers.
_BAND: Final = range(-32768, -31999)
_CODES: Final = frozenset(("code", "codes"))
_ERRORS: Final = frozenset(("error", "errors", "err"))
_TOLD: Final = frozenset(("message", "messages"))
# Codes of other kinds.
_OTHERS: Final = frozenset("""
    area bar byte char color colour country coupon currency dial discount exit http key lang language locale machine op
    phone pin post postal promo qr return source status tax verification voucher zip
    """.split())


def is_code(literal: Literal, index: Index) -> bool:
    """Tell whether a literal stands where an error code is expected."""
    if literal.value in _BAND:
        return True
    role = _words(literal.role)
    if role & _OTHERS or _is_logged(literal):
        return False
    wanted = _CODES | _ERRORS
    if literal.is_key:
        return bool(role & (wanted | _TOLD))
    return _last(literal.role) in wanted or literal.role in index.code_fields


def is_only_code(literal: Literal, index: Index) -> bool:
    """Tell whether what stands there can be nothing but a code, so that one that the catalog lacks is a mistake."""
    is_called = _last(literal.role) in _CODES or literal.role in index.code_fields
    return is_called and not _words(literal.role) & _OTHERS


def is_name(literal: Literal, index: Index) -> bool:
    """Tell whether a literal stands where the name of an error is expected."""
    return literal.role == "name" or literal.role in index.name_fields


def _is_logged(literal: Literal) -> bool:
    """Tell whether a literal is what a logger is given: `console.error("TIMEOUT")`."""
    return len(literal.user) > 1 and not literal.is_key and literal.role in _ERRORS


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in words(name))


def _last(name: str) -> str:
    return words(name)[-1].lower() if words(name) else ""
