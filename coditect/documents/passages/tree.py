"""The passages of one document as a tree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coditect.errors import NotFound, UsageError
from coditect.schemas.passage import Passage

__all__ = ["PassageTree"]


@dataclass(frozen=True, slots=True)
class PassageTree:
    """The passages of one document.

    Args:
        passages: all of them, in any order.
    """

    passages: Sequence[Passage]
    by_id: Mapping[str, Passage] = field(init=False, repr=False, compare=False)
    _levels: tuple[tuple[Passage, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Sort them by level and number."""
        count = 1 + max((each.level for each in self.passages), default=-1)
        levels: list[list[Passage]] = [[] for _ in range(count)]
        for each in sorted(self.passages, key=lambda passage: passage.ordinal):
            levels[each.level].append(each)
        object.__setattr__(self, "by_id", {each.passage_id: each for each in self.passages})
        object.__setattr__(self, "_levels", tuple(tuple(level) for level in levels))

    @property
    def level_count(self) -> int:
        """How many levels there are; 0 without passages."""
        return len(self._levels)

    def at(self, level: int) -> tuple[Passage, ...]:
        """The passages of a level, in order.

        Raises:
            UsageError: there is no such level.
        """
        if not 0 <= level < len(self._levels):
            raise UsageError(
                "no such level of passages", hint="0 is the smallest", level=level, levels=len(self._levels)
            )
        return self._levels[level]

    def parent(self, passage: Passage) -> Passage | None:
        """The passage of the next level that holds it; None at the top.

        Raises:
            NotFound: the parent is not among the passages.
        """
        if not passage.parent_id:
            return None
        if passage.parent_id not in self.by_id:
            raise NotFound("a passage's parent is missing", passage_id=passage.passage_id, parent_id=passage.parent_id)
        return self.by_id[passage.parent_id]

    def ancestor(self, passage: Passage, level: int) -> Passage:
        """The passage of ``level`` that holds ``passage``; itself at its own level.

        Raises:
            UsageError: there is no such level above it.
            NotFound: one between them is not among the passages.
        """
        if level < passage.level:
            raise UsageError("a smaller passage is no ancestor", level=level, passage_level=passage.level)
        found = passage
        while found.level < level:
            above = self.parent(found)
            if above is None:
                raise UsageError("no such level of passages", level=level, levels=len(self._levels))
            found = above
        return found

    def children(self, passage: Passage) -> tuple[Passage, ...]:
        """The passages of the next smaller level inside it, in order; none at level 0."""
        if passage.level == 0:
            return ()
        return self.at(passage.level - 1)[passage.first_child : passage.first_child + passage.child_count]

    def leaf_at(self, offset: int) -> Passage | None:
        """The first smallest passage that holds a code point; None between passages."""
        found: Passage | None = None
        siblings = self._levels[-1] if self._levels else ()
        while siblings:
            index = bisect_right(siblings, offset, key=lambda each: each.char_offset_end)
            if index == len(siblings) or siblings[index].char_offset_start > offset:
                return None
            found = siblings[index]
            siblings = self.children(found)
        return found
