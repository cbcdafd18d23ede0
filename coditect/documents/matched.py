"""A document as its words are matched: without what only prints beside them, and with the way back to its canonical text."""

from __future__ import annotations

from dataclasses import replace

from coditect.documents.source import SourceText, without_space
from coditect.language.matched import MatchedText, as_matched

__all__ = ["matched_source"]


def matched_source(source: SourceText) -> tuple[SourceText, MatchedText]:
    """The source that patterns are matched on, and the map from its offsets to those of the canonical text.

    Args:
        source: canonical text with its layout.

    Returns:
        The same source where nothing is left out. Else one whose blocks and pages have moved with the text; a block that holds
        nothing else is gone.
    """
    matched, title = MatchedText(source.text), as_matched(source.title)
    if matched.is_verbatim:
        return (source if title is source.title else replace(source, title=title)), matched
    blocks = []
    for block in source.blocks:
        start, end = without_space(matched.text, matched.position(block.start), matched.position(block.end))
        if start < end:
            blocks.append(replace(block, start=start, end=end))
    pages = tuple(
        replace(each, start=matched.position(each.start), end=matched.position(each.end)) for each in source.pages
    )
    proposed = tuple(
        replace(each, start=matched.position(each.start), end=matched.position(each.end)) for each in source.proposed
    )
    return replace(
        source, text=matched.text, title=title, blocks=tuple(blocks), pages=pages, proposed=proposed
    ), matched
