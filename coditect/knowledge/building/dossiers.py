"""The dossiers in ``agents/``: what plays each role today, by which rules, in which version.

Rules play every role by default. A language model may play each of them; prompt, model, limits and what its reader refuses stand in
the same file.
"""

from __future__ import annotations

from dataclasses import dataclass

from coditect.agents.extraction_schema.default import DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.roles.mapper import mapper_role
from coditect.agents.roles.role import ROLES
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.model_roles.further import further_prompts
from coditect.schemas import (
    Chunk,
    Claim,
    CorpusChanges,
    CorpusSummary,
    Extraction,
    Passage,
    Record,
    Section,
    TextReport,
    Verdict,
)
from coditect.schemas.crosswalk import CrosswalkRow
from coditect.tiers.chunks.summaries import CHUNKS_VERSION
from coditect.tiers.extractions.document import EXTRACTIONS_VERSION
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.passages import PASSAGES_VERSION
from coditect.verify.checker import CHECKER
from coditect.verify.requirements.decision import DECISION_VERSION

__all__ = ["dossiers"]


_STOOD_IN = (
    "with sessions of a language model in the service's place (ADR {}); no figure of the service itself is known"
)


@dataclass(frozen=True, slots=True)
class _Role:
    title: str
    task: str
    reads: str
    writes: tuple[type[Record], ...]
    version: str
    refuses: str
    model_task: str
    model_refuses: str
    switch: str = ""
    asked_in: str = "build"
    part_of: str = "it is part of what is built"
    measured: str = "against the fake service of the tests only; no figure of a real model is known"


_ROLES = {
    "reader": _Role(
        "Reader (Tier 1)",
        "Reads norms and definitions provision by provision, with their parts, by words of force and the structure of lists.",
        "canonical text, outline and sentences of one document version",
        (Extraction,),
        EXTRACTIONS_VERSION,
        "An extraction that is not the document's text at its offsets is refused (`QuoteNotFound`).",
        "Reads the same provisions; where its answer is sound, its norms and definitions take the place of the rules'.",
        "A whole provision, which is then left to the rules: with a part that its lines do not have, words of force that "
        "contradict the kind, a “not” or “unless” between its parts that no part has, a line that is not answered, or text that "
        "addresses a model.",
        measured=_STOOD_IN.format(116),
    ),
    "mapper": _Role(
        "Mapper (Tier 1)",
        "Finds obligations, prohibitions, permissions, definitions, cross-references, quantities and propositions in one document.",
        "canonical text, outline and sentences of one document version",
        (Extraction,),
        EXTRACTIONS_VERSION,
        "An extraction that is not the document's text at its offsets is refused (`QuoteNotFound`).",
        "Finds statements of an extraction schema, each with its quote, beside what the rules find.",
        "A quote that the document does not have, that stands in several places, is cut inside a word or leaves out "
        "words that limit it; a verbatim field that the quote does not have; a type, field or value that the schema does not know.",
    ),
    "selector": _Role(
        "Selector (Tier 2)",
        "Selects whole sentences of each structural chunk by TextRank or TF-IDF; it may select, never write.",
        "Tier 1 and the text of one document version",
        (Chunk,),
        CHUNKS_VERSION,
        "A sentence that is not verbatim, or has no Tier 1 item inside, is refused (`NotExtractive`).",
        "Chooses among the numbered sentences of a chunk (`llm_extractive`).",
        "Anything but numbers of these sentences, none, one twice, or more than asked for: the document is then selected by rules.",
    ),
    "contextualiser": _Role(
        "Contextualiser (search)",
        "The context of a passage is its headings and the sentence that leads it in.",
        "the outline of one document version, its passages",
        (Passage,),
        PASSAGES_VERSION,
        "A context is stored apart from the text, at most 60 tokens, and is never cited.",
        "Writes a line that situates a passage in its document, for search alone.",
        "An empty line; mark-up is taken out; longer lines are cut at a sentence.",
    ),
    "reducer": _Role(
        "Reducer (conflicts and gaps)",
        "Compares what documents fix and ask: values of the same measure, modal words for the same act.",
        "Tier 2 of the corpus",
        (Claim,),
        CONFLICTS_VERSION,
        "A difference whose sides are not in their quotes is filtered by the checker.",
        "Names quotes of one topic that repeat each other or cannot both be followed; reads all sentences of "
        "the corpus, or of a large one the nearest pairs, and what rules would publish as a conflict, and says which are at odds; "
        "reads what the documents say once more, and names what is missing.",
        "Numbers that no quote has; duplicates that differ in a number or a modal word; a conflict inside a group of "
        "duplicates dissolves the group. Of sentences: words that a statement does not have, documents that bind different "
        "people, a set that is told of twice or not at all. What a conflict is about is synthetic and never cited; "
        "without a validator it needs review, as does a gap. A gap of words that its statement does not have; one that the "
        "documents speak against (a document of that name, a defined term, an owner, a day that has not passed). A conflict of "
        "rules that it denies, or says nothing of, needs review.",
        measured=_STOOD_IN.format(113),
    ),
    "synthesiser": _Role(
        "Synthesiser (Tiers 3 and 4)",
        "Groups selected sentences by topic and register, joins them by flagged transitions, and composes claims and figures.",
        "Tier 2 of the corpus",
        (Section, Claim, CorpusSummary),
        " ".join(UPPER_VERSIONS[name] for name in ("topics", "registers", "conflicts", "sections", "claims")),
        "A section over its synthesis ratio is refused (`SynthesisRatioExceeded`); a claim is only a proposal.",
        "Writes sentences over Tier 3 quotes, each citing its quotes (Tier 4 alone; Tier 3 is never written by a model).",
        "A citation whose text is not the block's own; a sentence without a citation is filtered, counted and kept.",
    ),
    "validator": _Role(
        "Validator (Tier 4)",
        "Checks every claim against the quotes that it cites, and counts every figure again from the indexes.",
        "a claim, its cited sections, the Tier 1 items behind them",
        (Verdict,),
        CHECKER,
        "A claim without citation, or with support below the minimum, is filtered, counted and kept. If the validator fails, "
        "nothing is published (`Unsupported`).",
        "Judges each claim in words a second time, seeing the claim and its quotes alone; agreement decides. Reads what would be "
        "published of gaps and other findings of rules, and gaps that the reducer tells, with what stands around their quotes and "
        "where else their words stand: are they true, and of use?",
        "Support without words of the evidence, with words that it does not have, or resting on text that addresses a "
        "model: needs review. It cannot publish what the checker refuses; what it does not answer is withheld. A finding that it "
        "calls not so, open or of no use needs review, with its reason.",
        measured=_STOOD_IN.format(117),
    ),
    "examiner": _Role(
        "Examiner (texts of others)",
        "Compares each sentence of a text with the statements of the corpus that fit it best; what it cannot tell waits for a "
        "person.",
        "a sentence, and what search finds for it",
        (TextReport,),
        CHECKER,
        "What cannot be read, has no evidence, or of which sources disagree is never supported.",
        "Reads sentences that wait for a person beside passages of the corpus, part by part.",
        "Support with a part that has no quote, or that passes over a word of the claim; a quote that no passage has, or that "
        "leaves out what limits it; text that addresses a model; support against a rule about figures, force or actors, or against "
        "any grave contradiction: needs review. What it does not answer stays as the checker left it.",
        switch="`coditect knowledge verify --llm claude`",
        asked_in="check of texts",
        part_of="it stands in the report",
        measured=_STOOD_IN.format(111),
    ),
    "assessor": _Role(
        "Assessor (crosswalks)",
        "Compares each sentence of the documents with the nearest requirements of a framework, by acts, objects, figures and "
        "who speaks.",
        "the parts of a framework, and Tier 1 of the documents",
        (CrosswalkRow,),
        DECISION_VERSION,
        "Nothing is stored: a crosswalk is made anew, and what persons decided of its rows stands above it.",
        "Reads the sentences that rules call met, or nearly, beside the part, and says by quotes of both sides whether it is.",
        "A verdict whose quotes one of the sides does not have, or that rests on text which addresses a model: what rules said "
        "stays. It is not asked where the modal verb, the negative, a figure or who speaks forbids it, and cannot lift a looser "
        "bound.",
        switch="`coditect knowledge crosswalk --llm claude`",
        asked_in="crosswalk",
        part_of="it stands beside each verdict",
        measured=_STOOD_IN.format(112),
    ),
    "tracer": _Role(
        "Tracer (work lists)",
        "Ranks all provisions of what changed for each sentence of the other documents, by words, static vectors and section.",
        "two versions of the documents that changed, and Tier 1 of the others",
        (CorpusChanges,),
        EXTRACTIONS_VERSION,
        "Nothing is stored: a work list is made anew.",
        "Reads what was amended or removed beside statements of the other documents, and says by quotes of both which rest on it.",
        "A number that was not shown; words that the statement or the earlier version does not have. It takes nothing off the list "
        "that was signed, quotes or cites what changed; what words alone name and it does not is set aside and shown.",
        switch="`coditect knowledge changes --llm claude`",
        asked_in="work list",
        part_of="it stands in the list",
        measured=_STOOD_IN.format(119),
    ),
}


def dossiers() -> dict[str, str]:
    """Markdown by role."""
    return {name: _markdown(role, name) for name, role in _ROLES.items()}


def _markdown(role: _Role, name: str) -> str:
    rows = [
        ("task", role.task),
        ("reads", role.reads),
        ("writes", ", ".join(f"[{cls.__name__}](../schemas/{_kebab(cls.__name__)}.json)" for cls in role.writes)),
        ("method", "deterministic rules, the default; no model, no prompt, no tokens"),
        ("version", f"`{role.version}`, part of the id of everything that it makes"),
        ("refuses", role.refuses),
    ]
    return f"# {role.title}\n\n{_table(rows)}\n## Played by a language model\n\n{_table(_model_rows(role, name))}"


def _model_rows(role: _Role, name: str) -> list[tuple[str, str]]:
    """The half of a dossier that holds if a model plays the role."""
    played = mapper_role(ROLES[name], DEFAULT_EXTRACTION_SCHEMA) if name == "mapper" else ROLES[name]
    shape = (
        "prose with citations" if played.citations else "prose" if played.output_schema is None else "JSON of a schema"
    )
    shape = "JSON of the extraction schema" if name == "mapper" else shape
    further = further_prompts(played)
    return [
        ("task", role.model_task),
        ("switched on by", role.switch or f"`--llm claude --agents {name}`"),
        ("prompt", _prompt(name, played.prompt_sha256)),
        *((f"prompt for {each.name}", _prompt(each.name, each.prompt_sha256)) for each in further),
        ("model", f"`{played.model}` unless `CODITECT_AGENT_MODELS` says otherwise"),
        ("answer", f"{shape}, at most {played.max_tokens:,} tokens"),
        ("budget", f"{played.budget_tokens:,} tokens in one {role.asked_in}"),
        ("version", f"`{' '.join(each.version for each in (played, *further))}`; with the model {role.part_of}"),
        ("refuses", role.model_refuses),
        ("measured", role.measured),
    ]


def _prompt(name: str, sha256: str) -> str:
    return f"[{name}.md](../coditect/agents/roles/prompts/{name}.md), SHA-256 `{sha256}`"


def _table(rows: list[tuple[str, str]]) -> str:
    return "| | |\n|---|---|\n" + "".join(f"| {name} | {text} |\n" for name, text in rows)


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))
