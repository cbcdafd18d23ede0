"""Items, answers and chains of evidence as text, to be read from top to bottom.

What a document says stands in quotation marks with its place below it; what the program wrote is marked ``[synthetic]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from coditect.cli.console import FAINT, ID, TITLE, WARN, Screen, counted
from coditect.cli.terminal import one_line

if TYPE_CHECKING:
    from coditect.schemas import Hit, QueryResult, Source

__all__ = ["write_answers", "write_chain", "write_tier_below"]

TIER_WORDS = {0: "passage", 1: "extraction", 2: "chunk", 3: "section", 4: "claim"}

LONGEST_OPENING = 400
"""Characters of what holds an answer that are shown."""

STEP = 4
"""Columns that a tier is indented by."""

FOCUS = ("⟦", "⟧")
"""Around the sentences of a passage that answer; no document's own brackets look so."""

OTHER_TIERS = {
    "corpus": "--tier section searches the quotes by topic",
    "section": "--tier extraction searches everything that the documents say",
    "chunk": "--tier extraction searches everything that the documents say",
    "extraction": "no statement uses these words; try others, or the tier chunk",
    "passage": "no passage uses these words; try others, or leave filters out",
    "proposition": "--tier extraction searches every statement",
}


def write_answers(page: Screen, result: QueryResult, *, with_sources: bool) -> None:
    """The answers to a question, best first.

    Args:
        page: where.
        result: its hits with their sources, which tell quotes from what the program wrote.
        with_sources: show ids and extractions under each quote, and the hashes of the files.
    """
    where = f"corpus {result.corpus_id}, generation {result.generation}, tier {result.tier}"
    if not result.hits:
        page.line(("No answer", TITLE), f" to “{result.query}” in {where}.")
        other = f"Try another tier or other words: {OTHER_TIERS[result.tier]}."
        page.line(f"{result.note[:1].upper()}{result.note[1:]}." if result.note else other)
        return
    answers = sum(not hit.mark for hit in result.hits)
    page.line((counted(answers, "answer") if answers else "No answer", TITLE), f" to “{result.query}” in {where}")
    if result.note:
        page.line((result.note, FAINT))
    marked = [_focus_of(hit) for hit in result.hits]
    if any(marked):
        page.line((f"{' '.join(FOCUS)} stand around the sentences that answer.", FAINT))
    for hit, focus in zip(result.hits, marked, strict=True):
        page.line()
        _write_mark(page, hit)
        if focus is not None:
            _write_focused(page, hit, *focus)
        else:
            _write_item(page, hit.item, f"{hit.rank}. ", 0, with_sources, _score(hit))
        _write_surroundings(page, hit)
    for name, phrases in result.standing.items():
        page.line()
        page.line((name, TITLE), ": ", ("; ".join(phrases), WARN))
    if with_sources:
        _write_files(page, [hit.item for hit in result.hits])


def _focus_of(hit: Hit) -> tuple[int, int] | None:
    """Where the focus stands in an answer's text, if it is less than all of it."""
    item, focus = hit.item, hit.focus
    start, stop = item.span_of(focus)
    return (start, stop) if focus is not None and stop and focus.text != item.text else None


def _write_focused(page: Screen, hit: Hit, start: int, stop: int) -> None:
    """A passage with its focus marked, by signs and not by type alone."""
    item, number = hit.item, f"{hit.rank}. "
    before, inside, after = item.text[:start], item.text[start:stop], item.text[stop:]
    page.numbered(0, number, f"“{before}", (f"{FOCUS[0]}{inside}{FOCUS[1]}", TITLE), f"{after}”")
    begin = item.char_offset_start or 0
    page.block(len(number), (f"{_place(item)}, answering {begin + start}–{begin + stop}", FAINT))
    _write_id(page, len(number), item, ", ".join(part for part in (_strengths(item), _score(hit)) if part))


def _write_mark(page: Screen, hit: Hit) -> None:
    """Of what is no answer itself, in front of its words: what it has to do with which passage that answers."""
    if not hit.mark:
        return
    other = hit.answered_by if hit.answered_by is not None and hit.answered_by.item_id != hit.item.item_id else None
    page.line((f"{hit.mark[:1].upper()}{hit.mark[1:]}{'.' if other is None else ':'}", WARN))
    if other is not None:
        page.block(STEP, _opening(other.text, other.span_of(hit.answered_focus)))
        page.block(STEP, (_place(other), FAINT))


def _write_surroundings(page: Screen, hit: Hit) -> None:
    """What was asked for beside an answer: how it was found, what holds it, where it leads."""
    indent = len(f"{hit.rank}. ") + STEP
    for part in hit.parts:
        place = "" if part.rank is None else f", rank {part.rank}"
        page.block(indent, (f"{part.part} {part.score:.3f}{place}: adds {part.contribution:.3f}", FAINT))
    for holder in hit.context:
        page.block(indent, (f"in the {holder.kind} ", TITLE), (_place(holder), FAINT))
        page.block(indent + STEP, _opening(holder.text))
    for reference in hit.references:
        what = "refers to" if reference.kind == "cross_reference" else "uses the term"
        if reference.target is None:
            page.block(indent, f"{what} “{reference.text}”: not resolved, {reference.reason}")
        else:
            page.block(indent, f"{what} “{reference.text}” ", (_place(reference.target), FAINT))
            page.block(indent + STEP, _opening(reference.target.text))


def _opening(text: str, answering: tuple[int, int] = (0, 0)) -> str:
    """The beginning of a long text; where the sentences that answer would be cut, from where they begin, and all of them."""
    start, stop = answering
    begin = 0 if stop <= LONGEST_OPENING else start
    end = max(stop, begin + LONGEST_OPENING)
    shown = text[begin:] if end >= len(text) else text[begin:end] if end == stop else text[begin:end].rsplit(None, 1)[0]
    return f"{'… ' if begin else ''}{shown}{' …' if begin + len(shown) < len(text) else ''}"


def write_chain(page: Screen, item: Source) -> None:
    """An item with its whole chain of evidence."""
    _write_item(page, item, "", 0, True, "")
    _write_files(page, [item])


def write_tier_below(page: Screen, item: Source, sources: Sequence[Source]) -> None:
    """The items one tier below an item.

    Args:
        page: where.
        item: from which the reader comes.
        sources: its sources; sections with their own sources, which tell quotes from what the program wrote.
    """
    kind = "summary" if item.kind == "summary" else TIER_WORDS[item.tier]
    if not sources:
        page.line((f"Nothing below this {kind}", TITLE), _why_nothing(item))
        page.line()
        _write_item(page, item, "", 0, True, "")
        _write_files(page, [item])
        return
    page.line((counted(len(sources), TIER_WORDS[sources[0].tier]), TITLE), f" below the {kind} ", (item.item_id, ID))
    for number, source in enumerate(sources, 1):
        page.line()
        _write_item(page, source, f"{number}. ", 0, False, "")
    _write_files(page, sources)


def _why_nothing(item: Source) -> str:
    if item.tier == 1:
        return ": it stands in the file itself."
    return ": it cites no section; its figure was counted over the whole corpus." if item.tier == 4 else "."


def _score(hit: Hit) -> str:
    return f"{hit.matched_by} match, score {hit.score:.2f}"


def _write_item(page: Screen, item: Source, number: str, indent: int, with_sources: bool, remark: str) -> None:
    """One item of any tier; ``indent`` is the column of its number."""
    inner = indent + len(number)
    details = ", ".join(part for part in (_strengths(item), remark) if part)
    match item.tier:
        case 4:
            page.numbered(indent, number, (item.text, TITLE))
            _write_id(page, inner, item, details)
            if with_sources:
                for section in item.sources:
                    _write_item(page, section, "", inner + STEP, True, "")
        case 3:
            page.numbered(indent, number, (item.heading or "(no topic)", TITLE))
            _write_id(page, inner, item, details)
            for part in _parts(item):
                if isinstance(part, str):
                    page.block(inner, ("[synthetic] ", WARN), part)
                else:
                    _write_quote(page, part, inner + STEP, with_sources)
        case 2:
            page.numbered(indent, number, (item.heading or item.document_name, TITLE))
            _write_id(page, inner, item, details)
            page.block(inner, (_place(item), FAINT))
            _write_chunk(page, item, inner + STEP, with_sources)
        case _:
            page.numbered(indent, number, f"“{item.text}”")
            page.block(inner, (_place(item), FAINT))
            _write_id(page, inner, item, details)


def _write_id(page: Screen, indent: int, item: Source, details: str) -> None:
    kind = item.kind if item.tier in (1, 2) else f"{TIER_WORDS[item.tier]}, {item.kind}"
    page.block(indent, (item.item_id, ID), (f"  {kind}" + (f", {details}" if details else ""), FAINT))


def _write_quote(page: Screen, quote: Source, indent: int, with_sources: bool) -> None:
    page.block(indent, f"“{quote.text}”")
    # The extraction inside a quote knows its clause; the chunk knows only the one in which it begins itself.
    clause = next((_clause(each) for each in quote.sources if _clause(each)), "")
    page.block(indent, (_place(quote, clause), FAINT))
    if with_sources:
        page.block(indent, (quote.item_id, ID), ("  chunk", FAINT))
        for item, depth in _nested(quote.sources):
            _write_extraction(page, item, indent + STEP * (depth + 1), repeat=item.text != quote.text)


def _write_chunk(page: Screen, chunk: Source, indent: int, with_sources: bool) -> None:
    """A chunk's selected sentences, each a quotation of its own: there may be others between them in the document."""
    nested = list(_nested(chunk.sources))
    if with_sources:
        for item, depth in nested:
            _write_extraction(page, item, indent + STEP * depth, repeat=True)
    elif chunk.text == " ".join(item.text for item, depth in nested if not depth):
        for item, depth in nested:
            if not depth:
                page.block(indent, f"“{item.text}”")
    else:
        page.block(indent, chunk.text)


def _write_extraction(page: Screen, item: Source, indent: int, *, repeat: bool) -> None:
    page.block(indent, (item.item_id, ID), (f"  {item.kind}, characters {_span(item)}, {_strengths(item)}", FAINT))
    if repeat:
        page.block(indent, f"“{item.text}”")


def _nested(extractions: Sequence[Source]) -> Iterator[tuple[Source, int]]:
    """Extractions in document order, each with the number of others that it lies in."""
    spans: list[tuple[int, int]] = []
    for item in sorted(extractions, key=lambda each: (each.char_offset_start or 0, -(each.char_offset_end or 0))):
        start, end = item.char_offset_start or 0, item.char_offset_end or 0
        # Two readings of the same words stand side by side.
        spans = [span for span in spans if span[0] <= start and end <= span[1] and span != (start, end)]
        yield item, len(spans)
        spans.append((start, end))


def _parts(section: Source) -> Iterator[str | Source]:
    """A section's content in order: quotes as sources, and the lines between them, which the program wrote."""
    rest = section.text
    for quote in section.sources:
        before, found, after = _cut(rest, quote.text)
        if found:
            yield from (line for line in before.split("\n") if line)
            rest = after
        yield quote
    yield from (line for line in rest.split("\n") if line)


def _cut(text: str, wanted: str) -> tuple[str, bool, str]:
    """``text`` around the first ``wanted`` that begins and ends with a line."""
    padded, target = f"\n{text}\n", f"\n{wanted}\n"
    at = padded.find(target)
    return (text, False, "") if at < 0 else (padded[1 : at + 1], True, padded[at + len(target) : -1])


def _place(item: Source, heading: str = "") -> str:
    """Where a quotation stands: document, heading (default: the item's), page, characters."""
    parts = [f"— {one_line(item.document_name)}"]
    heading = heading or _clause(item)
    if heading and heading != item.document_name:
        parts[0] += f" › {heading}"
    if item.page is not None:
        parts.append(f"page {item.page}")
    if item.char_offset_start is not None:
        parts.append(f"characters {_span(item)}")
    return ", ".join(parts)


def _clause(item: Source) -> str:
    """The clause of a quotation as a person cites it: its whole path of numbers, and the title that stands above it."""
    if not item.locator or item.heading.startswith(item.locator):
        return item.heading
    label, _, title = item.heading.partition(" ")
    if not any(char.isdigit() for char in label) and not label.startswith("("):
        title = item.heading
    return f"{item.locator} {title}".strip()


def _span(item: Source) -> str:
    return f"{item.char_offset_start}–{item.char_offset_end}"


def _strengths(item: Source) -> str:
    weight = [f"severity {item.severity}"] if item.severity else []
    scores = (("support", item.support_score), ("confidence", item.confidence))
    said = weight + [f"{name} {value:.2f}" for name, value in scores if value is not None]
    return ", ".join([*said, _decided(item)] if item.decided is not None else said)


def _decided(item: Source) -> str:
    """What a person decided of an item; of a correction, what had been read before."""
    decided = item.decided
    if decided is None:
        return ""
    until = f" until {decided.until}" if decided.until else ""
    before = ""
    if decided.original_kind is not None:
        read = "; ".join(f"{name}: {value}" for name, value in (decided.original_data or {}).items())
        before = f"; had been read as {decided.original_kind}" + (f" ({read})" if read else "")
    return f"{decided.decision.replace('_', ' ')}{until} by {decided.by}: {decided.meaning}{before}"


def _write_files(page: Screen, items: Sequence[Source]) -> None:
    """The SHA-256 of every file that is cited."""
    files = sorted({pair for item in items for pair in _files(item)})
    if files:
        page.line()
        page.line(("Files cited, with their SHA-256", TITLE))
        page.table(("file", "SHA-256"), files)


def _files(item: Source) -> Iterator[tuple[str, str]]:
    if item.document_name:
        yield item.document_name, item.raw_sha256
    for source in item.sources:
        yield from _files(source)
