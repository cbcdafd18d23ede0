"""What must hold of the passages of a document, computed anew from its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from coditect.documents.passages.hierarchy import anchored, count_tokens
from coditect.documents.passages.tree import PassageTree
from coditect.errors import QuoteNotFound
from coditect.language.matched import MatchedText
from coditect.models.port import IntArray
from coditect.schemas.document import DocumentVersion
from coditect.schemas.passage import Passage

__all__ = ["check_passages", "require_passage"]


def require_passage(text: str, passage: Passage) -> None:
    """A passage is a trimmed stretch of the document's text, and its id is that of its content.

    Raises:
        QuoteNotFound: the offsets do not hold.
    """
    start, end = passage.char_offset_start, passage.char_offset_end
    if not start < end <= len(text) or text[start].isspace() or text[end - 1].isspace():
        raise QuoteNotFound(
            "a passage is not a stretch of its document's text",
            passage_id=passage.passage_id,
            document_id=passage.document_id,
            start=start,
            end=end,
        )


def check_passages(
    passages: Sequence[Passage], text: str, version: DocumentVersion, tokens: IntArray | None = None
) -> list[str]:
    """What is wrong with the passages of a document, computed anew.

    Args:
        passages: all of one document, in any order.
        text: its canonical text.
        version: what they must belong to.
        tokens: where each token begins, shape (tokens,), by the tokenizer that they were counted with; None to leave
            the counts unchecked.
    Returns:
        one line for each finding, the passage's id first; empty if all is well.
    """
    found = list(_single_findings(passages, text, version, tokens))
    if found:
        return found  # the tree is only asked for what has sound parts
    tree = PassageTree(passages)
    matched = MatchedText(text)
    if not passages:
        return [] if not matched.text.strip() else [f"{version.version_id}: the document has no passages"]
    for level in range(tree.level_count):
        ordered = tree.at(level)
        if [each.ordinal for each in ordered] != list(range(len(ordered))):
            found.append(f"{version.version_id}: the passages of level {level} are not numbered without gaps")
        if len({each.level_tokens for each in ordered}) != 1:
            found.append(f"{version.version_id}: the passages of level {level} are not of one size")
    if not found:
        found += _tree_findings(tree, matched, version)
    return found


def _single_findings(
    passages: Sequence[Passage], text: str, version: DocumentVersion, tokens: IntArray | None
) -> Iterator[str]:
    starts = None if tokens is None else anchored(text, tokens)
    for each in passages:
        if (each.document_id, each.version_id) != (version.document_id, version.version_id):
            yield f"{each.passage_id}: belongs to another document or version"
            continue
        try:
            require_passage(text, each)
        except QuoteNotFound as error:
            yield f"{each.passage_id}: {error.message}"
            continue
        start, end = each.char_offset_start, each.char_offset_end
        if starts is not None and each.token_count != count_tokens(starts, start, end):
            yield f"{each.passage_id}: its token count is not that of its text"
        if each.token_count > each.level_tokens and end - start > 1:
            yield f"{each.passage_id}: has more tokens than its level allows"
        if each.level and each.proposition_ids:
            yield f"{each.passage_id}: lists propositions, but is not of the smallest level"


def _tree_findings(tree: PassageTree, matched: MatchedText, version: DocumentVersion) -> Iterator[str]:
    top = tree.at(tree.level_count - 1)
    yield from _cover_findings(version.version_id, top, matched, 0, len(matched.verbatim))
    for each in top:
        if each.parent_id:
            yield f"{each.passage_id}: has a parent, but is of the largest level"
    for level in range(1, tree.level_count):
        following = 0
        for parent in tree.at(level):
            children = tree.children(parent)
            if parent.first_child != following or len(children) != parent.child_count or not children:
                yield f"{parent.passage_id}: its children are not where it says"
                return
            following += parent.child_count
            for child in children:
                if child.parent_id != parent.passage_id:
                    yield f"{child.passage_id}: names another parent than the passage that counts it"
                if child.level_tokens >= parent.level_tokens:
                    yield f"{child.passage_id}: its level is not smaller than its parent's"
            start, end = parent.char_offset_start, parent.char_offset_end
            yield from _cover_findings(parent.passage_id, children, matched, start, end)
        if following != len(tree.at(level - 1)):
            yield f"{version.version_id}: passages of level {level - 1} have no parent"


def _cover_findings(name: str, inside: Sequence[Passage], matched: MatchedText, start: int, end: int) -> Iterator[str]:
    """Whether passages lie in ``[start, end)``, in order, none in another, with nothing left out that words are matched in."""
    spans = [(each.char_offset_start, each.char_offset_end) for each in inside]
    if any(a < start or b > end for a, b in spans):
        yield f"{name}: a child does not lie inside it"
    if any(a >= c or b >= d for (a, b), (c, d) in pairwise(spans)):
        yield f"{name}: its children are out of order, or one lies inside another"
    borders = [start, *(b for _, b in spans)], [*(a for a, _ in spans), end]
    gaps = ((matched.position(a), matched.position(b)) for a, b in zip(*borders, strict=True))
    if any(matched.text[a:b].strip() for a, b in gaps):
        yield f"{name}: its children leave out some of its text"
