"""``coditect knowledge sign``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    TEXT,
    KnowledgeCommand,
    as_of_option,
    corpus_option,
    format_option,
    remember,
    run_options,
)
from coditect.cli.output import write_json
from coditect.cli.session import load_settings, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.knowledge.report.audit.trail import AuditFilters
    from coditect.schemas import PersonSignature
    from coditect.transparency.notes import Signer

__all__ = ["person_key", "sign", "sign_key_option"]


F = TypeVar("F", bound=Callable[..., Any])


def sign_key_option() -> Callable[[F], F]:
    """``--sign-key``."""
    return click.option(
        "--sign-key",
        type=click.Path(path_type=Path, dir_okay=False),
        expose_value=False,
        callback=remember,
        metavar="FILE",
        help="The key of who signs, as 'coditect keys new --person' wrote it. Environment: CODITECT_SIGN_KEY.",
    )


def person_key(ctx: click.Context) -> Signer | None:
    """The key that signs decisions, as the option or the environment names it; None where neither does.

    Raises:
        UsageError: it cannot be read, or others can read it.
    """
    path = load_settings(ctx).sign_key
    if path is None:
        return None
    from coditect.transparency.custody.key_files import read_signer

    return read_signer(path)


@click.command("sign", cls=KnowledgeCommand)
@corpus_option("The corpus that says what is signed.")
@click.option(
    "--item", "item_id", type=TEXT, metavar="ID", help="A claim, an extraction or a section, with all its evidence."
)
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False, exists=True), metavar="FILE", help="A report's file."
)
@click.option("--meaning", type=TEXT, metavar="TEXT", help="What the signature means: 'approved for the regulator'.")
@click.option(
    "--check",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Say who signed this very file, and whether it was written here. Exit code 1 where nobody signed it.",
)
@click.option("--list", "listed", is_flag=True, help="List every signature of the corpus, and what is wrong with it.")
@sign_key_option()
@as_of_option()
@format_option()
@run_options
@click.pass_context
def sign(
    ctx: click.Context,
    corpus_id: str,
    item_id: str | None,
    report: Path | None,
    meaning: str | None,
    check: Path | None,
    listed: bool,
    as_of: int | None,
    output_format: str,
) -> ExitCode:
    """Sign a statement with its evidence, or the file of a report, with a person's key.

    The signature has the name, the role, the time and the meaning, and is bound to the bytes of the record and of the text that is
    printed: moved or changed, it does not verify. With --list a signature that is not valid is exit code 1.
    """
    if check is not None:
        if item_id or report or meaning or listed:
            raise UsageError("--check signs nothing", hint="Leave out --item, --report, --meaning and --list.")
        return _check(ctx, corpus_id, check, output_format)
    if listed:
        if item_id or report or meaning:
            raise UsageError("--list signs nothing", hint="Leave out --item, --report and --meaning.")
        with open_session(ctx) as knowledge:
            found = knowledge.signatures(corpus_id)
        _write_list(found, output_format)
        return ExitCode.FOUND if any(problems for _, problems in found) else ExitCode.OK
    if (item_id is None) == (report is None) or meaning is None:
        raise UsageError("one thing is signed, with a meaning", hint="Give --item or --report, and --meaning.")
    key = person_key(ctx)
    if key is None:
        raise UsageError("there is no key to sign with", hint="Give --sign-key, or set CODITECT_SIGN_KEY.")
    with open_session(ctx) as knowledge:
        if report is not None:
            made = knowledge.sign_report(corpus_id, report.read_bytes(), key, meaning=meaning, as_of=as_of)
        else:
            made = knowledge.sign(corpus_id, item_id or "", key, meaning=meaning, as_of=as_of)
    if output_format == "json":
        write_json(made.model_dump(mode="json"))
    else:
        _write_list([(made, ())], output_format)
    return ExitCode.OK


def _check(ctx: click.Context, corpus_id: str, file: Path, output_format: str) -> ExitCode:
    """Who signed a file, byte for byte, and when it was written by this program."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    with open_session(ctx) as knowledge:
        every = knowledge.signatures(corpus_id)
        made = [each for each in knowledge.audit(_of_reports(corpus_id)) if (each.after or {}).get("sha256") == digest]
    found = [(each, problems) for each, problems in every if not each.shown and each.shown_sha256 == digest]
    if output_format == "json":
        written = [{"at": each.at, "index": each.index, **(each.after or {})} for each in made]
        signed = [{**each.model_dump(mode="json"), "problems": list(problems)} for each, problems in found]
        write_json({"file": file.name, "sha256": digest, "signatures": signed, "written": written})
    else:
        from coditect.cli.console import BAD, FAINT, GOOD, Screen

        page = Screen()
        page.line(f"{file.name}  ", (f"SHA-256 {digest}", FAINT))
        for each in made:
            page.block(
                2,
                ("written here", GOOD),
                f"  {each.at}, {(each.after or {}).get('what')}, entry {each.index} of the log",
            )
        if not made:
            page.block(
                2, ("The log knows no report or bundle of these bytes: it was changed, or written elsewhere.", BAD)
            )
        if found:
            _write_list(found, output_format)
        else:
            page.block(2, ("Nobody signed a file of these bytes.", BAD))
    return ExitCode.OK if found and not any(problems for _, problems in found) else ExitCode.FOUND


def _of_reports(corpus_id: str) -> AuditFilters:
    from coditect.knowledge.report.audit.trail import AuditFilters

    return AuditFilters(kinds=("report",), corpora=(corpus_id,))


def _write_list(found: list[tuple[PersonSignature, tuple[str, ...]]], output_format: str) -> None:
    if output_format == "json":
        write_json([{**each.model_dump(mode="json"), "problems": list(problems)} for each, problems in found])
        return
    from coditect.cli.console import BAD, FAINT, GOOD, TITLE, Screen, counted

    page = Screen()
    page.line((counted(len(found), "signature"), TITLE))
    for each, problems in found:
        page.line()
        page.line(
            "  ",
            ("not valid", BAD) if problems else ("signed", GOOD),
            f"  {each.by}, {each.role}, {each.at}: {each.meaning}",
        )
        page.block(4, (f"{each.subject}  {each.signature_id}", FAINT))
        if not each.shown:  # of a report: its file was shown, and is not stored
            page.block(4, (f"a file of SHA-256 {each.shown_sha256}", FAINT))
        for problem in problems:
            page.block(4, (problem, BAD))
        for line in each.shown.splitlines():
            page.block(6, (line, FAINT))
