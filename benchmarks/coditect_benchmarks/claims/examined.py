"""Written claims against a corpus, without a language model and with one that reads what waits for a person.

The corpus is a folder of documents, or made of the claims' own passages, a document for each family: a claim has to find its
passage among the others. The model is asked in the very role of the product (``coditect knowledge verify --llm claude``), at
whatever address speaks the service's interface; see :mod:`coditect_benchmarks.stand_in`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, CheckedSentence, TextReport
from coditect.settings import Settings
from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.gold.scoring import wilson

__all__ = ["LABELS", "Examined", "as_table", "examine", "opened_corpus", "write_documents"]

CORPUS = "claims"
LABELS = ("supported", "needs_review", "unsupported")


@dataclass(frozen=True, slots=True)
class Examined:
    """A claim with what is said of it.

    Attributes:
        claim: as it was written.
        alone: what the checker says without a model.
        waiting: with a model that reads what waits for a person.
        everything: with one that reads what the checker settles as well.
    """

    claim: WrittenClaim
    alone: TextReport
    waiting: TextReport
    everything: TextReport


def write_documents(claims: Sequence[WrittenClaim], folder: Path) -> None:
    """The claims' passages as documents, one for each family, in the order of the claims, each passage once."""
    folder.mkdir(parents=True, exist_ok=True)
    families: dict[str, dict[str, None]] = {}
    for claim in claims:
        families.setdefault(claim.family or "passages", {})[claim.evidence] = None
    for family, passages in families.items():
        parts = [f"## {number}\n\n{passage}\n" for number, passage in enumerate(passages, 1)]
        text = f"# {family.capitalize()}\n\n" + "\n".join(parts)
        (folder / f"{family.replace(' ', '-')}.md").write_text(text, encoding="utf-8")


@contextmanager
def opened_corpus(documents: Path, work: Path, base_url: str) -> Iterator[Knowledge]:
    """The documents, read and built by rules; a model at ``base_url``, which the build does not ask.

    Args:
        documents: a folder.
        work: a folder for the store, kept or made.
        base_url: where the model's interface is.
    """
    settings = Settings(store=f"lmdb://{work / 'store'}", cache=work / "cache", jobs=1, llm="none")
    with open_knowledge(settings) as knowledge:
        knowledge.ingest(CORPUS, [documents])
        knowledge.build(CORPUS, BuildSettings())
    asked: dict[str, Any] = {"llm": "claude", "api_key": "any", "llm_base_url": base_url}
    with open_knowledge(settings.model_copy(update=_validated(settings, asked))) as knowledge:
        yield knowledge


def _validated(settings: Settings, changed: Mapping[str, Any]) -> dict[str, Any]:
    other = Settings(**{**settings.model_dump(exclude_unset=True), **changed})
    return {name: getattr(other, name) for name in changed}


def examine(knowledge: Knowledge, claims: Sequence[WrittenClaim]) -> tuple[list[Examined], dict[str, Any]]:
    """Every claim, three times; and what the model was asked, as the product accounts for it."""
    alone = [knowledge.verify(CORPUS, each.text) for each in claims]
    with knowledge.examiner(CORPUS) as examiner:
        waiting = [knowledge.verify(CORPUS, each.text, examiner=examiner) for each in claims]
    with knowledge.examiner(CORPUS, reads="all") as examiner:
        everything = [knowledge.verify(CORPUS, each.text, examiner=examiner) for each in claims]
        account = examiner.account()
    return [Examined(*row) for row in zip(claims, alone, waiting, everything, strict=True)], account


def as_table(found: Sequence[Examined]) -> str:
    """Labels of true and false claims, with intervals; then what became of what the model said."""
    lines = ["of the claims | truth | " + " | ".join(LABELS) + " | in all", "---|---|---|---|---|---"]
    for name in ("alone", "waiting", "everything"):
        for truth in (True, False):
            own = [getattr(each, name) for each in found if each.claim.is_true is truth]
            counts = Counter(_settled(report.label) for report in own)
            shares = [_share(counts[label], len(own)) for label in LABELS]
            lines.append(f"{name} | {'true' if truth else 'false'} | " + " | ".join(shares) + f" | {len(own)}")
    lines += ["", "what the model said of sentences that wait, by truth of their claim; held back or not:"]
    said: Counter[tuple[str, ...]] = Counter()
    for each in found:
        for sentence in each.waiting.sentences:
            if sentence.examination is not None:
                said[(str(each.claim.is_true).lower(), *_told(sentence))] += 1
    lines += [f"{number:5}  {' | '.join(key)}" for key, number in sorted(said.items())]
    return "\n".join(lines)


def _told(sentence: CheckedSentence) -> tuple[str, str]:
    held = sentence.examination.held_back if sentence.examination is not None else ""
    kind = "by a rule" if held.startswith("a rule speaks") else held.partition("“")[0].strip() if held else "counts"
    return str(sentence.examination and sentence.examination.said), kind


def _settled(label: str) -> str:
    return label if label in LABELS else "unsupported"


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total) or (0.0, 1.0)
    return f"{count} ({count / max(1, total):.1%}, {low:.1%} to {high:.1%})"
