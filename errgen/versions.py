"""Which version a catalog owes: the version before and what has changed flow in, the least version after flows out."""

from collections.abc import Iterable

from errgen.levels import Level


def owed(version: str, levels: Iterable[Level]) -> str:
    """Return the least version (SemVer 2.0.0, sections 4 and 6 to 8) after changes of these levels.

    Before 1.0.0 a change that breaks somebody owes a minor version, any other a patch.
    """
    found = set(levels)
    major, minor, patch = _core(version)
    if not found:
        return version
    if any(level.is_breaking for level in found):
        return f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
    if Level.COMPATIBLE in found and major:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def pays(version: str, least: str) -> bool:
    """Tell whether a version is no less than what is owed; a pre-release of it pays too."""
    return _core(version) >= _core(least)


def _core(version: str) -> tuple[int, int, int]:
    major, minor, patch = version.partition("+")[0].partition("-")[0].split(".")
    return int(major), int(minor), int(patch)
