"""Parses of our own sentences in the shape that the library of the dependency parser gives them, without that library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["TREES", "Doc", "Token", "doc_of"]


@dataclass(eq=False, slots=True)
class Token:
    """A word of a parse: ``i`` counts words, ``idx`` code points; the root is its own head."""

    i: int
    idx: int
    text: str
    dep_: str
    tag_: str
    children: list[Token] = field(default_factory=list)
    _head: list[Token] = field(default_factory=list)

    @property
    def head(self) -> Token:
        return self._head[0] if self._head else self

    @head.setter
    def head(self, head: Token) -> None:
        self._head = [head]
        head.children.append(self)

    @property
    def subtree(self) -> list[Token]:
        inner = [token for child in self.children for token in child.subtree]
        return sorted([self, *inner], key=lambda token: token.i)

    @property
    def left_edge(self) -> Token:
        return self.subtree[0]

    @property
    def right_edge(self) -> Token:
        return self.subtree[-1]

    @property
    def pos_(self) -> str:
        kinds = {"NNP": "PROPN", "NN": "NOUN", "NNS": "NOUN", "MD": "AUX"}
        return kinds.get(self.tag_, "VERB" if self.tag_.startswith("VB") else "X")

    @property
    def lower_(self) -> str:
        return self.text.lower()

    @property
    def is_alpha(self) -> bool:
        return self.text.isalpha()

    def __len__(self) -> int:
        return len(self.text)


class Stretch:
    """Words of a parse in a row."""

    def __init__(self, tokens: list[Token]) -> None:
        self.start, self.end = tokens[0].i, tokens[-1].i + 1
        self._tokens = tokens

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    def __len__(self) -> int:
        return len(self._tokens)

    @property
    def root(self) -> Token:
        return next(token for token in self._tokens if token.head is token or token.head not in self._tokens)


class Doc:
    """A parsed sentence."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self._tokens = tokens

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    def char_span(self, start: int, end: int, alignment_mode: str) -> Stretch | None:
        assert alignment_mode == "expand"
        inside = [token for token in self._tokens if token.idx < end and start < token.idx + len(token)]
        return Stretch(inside) if inside else None


def doc_of(tree: str) -> Doc:
    """A parse from words as ``word/relation/head/tag``; heads count from 1, and 0 is the head of the root."""
    tokens: list[Token] = []
    heads: list[int] = []
    text = ""
    for number, entry in enumerate(tree.split()):
        word, relation, head, tag = entry.split("/")
        text += "" if not text or word in ",.;" else " "
        tokens.append(Token(number, len(text), word, relation, tag))
        heads.append(int(head))
        text += word
    for token, above in zip(tokens, heads, strict=True):
        if above:
            token.head = tokens[above - 1]
    return Doc(text, tokens)


TREES = (
    "If/mark/5/IN a/det/3/DT key/nsubjpass/5/NN is/auxpass/5/VBZ lost/advcl/10/VBN ,/punct/10/, the/det/8/DT "
    "keeper/nsubj/10/NN "
    "must/aux/10/MD inform/ROOT/0/VB the/det/12/DT owner/dobj/10/NN within/prep/10/IN 5/nummod/15/CD "
    "days/pobj/13/NNS ./punct/10/.",
    "He/nsubj/2/PRP lost/ROOT/0/VBD the/det/4/DT key/dobj/2/NN that/nsubjpass/8/WDT must/aux/8/MD be/auxpass/8/VB "
    "kept/relcl/4/VBN in/prep/8/IN the/det/11/DT safe/pobj/9/NN ./punct/2/.",
    "The/det/2/DT report/nsubjpass/5/NN must/aux/5/MD be/auxpass/5/VB signed/ROOT/0/VBN by/agent/5/IN "
    "the/det/8/DT officer/pobj/6/NN "
    "and/cc/5/CC must/aux/13/MD not/neg/13/RB be/auxpass/13/VB sent/conj/5/VBN before/prep/13/IN noon/pobj/14/NN "
    "unless/mark/19/IN the/det/18/DT board/nsubj/19/NN agrees/advcl/13/VBZ ./punct/5/.",
    "Encrypt/ROOT/0/VB all/det/3/DT keys/dobj/1/NNS if/mark/6/IN you/nsubj/6/PRP leave/advcl/1/VBP ./punct/1/.",
    "Where/advmod/5/WRB the/det/3/DT tenant/nsubj/5/NN is/aux/5/VBZ away/advcl/9/RB ,/punct/9/, the/det/8/DT "
    "landlord/nsubj/9/NN "
    "needs/ROOT/0/VBZ to/aux/11/TO enter/xcomp/9/VB only/advmod/13/RB with/prep/11/IN consent/pobj/13/NN "
    ",/punct/9/, and/cc/9/CC "
    "the/det/18/DT agent/nsubj/20/NN shall/aux/20/MD wait/conj/9/VB until/mark/23/IN he/nsubj/23/PRP "
    "returns/advcl/20/VBZ ./punct/9/.",
    "The/det/2/DT bank/nsubj/3/NN agrees/ROOT/0/VBZ to/aux/5/TO provide/xcomp/3/VB ,/punct/5/, upon/prep/5/IN "
    "request/pobj/7/NN "
    ",/punct/5/, a/det/11/DT copy/dobj/5/NN of/prep/11/IN files/pobj/12/NNS except/prep/5/IN in/prep/14/IN "
    "winter/pobj/15/NN "
    "and/cc/3/CC may/aux/19/MD charge/conj/3/VB fees/dobj/19/NNS ./punct/3/.",
    "A/det/2/DT member/nsubj/10/NN ,/punct/2/, if/mark/5/IN absent/advcl/2/JJ from/prep/5/IN "
    "meetings/pobj/6/NNS ,/punct/2/, "
    "shall/aux/10/MD vote/ROOT/0/VB by/prep/10/IN post/pobj/11/NN ./punct/10/.",
    "There/expl/3/EX must/aux/3/MD be/ROOT/0/VB a/det/5/DT record/attr/3/NN ,/punct/3/, provided/prep/3/VBN "
    "that/mark/10/IN "
    "it/nsubjpass/10/PRP signed/pcomp/7/VBN ./punct/3/.",
    "Keys/nsubjpass/9/NNS ,/punct/1/, which/dobj/5/WDT porters/nsubj/5/NNS keep/relcl/1/VBP ,/punct/1/, shall/aux/9/MD "
    "be/auxpass/9/VB lent/ROOT/0/VBN in/prep/9/IN groups/pobj/10/NNS other/amod/10/JJ than/prep/12/IN "
    "pairs/pobj/13/NNS ./punct/9/.",
    "The/det/2/DT rules/nsubj/3/NNS say/ROOT/0/VBP that/mark/7/IN drivers/nsubj/7/NNS must/aux/7/MD "
    "rest/ccomp/3/VB ./punct/3/.",
    "Keys/nsubjpass/3/NNS are/auxpass/3/VBP kept/ROOT/0/VBN here/advmod/3/RB ./punct/3/.",
    "1/nummod/2/CD Lock/ROOT/0/VB the/det/4/DT door/dobj/2/NN when/advmod/6/WRB leaving/advcl/2/VBG "
    "it/dobj/6/PRP ./punct/2/.",
    "You/nsubj/2/PRP lock/ROOT/0/VB doors/dobj/2/NNS ./punct/2/.",
    "Following/prep/8/VBG a/det/3/DT fire/pobj/1/NN ,/punct/8/, staff/nsubj/8/NN who/nsubj/7/WP may/aux/8/MD "
    "remain/ROOT/0/VB "
    "shall/aux/10/MD count/conj/8/VB guests/dobj/10/NNS during/prep/10/IN the/det/14/DT day/pobj/12/NN ./punct/8/.",
    "The/det/2/DT owner/nsubj/5/NN shall/aux/5/MD promptly/advmod/5/RB repair/ROOT/0/VB the/det/7/DT "
    "roof/dobj/5/NN ,/punct/5/, "
    "and/cc/5/CC shall/aux/11/MD paint/conj/5/VB the/det/13/DT walls/dobj/11/NNS where/advmod/16/WRB they/nsubj/16/PRP "
    "peel/relcl/13/VBP ./punct/5/.",
)
