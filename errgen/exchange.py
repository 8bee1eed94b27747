"""Findings for other tools: diagnostics flow in, SARIF 2.1.0 and GitLab's code quality report flow out."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from errgen import __version__
from errgen.codes import SPECS
from errgen.diagnostics import Diagnostic, Location

_SARIF: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_SEVERITIES: Final = {"error": "major", "warning": "minor", "info": "info"}


def sarif(findings: Sequence[Diagnostic]) -> str:
    """Return a SARIF 2.1.0 log with one run; columns count characters (section 3.14.17)."""
    codes = sorted({item.code for item in findings})
    driver = {
        "name": "errgen",
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, codes.index(item.code)) for item in findings],
    }
    log = {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: Any) -> dict[str, Any]:
    rule = SPECS[code]
    return {
        "id": str(code),
        "name": "".join(word.title() for word in rule.name.split("_")),
        "shortDescription": {"text": rule.message},
        "fullDescription": {"text": rule.description},
        "help": {"text": rule.recovery_hint or rule.description},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(item: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": str(item.code),
        "ruleIndex": rule,
        "level": _LEVELS[item.level],
        "message": {"text": _told(item)},
        "locations": [_place(item.location)],
        "partialFingerprints": {"errgen/v1": _fingerprint(item)},
    }
    if item.related:
        result["relatedLocations"] = [_place(place) for place in item.related]
    return result


def _place(location: Location) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(location.path)}}
    if location.line:
        place["region"] = {"startLine": location.line, "startColumn": location.column}
    return {"physicalLocation": place}


def gitlab(findings: Sequence[Diagnostic]) -> str:
    """Return GitLab's code quality report, an array of issues; of two equal ones the second differs in its number."""
    seen: dict[str, int] = {}
    issues = []
    for item in findings:
        mark = _fingerprint(item)
        seen[mark] = seen.get(mark, 0) + 1
        issues.append(_issue(item, mark if seen[mark] == 1 else _hash(mark, str(seen[mark]))))
    return json.dumps(issues, ensure_ascii=False, indent=2) + "\n"


def _issue(item: Diagnostic, fingerprint: str) -> dict[str, Any]:
    return {
        "description": f"{item.code} {_told(item)}",
        "check_name": str(item.code),
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[item.level],
        "location": {"path": item.location.path, "lines": {"begin": item.location.line or 1}},
    }


def _told(item: Diagnostic) -> str:
    return f"{item.message}\n{item.help}" if item.help else item.message


def _fingerprint(item: Diagnostic) -> str:
    """Return what stays the same while a finding moves to another line."""
    return _hash(item.location.path, str(item.code), item.message)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
