"""Answers of a reducer that finds at odds what a test says, and of a validator that agrees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tests.llm_server.answers import Reply, Respond, respond, structured
from tests.llm_server.answers_reading import fenced, schema_of, text_of

__all__ = ["finding_at_odds", "lines_of"]


def lines_of(request: dict[str, Any], tag: str) -> list[dict[str, Any]]:
    """The JSON lines between the tags of a name in a request."""
    return [json.loads(line) for line in fenced(request, tag)[0].text.split("\n")]


def finding_at_odds(at_odds: Mapping[str, str], *, others: str = "other_matter") -> Respond:
    """A model that finds at odds what holds the words of a pair (in the one statement and in the other), and nothing else."""

    def words_of(texts: list[str]) -> list[str] | None:
        return next(
            ([a, b] for first, second in at_odds.items() for a, b in ((first, second), (second, first))
             if a in texts[0] and b in texts[1]),
            None,
        )  # fmt: skip

    def answer(request: dict[str, Any]) -> Reply:
        if "gaps" in schema_of(request).get("properties", {}):
            return respond(request)
        if fenced(request, "statements"):
            found = []
            told = [each for each in lines_of(request, "statements") if "n" in each]
            for one, other in combinations(told, 2):
                words = words_of([one["text"], other["text"]])
                if words is not None:
                    about = "the matter of <b>both</b>"
                    between = [one["n"], other["n"]]
                    found.append({"between": between, "kind": "value", "about": about, "words": words})
            return structured({"at_odds": found})
        if not fenced(request, "sets"):
            return (
                _agreeing(request)
                if " at odds: " in text_of(request) or " differ: " in text_of(request)
                else respond(request)
            )
        body: dict[str, list[dict[str, Any]]] = {"conflicts": [], "others": []}
        for one in lines_of(request, "sets"):
            words = words_of([each["text"] for each in one["statements"]])
            if words is not None:
                about = "the matter of <b>both</b>"
                body["conflicts"].append({"n": one["n"], "kind": "value", "about": about, "words": words})
            else:
                body["others"].append({"n": one["n"], "why": others})
        return structured(body)

    return answer


def _agreeing(request: dict[str, Any]) -> Reply:
    """A validator that finds both pieces of evidence at odds."""
    quotes = [{"evidence": n, "text": each.text} for n, each in enumerate(fenced(request, "evidence"), 1)]
    return structured({"quotes": quotes, "reason": "Both cannot be followed.", "verdict": "supported"})
