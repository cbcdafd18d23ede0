"""Rendering: a claim is its recipe and its evidence, told in words.

A recipe says which fact of the cited quotes, or which figure of the corpus, a claim tells: a topic, a measure, a missing name.
The fact itself is computed here, when the claim is composed and again whenever it is checked, and nothing of it is taken from the
recipe. So a claim of ours is checked by rendering it again: recipe and sentence are then the same, or one of them was changed.

What is told of single sentences comes from the statements that are cited, found by the same rules that search a corpus for them but
shown nothing else; what is told of the corpus is counted from its indexes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coditect.keyspace.terms import definition_term, measure_term
from coditect.schemas import Claim, ClaimKind, NormData, Restatement, SectionPart
from coditect.tiers.claims import phrases, wordings
from coditect.tiers.claims.grounds import CitedStatement, Grounds
from coditect.tiers.claims.read_gaps import restated_gap
from coditect.tiers.findings import measures
from coditect.tiers.findings.conflicts.detection import conflicts_among
from coditect.tiers.findings.conflicts.entries import entries_of
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.counts import count
from coditect.tiers.findings.missing import MISSING
from coditect.tiers.findings.naming import resolves, speaks_of, target_of
from coditect.tiers.findings.open_points import gaps_shown
from coditect.tiers.findings.required.coverage import FEWEST_POLICIES
from coditect.tiers.findings.timeliness import find_timely, places_of, words_of
from coditect.tiers.sections.registers import measure_name

__all__ = ["conflict_shown", "render", "restate"]


def restate(claim: Claim, parts: Sequence[SectionPart], grounds: Grounds) -> Restatement:
    """A claim made again, for the checker; the arguments are those of :func:`render`."""
    return render(claim.claim_kind, claim.recipe, parts, grounds, claim.topic)


def render(
    kind: ClaimKind, recipe: Mapping[str, Any], parts: Sequence[SectionPart], grounds: Grounds, topic: str
) -> Restatement:
    """A claim from its recipe and its evidence; a function of these alone.

    Args:
        kind: what sort of claim it is.
        recipe: which fact or figure it tells; results in it are not read.
        parts: the quotes that it cites, in order.
        grounds: what the generation offers to its claims.
        topic: what the section that it cites is about.
    Returns:
        The sentence and the whole recipe as they must be; with a refusal where the evidence does not bear them.
    """
    found = [grounds.cited(part) for part in parts]
    cited = [each for each in found if each is not None]
    if not cited or len(cited) < len(found):
        return _refused("a cited quote is not a sentence of its document, or says something else there")
    match kind, recipe:
        case "theme", {"figure": "coverage", "topic": str(about)} if about == topic:
            return _theme(topic, cited, grounds)
        case "statistic", {"figure": "measure", "kind": str(measure), "head": str(head)}:
            return _statistic(measure, head, cited, grounds)
        case "gap", {"figure": "measure", "kind": "frequency", "head": measures.SELF}:
            return _without(cited, grounds)
        case "gap", {"figure": "missing_document", "name": str(name)}:
            return _missing_document(name, cited, grounds)
        case "gap", {"figure": "absent_document", "name": str(name)}:
            return _absent_document(name, cited, grounds)
        case "gap", {"figure": "missing_place", "document": str(document), "label": str(label)}:
            return _missing_place(document, label, cited, grounds)
        case "gap", {"figure": "uncovered", "head": str(head), "says": str(says)}:
            return _uncovered(head, says, cited, grounds)
        case "gap", {"gap": "read"}:
            return restated_gap(recipe, cited, grounds)
        case "gap", {"gap": str(what)} if what in MISSING:
            return _missing(what, recipe, cited, grounds)
        case "gap", {"gap": str(what)}:
            return _gap(what, recipe, cited, grounds)
        case "conflict", {"conflict": "reported"}:
            return _reported(topic, recipe, cited)
        case "conflict", {"conflict": "read"}:
            return _read(recipe, cited, grounds)
        case "conflict" | "stricter", {"conflict": str(what), "head": str(head)}:
            return _conflict(kind, what, head, cited, grounds)
        case "grid", {"figure": "grid", "kind": str(measure), "head": str(head)}:
            return _grid(measure, head, cited, grounds)
        case "standing", {"standing": str(what), "document": str(document)}:
            return _standing(what, document, cited, grounds)
        case "requirement", {"requirement": str(duty), "action": str(action)}:
            return _requirement(duty, action, cited)
    return _refused("no claim of this kind is made by such a recipe")


def _refused(reason: str) -> Restatement:
    return Restatement(refusal=reason)


def _figure(text: str, recipe: dict[str, Any], result: dict[str, Any], refusal: str = "") -> Restatement:
    return Restatement(text=text, recipe={**recipe, "result": result}, refusal=refusal)


def _theme(topic: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "coverage", "topic": topic}
    result = count(recipe, grounds.source, grounds)
    speaking = grounds.source.documents_of_topic(topic)
    strange = not all(each.document.document_id in speaking for each in cited)
    return _figure(
        phrases.theme(topic, result), recipe, result, "a cited document does not speak to it" if strange else ""
    )


def _verb(kind: str, head: str, grounds: Grounds) -> str:
    """What a measure is called: the shortest printed form of its verb, which is the infinitive where that occurs."""
    verbs = {
        measure.verb
        for extraction in grounds.source.by_term(measure_term(kind, head))
        for measure in extraction.measures
        if (measure.kind, measure.head) == (kind, head)
    }
    return measure_name(kind, head, min(verbs, key=lambda word: (len(word), word))).partition(": ")[2]


def _grid(kind: str, head: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "grid", "kind": kind, "head": head}
    result = count(recipe, grounds.source, grounds)
    if not result["usual"]:
        return _refused("no value of it is usual among the contracts")
    strange = not all(grounds.standings.is_contract(each.document.document_id) for each in cited)
    refusal = "a cited document is no contract" if strange else _unfixed(kind, head, cited)
    return _figure(phrases.grid(kind, head, _verb(kind, head, grounds), result), recipe, result, refusal)


def _standing(kind: str, document: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    places = {each.place for each in cited}
    for finding in find_timely(grounds.standings):
        words = words_of(finding, grounds.standings)
        if (finding.kind, words["document"]) != (kind, document):
            continue
        shown = places_of(finding, grounds.statements)
        if {place for place, _ in shown} == places:
            return Restatement(
                text=wordings.standing(kind, words, [fact.quote for _, fact in shown], grounds.wording),
                recipe={"standing": kind, **words},
            )
    return _refused("the cited quotes do not show it")


def _statistic(kind: str, head: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "measure", "kind": kind, "head": head}
    result = count(recipe, grounds.source, grounds)
    if not result["documents"]:
        return _refused("no document fixes it")
    verb = _verb(kind, head, grounds)
    return _figure(phrases.statistic(kind, head, verb, result), recipe, result, _unfixed(kind, head, cited))


def _without(cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "measure", "kind": "frequency", "head": measures.SELF}
    result = count(recipe, grounds.source, grounds)
    if not result["without"]:
        return _refused("every document fixes it")
    return _figure(phrases.without(result), recipe, result, _unfixed("frequency", measures.SELF, cited))


def _unfixed(kind: str, head: str, cited: Sequence[CitedStatement]) -> str:
    """Why quotes do not show a measure, "" where each of them fixes it."""
    fixing = [any((m.kind, m.head) == (kind, head) for m in each.statement.sentence.measures) for each in cited]
    return "" if all(fixing) else "a cited quote does not fix it"


def _missing_document(name: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "missing_document", "name": name}
    result = count(recipe, grounds.source, grounds)
    if not result["documents"]:
        return _refused("no document refers to it")
    refusal = ""
    if result["resolves"]:
        refusal = "it is a document of the corpus"
    elif resolves(name, grounds.names_of_themselves):
        refusal = "a document of the corpus calls itself so"
    elif result["defined"]:
        refusal = "it is a defined term of the corpus"
    elif not all(
        name in each.statement.sentence.documents and speaks_of(each.statement.sentence.text, name) for each in cited
    ):
        refusal = "a cited quote does not refer to it"
    return _figure(phrases.missing_document(name, result), recipe, result, refusal)


def _absent_document(name: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "absent_document", "name": name}
    result = count(recipe, grounds.source, grounds)
    if not result["references"]:
        return _refused("no document refers to it, or it is a document of the corpus")
    naming = {each.extraction_id for each in grounds.absent[name].references}
    strange = not all(naming.intersection(each.statement.sentence.extraction_ids) for each in cited)
    refusal = "a cited quote does not refer to it" if strange else ""
    return _figure(phrases.absent_document(name, result), recipe, result, refusal)


def _missing_place(document: str, label: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    recipe = {"figure": "missing_place", "document": document, "label": label}
    first, versions = cited[0], grounds.source.documents
    owners = [place.partition("|")[::2] for place in first.statement.sentence.places]
    targets = {
        target_of(owner, versions.values()) if owner else first.document.document_id
        for number, owner in owners
        if number == label
    }
    if document not in {versions[target].name for target in targets if target}:
        return _refused("the cited quote does not refer to it")
    result = count(recipe, grounds.source, grounds)
    if result["exists"] or not result["last"]:
        return _refused("the section may well be there")
    return _figure(phrases.missing_place(first.name, document, label, result, first.text), recipe, result)


def _uncovered(head: str, says: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    first = cited[0]
    recipe = {"figure": "uncovered", "document": first.name, "head": head, "says": says}
    result = count(recipe, grounds.source, grounds)
    fixed = {(e.kind, e.head, e.says, e.strength) for e in entries_of([first.statement])}
    refusal = ""
    if ("deadline", head, says, "mandatory") not in fixed or not grounds.standings.is_contract(
        first.document.document_id
    ):
        refusal = "the cited quote sets no such deadline in an agreement"
    elif result["documents"]:
        refusal = f"there is one in {', '.join(result['names'])}"
    elif result["of"] < FEWEST_POLICIES:
        refusal = "the corpus has too few policies to miss one"
    return _figure(phrases.uncovered(first.name, result, first.text), recipe, result, refusal)


def _gap(kind: str, recipe: Mapping[str, Any], cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    statements = [each.statement for each in cited]
    newest = grounds.newest if kind in ("overdue", "stale") else None
    today = grounds.standings.day
    # Only a stale date is one by the other dates of its column.
    document = grounds.statements(cited[0].document.document_id) if kind == "stale" else ()
    found = gaps_shown(kind, statements, document, newest, today)
    if not found:
        return _refused("the cited quotes do not show it")
    # A row may lack several cells: the recipe says which of them is told.
    gap = next((each for each in found if {"gap": kind, **each.words} == recipe), found[0])
    text = wordings.gap(kind, gap.words, [each.name for each in cited], [each.text for each in cited], grounds.wording)
    return Restatement(text=text, recipe={"gap": kind, **gap.words})


def _missing(kind: str, recipe: Mapping[str, Any], cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    places = tuple(each.place for each in cited)
    told = {name: value for name, value in recipe.items() if name != "gap"}
    found = next((gap for gap in grounds.missing[kind] if gap.places == places and gap.words == told), None)
    if found is None:
        return _refused("the documents of the corpus do not show it")
    if kind == "term":
        term = found.words["term"]
        forms = (term, term.casefold(), term.removesuffix("s"), f"{term}s")
        if any(grounds.source.by_term(definition_term(each)) for each in forms):
            return _refused("it is a defined term of the corpus")
    text = phrases.missing(kind, found.words, [each.name for each in cited], [each.text for each in cited])
    return Restatement(text=text, recipe={"gap": kind, **found.words})


def _conflict(claim: ClaimKind, kind: str, head: str, cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    if len({each.document.document_id for each in cited}) < len(cited) or len(cited) < 2:
        return _refused("a conflict needs a quote of each of two documents or more")
    names = {each.place: each.name for each in cited}
    conflict = conflict_shown(claim, kind, head, cited, grounds)
    if conflict is None:
        return _refused(_UNTOLD[claim])
    recipe = {
        "conflict": kind,
        "head": head,
        "similarity": conflict.similarity,
        "values": [side.value for side in conflict.sides],
    }
    text = wordings.conflict(conflict, [names[place] for place in conflict.places], grounds.wording)
    return Restatement(text=text, recipe=recipe)


def conflict_shown(
    claim: ClaimKind, kind: str, head: str, cited: Sequence[CitedStatement], grounds: Grounds
) -> StatementConflict | None:
    """The conflict that some quotes are in with each other; None where they are in none of that kind.

    Args:
        claim: whether they are at odds, or one of them is the stricter.
        kind: in what they differ.
        head: what that is of.
        cited: the quotes, in order.
        grounds: what the generation offers to its claims.
    """
    found = conflicts_among(entries_of(each.statement for each in cited), grounds.weights, grounds.standings)
    places = {each.place for each in cited}
    told = (
        each
        for each in found
        if (each.relation, each.kind, each.head) == (claim, kind, head) and set(each.places) == places
    )
    return next(told, None)


_UNTOLD = {
    "conflict": "the cited quotes do not differ in it",
    "stricter": "none of the cited quotes is stricter in it than the others",
}
"""Why statements are no conflict, or none of them is the stricter; also told where they do not bind the same people."""


def _reported(topic: str, recipe: Mapping[str, Any], cited: Sequence[CitedStatement]) -> Restatement:
    """What a model reported: that its sides differ is the model's word, which a judge hears; what each side says is theirs."""
    if len({each.document.document_id for each in cited}) < len(cited) or len(cited) < 2:
        return _refused("a conflict needs a quote of each of two documents or more")
    return Restatement(text=phrases.reported(topic, {each.name: each.text for each in cited}), recipe=dict(recipe))


def _read(recipe: Mapping[str, Any], cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    """What a model found at odds of two statements, of one document or of two, that it read together: likewise.

    What closes it is established here, by the words of the statements.
    """
    if len({each.place for each in cited}) != 2 or len(cited) != 2:
        return _refused("statements at odds are two quotes")
    words = recipe.get("words", [each.text for each in cited])
    if len(words) != len(cited) or not all(own in each.text for own, each in zip(words, cited, strict=True)):
        return _refused("a cited quote does not have the words that are at odds")
    return Restatement(text=wordings.at_odds(recipe, cited, grounds.wording), recipe=dict(recipe))


def _requirement(kind: str, action: str, cited: Sequence[CitedStatement]) -> Restatement:
    recipe = {"requirement": kind, "action": action}
    duties = [
        each
        for each in cited[0].extractions
        if each.extraction_kind == kind and (each.read_as(NormData).action or "") == action
    ]
    if len(cited) > 1 or kind not in phrases.DUTIES or not duties:
        return _refused("the cited quote asks for nothing of the kind")
    return Restatement(text=phrases.requirement(cited[0].name, cited[0].text), recipe=recipe)
