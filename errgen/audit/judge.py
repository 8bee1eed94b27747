"""Hold source against catalogs: names and codes flow in, findings and the errors in use flow out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from errgen.audit.files import matches
from errgen.audit.generated import Owner
from errgen.audit.index import Index
from errgen.audit.modules import Found
from errgen.audit.roles import is_code, is_name, is_only_code
from errgen.audit.sightings import Literal, Place
from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.model import ErrorRef, ErrorSpec, Reservation
from errgen.words import closest, shorten


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges files: `shown` is a path for people, `path` the one that layer rules see; `used` gathers errors of all."""

    layers: Mapping[str, Sequence[str]]
    catalogs: Sequence[Index]
    used: set[tuple[str, str]] = field(default_factory=set)
    shown: str = ""
    path: str = ""

    def of(self, shown: str, path: str) -> "Judge":
        """Return the judge of one file."""
        return replace(self, shown=shown, path=path)

    def member(self, place: Place, found: Found) -> Iterator[Diagnostic]:
        """Judge a name that follows that of a generated enum or class."""
        owner = found.names.owners.get(found.name)
        if owner is None or not found.rest:
            return
        name = found.rest[0]
        shown = f"{owner.name}.{name}"
        if error := owner.errors.get(name):
            yield from self._use(place, found.names.index, error, shown)
        elif reservation := owner.retired.get(name):
            yield self._retired(place, reservation, shown)
        elif name not in owner.others and not name.startswith("_"):
            yield self._lacking(place, owner, name)

    def literal(self, literal: Literal, user: Found | None) -> Iterator[Diagnostic]:
        """Judge a number or text; `user` is what it is given to, if that is generated."""
        if user and literal.is_key and user.name in user.names.owners:
            return  # `ErrorCode["NOT_FOUND"]` is a name and judged as one
        for index in (user.names.index,) if user else self.catalogs:
            findings = list(self._literal(literal, index, is_given=user is not None))
            if findings:
                yield from findings
                return

    def _literal(self, literal: Literal, index: Index, *, is_given: bool) -> Iterator[Diagnostic]:
        value, role = literal.value, literal.role
        error = index.error(value)
        is_expected = is_given or is_code(literal, index)
        if role in index.by_name and (error or index.space(value)):
            # A constant of an error's name: the error that is meant, whatever its code here.
            error, is_expected = index.by_name[role], True
        elif isinstance(value, str) and (is_expected or is_name(literal, index)):
            error, is_expected = error or index.by_name.get(value), True
        if not is_expected:
            return
        if error:
            yield from self._by_hand(literal, index, error)
            return
        is_sure = is_given or is_only_code(literal, index)
        reservation = index.reservation(value)
        if reservation and (is_sure or reservation.code is not None):
            yield self._retired(literal.place, reservation, shorten(str(value)))
        elif is_sure and (space := index.space(value)):
            shown = shorten(str(value))
            yield self._finding(Code.NO_SUCH_CODE, literal.place, code=shown, space=space)

    def _by_hand(self, literal: Literal, index: Index, error: ErrorSpec) -> Iterator[Diagnostic]:
        shown = shorten(str(literal.value))
        self.used.add((index.catalog.name, error.name))
        if misplaced := self._misplaced(literal.place, error, shown):
            yield misplaced
            return
        member = f"{error.layer.enum}.{error.name}"
        is_name = literal.value in (error.name, *error.aliases) and literal.value != error.code
        remedy = f"compare the code with {member}" if is_name else f"write {member}"
        if error.deprecated:
            remedy += ", which is deprecated"
            if newer := error.deprecated.replaced_by:
                remedy += f"; better {newer.enum}.{newer.name}, which replaces it"
        if error.code != literal.value and literal.role == error.name:
            remedy += f", which is {error.code}"
        yield self._finding(Code.CODE_BY_HAND, literal.place, code=shown, help=remedy)

    def _use(
        self, place: Place, index: Index, error: ErrorSpec, shown: str
    ) -> Iterator[Diagnostic]:
        self.used.add((index.catalog.name, error.name))
        if misplaced := self._misplaced(place, error, shown):
            yield misplaced
        elif error.deprecated:
            yield self._finding(
                Code.DEPRECATED_IN_USE,
                place,
                name=shown,
                since=error.deprecated.since,
                reason=error.deprecated.reason,
                help=_instead(error.deprecated.replaced_by),
            )

    def _misplaced(self, place: Place, error: ErrorSpec, shown: str) -> Diagnostic | None:
        allowed = self.layers.get(error.layer.name)
        if allowed is None or matches(self.path, allowed):
            return None
        return self._finding(
            Code.LAYER_MISPLACED,
            place,
            name=shown,
            layer=error.layer.name,
            allowed=", ".join(allowed) or "generated code",
        )

    def _retired(self, place: Place, reservation: Reservation, shown: str) -> Diagnostic:
        return self._finding(
            Code.RETIRED_IN_USE,
            place,
            name=shown,
            reason=reservation.reason,
            help=_instead(reservation.replaced_by),
        )

    def _lacking(self, place: Place, owner: Owner, name: str) -> Diagnostic:
        remedy = closest(name, owner.members)
        return self._finding(
            Code.NO_SUCH_MEMBER, place, owner=owner.name, member=shorten(name), help=remedy
        )

    def _finding(self, code: Code, place: Place, /, **params: Any) -> Diagnostic:
        return finding(code, place.within(self.shown), **params)


def _instead(other: ErrorRef | None) -> str:
    return f"use {other.enum}.{other.name} instead" if other else ""
