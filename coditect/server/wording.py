"""Ways out of errors in words of HTTP: an address for a command, a parameter for its option."""

from __future__ import annotations

import re

__all__ = ["http_words"]

_ADDRESSES = {
    "knowledge build": "POST …/builds",
    "knowledge documents": "GET …/documents",
    "knowledge drilldown": "GET …/items/ID/sources",
    "knowledge export": "POST …/exports",
    "knowledge ingest": "POST …/documents",
    "knowledge list": "GET …/registers/all",
    "knowledge query": "GET …/query",
    "knowledge review": "GET …/reviews/pending",
    "knowledge status": "GET /api/v1/status",
    "knowledge validate": "POST …/validations",
    "knowledge verify": "POST …/verify",
}
"""Addresses that do what commands do; "…" is /api/v1/corpora/CORPUS."""

_CLAUSE = re.compile(r"(?<=[.;])\s+")
_QUOTED = re.compile(r"'coditect (?P<name>[a-z]+ [a-z-]+)(?P<rest>[^']*)'(?: without --[a-z-]+)?")
_LISTED_DECISIONS = re.compile(r"'coditect knowledge review --list'")
_COMMAND = re.compile(r"\bcoditect\s+[a-z]")
_OPTION = re.compile(r"(?<![\w-])--(?P<name>[a-z]+(?:-[a-z]+)*)")


def http_words(hint: str) -> str:
    """A way out as somebody can take it who asks over HTTP; clauses that only a command line helps with are left out.

    Args:
        hint: of an error.
    """
    if not hint:
        return ""
    named = _QUOTED.sub(_address, _LISTED_DECISIONS.sub("'GET …/reviews'", hint))
    kept = [each for each in _CLAUSE.split(named) if _COMMAND.search(each) is None]
    told = " ".join(_OPTION.sub(lambda found: found["name"].replace("-", "_"), each) for each in kept)
    return told[:1].upper() + (told[1:-1] + "." if told.endswith(";") else told[1:])


def _address(found: re.Match[str]) -> str:
    address = _ADDRESSES.get(found["name"])
    return found[0] if address is None else f"'{address}'"
