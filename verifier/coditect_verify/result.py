"""What is trusted, and what comes out: hops that hold or are wrong, the order that was proven, and what could not be checked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from coditect_verify.log import Checkpoint, Key, Wrong, must

UNCHECKED = {
    "kept": "Whether the log continues what was signed before: no checkpoint was given (--checkpoint).",
    "witnesses": "Whether others are shown the same log: no witness' key was given (--witness).",
    "unstamped": "When this was logged: the log proves order, and the bundle holds no time stamp.",
    "stamps": "When this was logged: the time stamps were not checked: no authority was given (--tsa).",
    "files": "Whether the files given were all files there are: the manifest says that {} failed and {} repeat others.",
    "judged": "Whether each claim follows from its quotes: that is the checker's judgement ({}); read both, or replay it.",
    "names": "Whether decisions were made by those whom they name: a name is not a signature.",
    "readings": "Whether readings, selected sentences and sections are what the rules give ('validate --deep' tells).",
    "format": "Whether quotes stand in {} as in its canonical text: {} read that ({}), which this cannot; open the file.",
    "bytes": "The file {}: its bytes are not in the bundle; hash your own copy of it.",
    "intake": "When {} was taken in: the bundle has no entry of it; it was imported, is older than the log, or was left out.",
    "record": "Whether the intake of {} was as its entry says: the bundle lacks its record; it was replaced since, or left out.",
    "unsigned": "Who stands for this: the bundle holds no signature of a person.",
    "signer": "Whether the key {} is {}'s: it was not given (--signer).",
    "earlier": "Whether {} was there when {} signed it (entry {}, before this generation's {}): a bundle of that time tells.",
    "revoked": "Whether {} still held when it signed: a revocation is an entry that a bundle need not have; ask {}.",
    "later": "What happened after this checkpoint: a document may have been withdrawn, a generation replaced.",
    "signed": "What {} signed, {}: nothing in the bundle led to it.",
    "idle": "Nothing by the key {} that you gave: no signature in the bundle that holds is by it.",
    "unread": "Members that nothing leads to, {}: {}; nothing is known of them.",
    "behind": "What stands behind something wrong: of the members {} were not looked at: {}.",
    "rest": "Everything else in the bundle: nothing was looked at, since what comes first ({}) is wrong.",
}
"""Everything that can be left unchecked."""

RESTS = "it rests on "
"""How a hop begins that is wrong because another one is."""


@dataclass(frozen=True)
class Trust:
    """What the caller believes, from elsewhere than the bundle.

    Attributes:
        log_keys: of the log.
        kept: a checkpoint that the caller keeps.
        witnesses: keys of witnesses.
        quorum: how many of them must have cosigned.
        people: keys of persons who sign.
        authority: certificates of the time stamp authority, PEM.
    """

    log_keys: Sequence[Key] = ()
    kept: Checkpoint | None = None
    witnesses: Sequence[Key] = ()
    quorum: int = 0
    people: Sequence[Key] = ()
    authority: bytes = b""


@dataclass(frozen=True)
class Hop:
    """One thing that was checked: ``kind`` of hop, what it is of, whether it holds, and what was found."""

    kind: str
    subject: str
    holds: bool
    detail: str


@dataclass
class Verification:
    """What came out.

    Attributes:
        subject: of what the bundle is evidence, as it says.
        says: the words of the claim that it is evidence of, as the bundle has them, whether they are right or not.
        hops: everything that was checked, each thing once.
        order: what was logged before what, as sentences.
        unchecked: everything that could not be checked, as sentences.
        unread: every member that was not looked at.
        checkpoint: the log's checkpoint as a signed note, to be kept for the next time; "" where none holds.
        known: hops by kind and subject.
    """

    subject: str = ""
    says: str = ""
    hops: list[Hop] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    checkpoint: str = ""
    known: dict[tuple[str, str], Hop] = field(default_factory=dict, repr=False)

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return bool(self.hops) and all(each.holds for each in self.hops)

    @property
    def causes(self) -> list[Hop]:
        """The hops that are wrong by themselves, each cause once, and not those that are because of others on which they rest."""
        wrong = [each for each in self.hops if not each.holds and not each.detail.startswith(RESTS)]
        return list({each.detail: each for each in reversed(wrong)}.values())[::-1]

    @contextmanager
    def hop(self, kind: str, subject: str) -> Iterator[list[str]]:
        """A hop: what is raised in it is what is wrong, what is added to the list is what was found; hops inside are rested on."""
        found: list[str] = []
        first = len(self.hops)
        try:
            yield found
            inside = [each for each in self.hops[first:] if not each.holds]
            must(not inside, f"{RESTS}{inside[0].kind} {inside[0].subject}, which is wrong" if inside else "")
        except Wrong as wrong:
            hop = Hop(kind, subject, False, str(wrong))
        except Exception as error:  # noqa: BLE001 - whatever is wrong in a bundle is told, and keeps nothing else from being looked at
            hop = Hop(kind, subject, False, f"a record of {subject} does not have its shape: {error!r}")
        else:
            hop = Hop(kind, subject, True, "; ".join(found))
        self.hops.append(hop)
        self.known[kind, subject] = hop

    def looked_at(self, kind: str, subject: str) -> bool:
        """Whether a hop was looked at before; Wrong if it was, and is wrong."""
        known = self.known.get((kind, subject))
        must(known is None or known.holds, f"{RESTS}{kind} {subject}, which is wrong")
        return known is not None

    def judged(self, subject: str) -> bool:
        """Whether something was looked at, as whatever kind of hop; Wrong if it was, and is wrong."""
        return sum(self.looked_at(kind, each) for kind, each in list(self.known) if each == subject) > 0

    def all_of(self, checks: Iterable[Callable[[], object]]) -> None:
        """Do every check, whatever is wrong with those before; Wrong with everything that was, or with what the first rests on."""
        wrong: dict[str, bool] = {}
        for check in checks:
            try:
                check()
            except Wrong as error:
                wrong[str(error)] = str(error).startswith(RESTS)
        must(not wrong, "; ".join([each for each, rests in wrong.items() if not rests][:3] or [*wrong][:1]))

    def leave(self, name: str, *values: object) -> None:
        """Name something that could not be checked, once."""
        sentence = UNCHECKED[name].format(*values)
        if sentence not in self.unchecked:
            self.unchecked.append(sentence)
