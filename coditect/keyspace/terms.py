"""The grammar of index terms: how topics, defined terms, references, measures and section ids are written in the key space.

Index entries are found by these words alone, so whoever writes an entry and whoever looks for it makes them here. All of them fold
case and white space, but for section ids and measures, which are made by rules and not written by people.
"""

from __future__ import annotations

__all__ = ["definition_term", "document_term", "measure_term", "reference_term", "section_term", "topic_key"]


def document_term(name: str) -> str:
    """A company document that is referred to, as the term index knows it."""
    return "document:" + topic_key(name)


def measure_term(kind: str, head: str) -> str:
    """A measure, as the term index knows it."""
    return f"measure:{kind}:{head}"


def topic_key(topic: str) -> str:
    """A topic as the topic index knows it: casefolded, white space collapsed."""
    return " ".join(topic.casefold().split())


def definition_term(term: str) -> str:
    """A defined term as the term index knows it."""
    return "definition:" + topic_key(term)


def reference_term(target: str) -> str:
    """A cross-reference target as the term index knows it."""
    return "reference:" + topic_key(target)


def section_term(section_id: str) -> str:
    """A section id as the term index knows it."""
    return "section:" + section_id
