"""Switching: a person puts a calibration in force, or the shipped figures again. Nothing else does."""

from __future__ import annotations

from coditect.errors import NotFound, UsageError
from coditect.schemas import CalibrationState, CalibrationSwitch
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.transparency.events import event_of

__all__ = ["calibration_state", "switch"]


def switch(store: Store, corpus_id: str, calibration_id: str, *, by: str, meaning: str, at: str) -> CalibrationSwitch:
    """Put a calibration in force; verdicts follow in the next build, answers at once.

    Args:
        store: where.
        corpus_id: the corpus.
        calibration_id: of a proposal of this corpus; "" for the shipped figures.
        by: who decides.
        meaning: of the signature.
        at: now, RFC 3339, UTC.
    Returns:
        the switch, stored.

    Raises:
        NotFound: no such corpus, or no such proposal in it.
        UsageError: it is in force already, or a field is empty.
    """
    store.corpus(corpus_id)
    by, meaning = " ".join(by.split()), meaning.strip()
    if not by or not meaning:
        raise UsageError("a switch names who signs and what the signature means", by=by, meaning=meaning)
    known = calibrations_of(store, corpus_id)
    if calibration_id and calibration_id not in known.proposals:
        raise NotFound(
            "unknown calibration",
            calibration_id=calibration_id,
            corpus_id=corpus_id,
            hint=f"Proposals of this corpus: {', '.join(known.proposals) or 'none yet'}.",
        )
    if calibration_id == (known.in_force.calibration_id if known.in_force else ""):
        what = "the calibration is in force already" if calibration_id else "the shipped figures are in force already"
        raise UsageError(what, corpus_id=corpus_id, hint="'coditect knowledge calibrate --list' shows who switched.")
    made = CalibrationSwitch.create(
        corpus_id=corpus_id,
        calibration_id=calibration_id,
        by=by,
        at=at,
        meaning=meaning,
        follows=tuple(each.switch_id for each in known.switches[-1:]),
        salt=store.acting.salts(),
    )
    event = event_of("switch", corpus_id, made, subject=made.switch_id, at=at, by=store.acting.by)
    write_logged(store.engine, store.keys, [(item_rows(store.keys, made), event)])
    return made


def calibration_state(store: Store, corpus_id: str) -> CalibrationState:
    """The proposals of a corpus, and who switched to which.

    Raises:
        NotFound: no such corpus.
    """
    store.corpus(corpus_id)
    known = calibrations_of(store, corpus_id)
    return CalibrationState(
        corpus_id=corpus_id,
        in_force=known.in_force.calibration_id if known.in_force else "",
        proposals=tuple(known.proposals.values()),
        switches=known.switches,
    )
