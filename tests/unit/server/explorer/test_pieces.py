"""A marked text is the text, and every mark is where it was put."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coditect.server.explorer.shown.reading.pieces import MarkedWords, Overlay

SPANS = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda s: (min(s), max(s)))
TEXT = "".join(chr(ord("a") + n % 26) for n in range(60))


def _mark(span: tuple[int, int], kind: str = "obligation") -> MarkedWords:
    return MarkedWords(*span, kind, f"/{span[0]}-{span[1]}", kind)


@given(st.lists(SPANS, max_size=6), st.lists(SPANS, max_size=12), SPANS)
def test_pieces_are_the_text_and_know_what_covers_them(
    hits: list[tuple[int, int]], marks: list[tuple[int, int]], window: tuple[int, int]
) -> None:
    """Joined, they are the stretch; each is highlighted as each of its characters is; its mark is the smallest around it."""
    start, end = window
    pieces = Overlay(hits, map(_mark, marks)).pieces(TEXT, start, end)
    assert "".join(piece.text for piece in pieces) == TEXT[start:end]
    at = start
    for piece in pieces:
        for position in range(at, at + len(piece.text)):
            assert piece.hit == any(a <= position < b for a, b in hits)
            around = [b - a for a, b in marks if a <= position < b]
            assert (piece.mark is None) == (not around)
            assert piece.mark is None or piece.mark.end - piece.mark.start == min(around)
        at += len(piece.text)


def test_only_the_first_piece_of_a_highlight_is_where_an_address_jumps_to() -> None:
    """A mark inside of a highlight cuts it; the jump goes to its beginning."""
    pieces = Overlay([(2, 12)], [_mark((5, 8))]).pieces(TEXT, 0, 20)
    assert [(p.text, p.hit, p.first) for p in pieces] == [
        ("ab", False, False),
        ("cde", True, True),
        ("fgh", True, False),
        ("ijkl", True, False),
        ("mnopqrst", False, False),
    ]


def test_marks_are_found_however_long_the_longest_is() -> None:
    """A mark that begins far before the stretch and reaches into it is not passed over."""
    overlay = Overlay([], [_mark((0, 59), "definition"), _mark((30, 33))])
    assert [m.kind for m in overlay.marks_in(40, 50)] == ["definition"]
    assert not overlay.marks_in(59, 60)
