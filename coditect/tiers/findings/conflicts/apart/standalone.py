"""Whether a sentence can be held against others at all: what points to another sentence, is code, or is a framework's, cannot.

"They are exempt from further due diligence" says of nobody that they are; "[Assignment: at least annually]" is the parameter of one
control of a catalogue, in which every control has its own; and a command line has no rule in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.lines import line_of

__all__ = ["is_standalone"]

_LEANING = re.compile(
    r"^\W*(?:\d[\d.]*\W+)?(?:(?-i:[Ii]t)|they|he|she|each of them|neither of them"
    r"|(?:this|these|those|that|such|both|the (?:former|latter|same))"
    r"(?=\s+(?:is|are|was|were|must|shall|should|will|may|can|has|have|does|do)\b))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\$\(|\$\{|(?:^|\s)--[a-z]+[=\s-]|\\\s*$|\bgrep\s+-|\|\s*(?:awk|sed|xargs)\b")
_PARAMETER = re.compile(r"[\[(](?:[\w-]+\s+)?(?:Assignment|Selection)\b[^\])]{0,40}:")


def is_standalone(entry: Entry) -> bool:
    """Whether the sentence of an entry says by itself of what it speaks, and as a rule.

    Args:
        entry: an entry.
    """
    return _stands(line_of(entry.statement.sentence.text))


@lru_cache(maxsize=1 << 14)
def _stands(line: str) -> bool:
    return not (_LEANING.match(line) or _CODE.search(line) or _PARAMETER.search(line))
