"""A number of codes flows in, a catalog of so many flows out: seeded, with the whole format in use, as YAML text."""

import random
from collections.abc import Iterator
from typing import Final

_HEAD: Final = """\
errgen: 1
name: large
version: 1.4.0
title: A large catalog
description: Codes of many services, as one repository joins them.
docs_url: https://errors.example/large
limits: { message: 500, hint: 200 }
retry_policies:
  never: { retryable: false }
  backoff:
    { retryable: true, strategy: exponential, initial_delay: 100ms, multiplier: 2, max_delay: 30s, max_attempts: 5,
      jitter: full, safe_to_retry: idempotent }
  paced: { retryable: true, strategy: fixed, retry_after: 30s, max_attempts: 3, safe_to_retry: always }
  by_data: { retryable: varies, max_attempts: 2 }
operations:
  read: { effect: read, max_attempts: 3 }
  write: { effect: write, max_attempts: 1 }
  unknown: { effect: write, max_attempts: 1, default: true }
response:
  type: ErrorResponse
  wrap: error
  fields:
    code: { from: code }
    message: { from: message }
    retryable: { from: retryable }
    retry_after_ms: { from: retry_after_ms, optional: true }
    details: { optional: true, fields: { field: { type: string, optional: true } } }
translations:
  http: { kind: http-status, map: { 404: E000001_NOT_FOUND, 5xx: E000002_UNAVAILABLE }, default: E000000_INVALID }
"""
_KINDS: Final = (
    ("INVALID", "never", 400, "INVALID_ARGUMENT", "fix-input", "not-applied"),
    ("NOT_FOUND", "never", 404, "NOT_FOUND", "fix-input", "not-applied"),
    ("UNAVAILABLE", "backoff", 503, "UNAVAILABLE", "retry", "unknown"),
    ("RATE_LIMITED", "paced", 429, "RESOURCE_EXHAUSTED", "wait", "not-applied"),
    ("CONFLICT", "by_data", 409, "ABORTED", "inform-user", "not-applied"),
    ("INTERNAL", "never", 500, "INTERNAL", "escalate", "unknown"),
)
_WORDS: Final = """
    account amount backend balance batch bucket cache certificate channel client cluster connection cursor customer
    database deadline device disk document endpoint event field file gateway host index invoice item job key ledger
    limit lock message module network node object order page partition password payment plan policy project queue
    quota range record region release replica report request resource role route schema scope server session shard
    signature snapshot stream subnet table tenant thread token topic transfer user value version volume webhook zone
    """.split()
_GROUP: Final = 100
_USUAL: Final = 0.7
_COMMON: Final = 0.4
_RARE: Final = 0.05


def catalog(count: int, seed: int = 1) -> str:
    """Return a catalog of some codes, at least three."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark wants the same catalog each time
    groups = {
        index: f"{chance.choice(_WORDS)}_{index // _GROUP}" for index in range(0, count, _GROUP)
    }
    lines = [_HEAD, "categories:\n"]
    lines += [
        f"  {name}: {{ title: {name.capitalize()}, retry: never, description: {_text(chance, 12)} }}\n"
        for name in groups.values()
    ]
    lines.append("ranges:\n")
    for index, name in groups.items():
        first = 1000 + 2 * index
        last = first + 2 * _GROUP - 1
        lines.append(f"  - {{ first: {first}, last: {last}, category: {name} }}\n")
    lines.append("reserved:\n")
    lines += [
        f"  - {{ code: {1001 + 2 * index}, name: GONE_{index}, reason: {_text(chance, 4)} }}\n"
        for index in groups
    ]
    lines.append("errors:\n")
    for index in range(count):
        lines += _error(index, groups[index - index % _GROUP], chance)
    return "".join(lines)


def _error(index: int, category: str, chance: random.Random) -> Iterator[str]:
    _, policy, http, grpc, action, outcome = _KINDS[index % len(_KINDS)]
    param = chance.choice(_WORDS)
    has_param = chance.random() < _COMMON
    yield f"  {_name(index)}:\n    code: {1000 + 2 * index}\n    category: {category}\n"
    yield f"    message: {_text(chance, 6)}{f' {{{param}}}' if has_param else ''}\n"
    if has_param:
        yield f"    params: {{ {param}: {{ type: string, description: {_text(chance, 5)} }} }}\n"
        yield f"    examples: [{{ params: {{ {param}: {chance.choice(_WORDS)}-{index} }} }}]\n"
    if chance.random() < _USUAL:
        yield f"    description: {_text(chance, chance.choice((8, 12, 20)))}\n"
    if policy != "never":
        yield f"    retry: {policy}\n"
    if chance.random() < _COMMON:
        yield f"    outcome: {outcome}\n    recovery: {{ action: {action}, hint: {_text(chance, 6)} }}\n"
    yield f"    http_status: {http}\n"
    if chance.random() < _COMMON:
        yield f"    grpc_status: {grpc}\n    since: 1.{index % 4}.0\n"
    if chance.random() < _RARE:
        yield f"    deprecated: {{ since: 1.3.0, reason: {_text(chance, 4)}, replaced_by: {_name(0)} }}\n"
    if chance.random() < _RARE:
        yield f"    aliases: [OLD_{index}]\n    tags: [{chance.choice(_WORDS)}]\n"
    if chance.random() < _RARE:
        yield f"    see_also: [{_name(max(0, index - 1))}]\n    x-owner: {chance.choice(_WORDS)}\n"


def _name(index: int) -> str:
    return f"E{index:06}_{_KINDS[index % len(_KINDS)][0]}"


def _text(chance: random.Random, count: int) -> str:
    words = " ".join(chance.choices(_WORDS, k=count))
    return words[0].upper() + words[1:]
