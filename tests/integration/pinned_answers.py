"""What questions to the sample corpus find, written down: ``python -m tests.integration.pinned_answers``.

Passages alone: what they hold depends on the documents and on nothing that is read out of them. An answer that comes out
otherwise is another ranking, which is measured before it is shipped; the file changes only with such a reason.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.sample import sample_folder
from coditect.schemas import SearchFilters, SearchOptions

__all__ = ["ASKED", "PINNED", "answers", "pinned"]

PINNED = Path(__file__).parent / "pinned_answers.json"
CORPUS = "sample"

QUESTIONS = (
    "how soon is a breach of personal data reported",
    "notify the controller of a personal data breach",
    "who reviews access rights, and how often",
    '"multi-factor authentication" for remote access',
    "password length",
    "What happens to the accounts of people who leave?",
    "xylophone lessons on the moon",
    "section 4.2",
    "the",
)
OPTIONS = {
    "hybrid": SearchOptions(explain=True),
    "words": SearchOptions(mode="lexical", explain=True, gate=False),
    "meaning": SearchOptions(mode="dense", explain=True, gate=False),
    "ranks": SearchOptions(fusion="rrf", explain=True, gate=False),
    "larger": SearchOptions(return_level=2, gate=False, expand="section"),
    "filtered": SearchOptions(filters=SearchFilters(documents=("access-control*",)), gate=False, explain=True),
}
ASKED = {f"{name}: {question}": (question, options) for name, options in OPTIONS.items() for question in QUESTIONS}
"""(question, options) by name."""


def answers(knowledge: Knowledge, question: str, options: SearchOptions) -> dict[str, Any]:
    """The first answers, with every figure that made them."""
    found = knowledge.query(CORPUS, question, tier="passage", limit=4, options=options)
    return {
        "relevance": found.relevance,
        "hits": [
            {
                "place": [hit.item.document_name, hit.item.char_offset_start, hit.item.char_offset_end],
                "focus": None if hit.focus is None else [hit.focus.char_offset_start, hit.focus.char_offset_end],
                "said": [hit.matched_by, hit.relevance, hit.matched_at_level, hit.returned_at_level, hit.token_count],
                "context": [[each.char_offset_start, each.char_offset_end] for each in hit.context],
                "ranks": [[part.part, part.rank] for part in hit.parts],
                "figures": [
                    round(figure, 4)
                    for figure in (
                        hit.score,
                        hit.probability or 0.0,
                        *(each for part in hit.parts for each in (part.score, part.weight, part.contribution)),
                    )
                ],
            }
            for hit in found.hits
        ],
    }


def pinned() -> dict[str, Any]:
    """What is written down, by name of the question."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        place = Settings(store=f"lmdb://{folder}/store", tenant="default", cache=Path(folder) / "cache", jobs=1)
        with open_knowledge(place) as opened:
            opened.ingest(CORPUS, [sample_folder()])
            opened.build(CORPUS, BuildSettings())
            made = {name: answers(opened, *asked) for name, asked in ASKED.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each, sort_keys=True)}" for name, each in made.items())
    PINNED.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
