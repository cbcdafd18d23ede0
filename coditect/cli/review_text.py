"""What ``coditect knowledge review`` prints for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coditect.cli.console import BAD, FAINT, GOOD, TITLE, WARN, Screen, counted

if TYPE_CHECKING:
    from coditect.schemas import DecisionStatus, ItemDecision, PendingReview, Review

__all__ = ["said_of", "write_decisions", "write_pending", "write_shown", "write_signed"]


def write_pending(found: list[PendingReview]) -> None:
    """What waits for a person, with the evidence; of a decision that is open again, what it was."""
    page = Screen()
    unsettled = [each for each in found if each.label == "needs_review" and not each.reviews]
    reopened = [each for each in unsettled if each.reopened is not None]
    waiting = [each for each in unsettled if each.waiting is not None]
    heading = counted(len(unsettled) - len(reopened) - len(waiting), "claim")
    page.line((heading, TITLE), " to be settled" if found else "; nothing needs review")
    if reopened:
        page.line((counted(len(reopened), "decision"), TITLE), " to be made again")
    if waiting:
        page.line((counted(len(waiting), "decision"), TITLE), " waiting for signatures")
    for each in found:
        page.line()
        page.line(
            "  ",
            (each.label.replace("_", " "), WARN if each in unsettled else GOOD),
            f"  {each.support_score:.2f}  " if each.claim_id else "  ",
            (each.item_id or "gone", FAINT),
        )
        page.block(2, each.text)
        page.block(4, (each.reason, FAINT))
        if each.hint:
            page.block(4, f"to help decide: {each.hint}")
        for quote in each.evidence:
            page.block(4, f"“{quote}”")
        if each.reopened is not None:
            page.block(4, (f"was decided: {_said(each.reopened)}", WARN))
            page.block(4, (each.reopened.review_id, FAINT))
        if each.waiting is not None:
            page.block(4, (f"decided: {_said(each.waiting)}", WARN))
            page.block(4, (each.waiting.review_id, FAINT))
        for signed in each.reviews:
            page.block(4, (_said(signed), GOOD))


def write_decisions(found: list[DecisionStatus]) -> None:
    """Decisions by time, each with what became of it."""
    page = Screen()
    page.line((counted(len(found), "decision"), TITLE))
    for each in found:
        page.line()
        style = GOOD if each.state in ("in force", "next build") else WARN
        state = each.detail if each.state == "waiting" else each.state
        page.line("  ", (state, style), f"  {_said(each.review)}")
        page.block(2, each.review.claim_text)
        if each.review.row is not None:
            row = each.review.row
            page.block(4, (f"{row.named_part or row.requirement_id}, {row.document} of {row.framework}", FAINT))
            for sentence in row.sentences:
                page.block(6, (f"“{sentence.text}” {sentence.document}", FAINT))
        if each.review.extraction is not None:
            page.block(4, (f"{each.review.extraction.document}, {each.review.extraction.kind}", FAINT))
        for name, value in (each.review.changes or {}).items():
            page.block(4, f"{name}: {'nothing' if value is None else value}")
        for signature in each.signatures:
            said = f"{signature.by}, {signature.role}, {signature.at}: {signature.meaning}"
            page.block(4, ("signature not valid", BAD) if signature.problems else ("signed", GOOD), f"  {said}")
            for problem in signature.problems:
                page.block(6, (problem, BAD))
        if not each.signatures:
            page.block(4, ("unsigned", FAINT))
        if each.detail and each.state != "waiting":
            page.block(4, (each.detail, FAINT if each.review.row is None else WARN))
        page.block(4, (" ".join(part for part in (each.review.review_id, each.item_id) if part), FAINT))


def write_shown(text: str, output_format: str) -> None:
    """What a signature would be bound to, with its digest."""
    from hashlib import sha256

    digest = sha256(text.encode()).hexdigest()
    if output_format == "json":
        from coditect.cli.output import write_json

        write_json({"shown": text, "sha256": digest})
        return
    page = Screen()
    for line in text.splitlines():
        page.line(line)
    page.line((f"SHA-256 {digest}", FAINT))
    page.line(
        "Nothing was stored. To sign this and nothing else: the same command with --shown and this digest, without --show."
    )


def write_signed(signed: Review, waits: str = "") -> None:
    """A decision that was just stored, and what it waits for."""
    page = Screen()
    page.line((_decision(signed), GOOD), f"  {signed.by}, {signed.at}  ", (signed.review_id, FAINT))
    page.block(2, signed.claim_text)
    for name, value in (signed.changes or {}).items():
        page.block(4, f"{name}: {'nothing' if value is None else value}")
    page.block(2, signed.meaning)
    page.line(f"It is {waits}, and decides nothing until then." if waits else "It takes effect in the next build.")


def _decision(signed: Review) -> str:
    until = f" until {signed.until}" if signed.until else ""
    return signed.decision.replace("_", " ") + until


def said_of(decided: ItemDecision) -> str:
    """A decision on one line."""
    until = f" until {decided.until}" if decided.until else ""
    return f"decided: {decided.decision.replace('_', ' ')}{until}, {decided.by}, {decided.at}: {decided.meaning}"


def _said(signed: Review) -> str:
    return f"{_decision(signed)}, {signed.by}, {signed.at}: {signed.meaning}"
