"""The dossiers in ``agents/``: what plays each role today, by which rules, in which version.

Every role is filled by a deterministic method; a language model may take one over later, and its prompt, schema, model and measured
scores then stand in the same file.
"""

from __future__ import annotations

from dataclasses import dataclass

from coditect.knowledge.upper import UPPER_VERSIONS
from coditect.schemas import Chunk, Claim, CorpusSummary, Extraction, Record, Section, Verdict
from coditect.tiers.document import EXTRACTIONS_VERSION
from coditect.tiers.summaries import CHUNKS_VERSION
from coditect.verify.checker import CHECKER

__all__ = ["dossiers"]


@dataclass(frozen=True, slots=True)
class _Role:
    title: str
    task: str
    reads: str
    writes: tuple[type[Record], ...]
    version: str
    refuses: str


_ROLES = {
    "mapper": _Role(
        "Mapper (Tier 1)",
        "Finds obligations, prohibitions, permissions, definitions, cross-references, quantities and propositions in one document.",
        "canonical text, outline and sentences of one document version",
        (Extraction,),
        EXTRACTIONS_VERSION,
        "An extraction that is not the document's text at its offsets is refused (`QuoteNotFound`).",
    ),
    "selector": _Role(
        "Selector (Tier 2)",
        "Selects whole sentences of each structural chunk by TextRank or TF-IDF; it may select, never write.",
        "Tier 1 and the text of one document version",
        (Chunk,),
        CHUNKS_VERSION,
        "A sentence that is not verbatim, or has no Tier 1 item inside, is refused (`NotExtractive`).",
    ),
    "synthesiser": _Role(
        "Synthesiser (Tiers 3 and 4)",
        "Groups selected sentences by topic and register, joins them by flagged transitions, and composes claims and figures.",
        "Tier 2 of the corpus",
        (Section, Claim, CorpusSummary),
        " ".join(UPPER_VERSIONS[name] for name in ("topics", "registers", "conflicts", "sections", "claims")),
        "A section over its synthesis ratio is refused (`SynthesisRatioExceeded`); a claim is only a proposal.",
    ),
    "validator": _Role(
        "Validator (Tier 4)",
        "Checks every claim against the quotes that it cites, and counts every figure again from the indexes.",
        "a claim, its cited sections, the Tier 1 items behind them",
        (Verdict,),
        CHECKER,
        "A claim without citation, or with support below the minimum, is filtered, counted and kept. If the validator fails, "
        "nothing is published (`Unsupported`).",
    ),
}


def dossiers() -> dict[str, str]:
    """Markdown by role."""
    return {name: _markdown(role) for name, role in _ROLES.items()}


def _markdown(role: _Role) -> str:
    rows = [
        ("task", role.task),
        ("reads", role.reads),
        ("writes", ", ".join(f"[{cls.__name__}](../schemas/{_kebab(cls.__name__)}.json)" for cls in role.writes)),
        ("method", "deterministic rules; no model, no prompt, no tokens"),
        ("version", f"`{role.version}`, part of the id of everything that it makes"),
        ("refuses", role.refuses),
    ]
    table = "\n".join(f"| {name} | {text} |" for name, text in rows)
    return f"# {role.title}\n\n| | |\n|---|---|\n{table}\n"


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))
