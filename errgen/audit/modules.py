"""Follow imports to generated modules: a file and a dotted name flow in, the module and the name in it flow out."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from errgen.audit.generated import Names
from errgen.audit.languages import Language
from errgen.audit.sightings import Place, Ref, Scan


class Home(NamedTuple):
    """A generated module: where it is written, and what it defines."""

    path: Path
    names: Names


class Found(NamedTuple):
    """A name of a generated module, and the names that follow it in the source."""

    names: Names
    name: str
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a project in one language, read when needed; `aliases` are imports that mean generated ones."""

    language: Language
    root: Path
    homes: Sequence[Home]
    aliases: frozenset[str]
    scans: dict[Path, Scan]

    def find(self, file: Path, names: tuple[str, ...]) -> Found | None:
        """Return what a dotted name in a file means in a generated module, or None."""
        return self._inside(file, names, frozenset())

    def read(self, path: Path, content: bytes) -> Scan:
        """Return what the bytes of a file say, and keep it."""
        try:
            scan = self.language.scan(path, content)
        except RecursionError:
            scan = Scan(problem=(Place(1, 1), "it is nested too deeply"))
        self.scans[path] = scan
        return scan

    def _inside(
        self, file: Path, names: tuple[str, ...], seen: frozenset[tuple[Path, str]]
    ) -> Found | None:
        if not names or (file, names[0]) in seen:
            return None
        seen |= {(file, names[0])}
        scan = self._scan(file)
        ref = scan.bindings.get(names[0])
        if ref is not None:
            target = Ref(ref.module, (*ref.names, *names[1:]))
            if not ref.module:
                return self._inside(file, target.names, seen)
            return self._follow(file, target, seen)
        followed = (self._follow(file, Ref(star, names), seen) for star in scan.stars)
        return next(filter(None, followed), None)

    def _follow(self, file: Path, ref: Ref, seen: frozenset[tuple[Path, str]]) -> Found | None:
        if not ref.names:
            return None
        name, *rest = ref.names
        place = self._locate(file, ref.module)
        for home in self._meant(ref.module, place):
            if name in home.names.owners or name in home.names.lookups:
                return Found(home.names, name, tuple(rest))
        if place and (found := self._inside(place, ref.names, seen)):
            return found
        inner = self.language.within(ref.module, name)
        return self._follow(file, Ref(inner, tuple(rest)), seen) if inner else None

    def _locate(self, file: Path, module: str) -> Path | None:
        for path in self.language.candidates(file, module, self.root):
            if path.exists():
                # A package without a file of its own has nothing but its modules.
                return path
        return None

    def _meant(self, module: str, place: Path | None) -> Sequence[Home]:
        if module in self.aliases:
            return self.homes
        if place is not None:
            return [home for home in self.homes if home.path == place]
        return [
            home
            for home in self.homes
            if self.language.is_tail(module, _parts(self.root, home.path))
        ]

    def _scan(self, path: Path) -> Scan:
        if path not in self.scans:
            self.scans[path] = Scan()
            if path.is_file() and path not in [home.path for home in self.homes]:
                with suppress(OSError):
                    self.read(path, path.read_bytes())
        return self.scans[path]


def _parts(root: Path, path: Path) -> tuple[str, ...]:
    relative = path.relative_to(root)
    return (*relative.parts[:-1], relative.name.split(".", 1)[0])
