"""The commands ``coditect`` and ``coditect knowledge``, and the one place where a run's errors end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

import coditect as package
from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.failures import report_failure, wants_json
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import GROUP_CONTEXT, run_options
from coditect.errors import CoditectError

__all__ = ["coditect", "knowledge", "main"]

PROGRAM = "coditect"


class _Program(LazyGroup):
    """The outermost group: every end of a run is turned into a message and an exit code here."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,  # noqa: ANN401 - click's own
    ) -> Any:  # noqa: ANN401 - click's own
        """Run with these arguments, or those of the process, and exit."""
        words = list(sys.argv[1:] if args is None else args)
        name = prog_name or PROGRAM
        try:
            result = super().main(words, name, complete_var, standalone_mode=False, **extra)
            code = result if isinstance(result, int) else ExitCode.OK
            if sys.stdout is not None:
                sys.stdout.flush()  # what cannot be written is noticed here, and not when the interpreter ends
        except (CoditectError, click.ClickException, click.Abort, KeyboardInterrupt, OSError) as error:
            code = report_failure(error, as_json=wants_json(words))
        if standalone_mode:
            sys.exit(int(code))
        return code

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command; a closed pipe ends it quietly, before click would call that a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            return report_failure(error, as_json=False)


@click.group(
    PROGRAM,
    cls=_Program,
    lazy={
        "knowledge": LazyCommand(
            "coditect.cli.app", "knowledge", "Ingest documents, build the four tiers, ask, prove."
        ),
        "store": LazyCommand(
            "coditect.cli.store",
            "store",
            "Look after the store: bring it to this release's format, check it, index it, sweep what is dead, compact the file.",
        ),
        "log": LazyCommand(
            "coditect.cli.log",
            "log",
            "Sign, prove and serve the log of what happened in a tenant's store, in the formats of C2SP and RFC 9162.",
        ),
        "audit": LazyCommand(
            "coditect.cli.audit",
            "audit",
            "Read the audit trail: who did what, when, what was before and is after, and why (21 CFR 11.10(e)).",
        ),
        "keys": LazyCommand(
            "coditect.cli.keys",
            "keys",
            "Make, register, rotate and revoke the keys that sign the log and the decisions of persons.",
        ),
        "serve": LazyCommand(
            "coditect.cli.serve", "serve", "Answer over HTTP: an API for programs under /api/v1, and pages for people."
        ),
        "mcp": LazyCommand(
            "coditect.cli.mcp",
            "mcp",
            "Answer assistants over the Model Context Protocol: search, read, chain, verify, registers, crosswalk, changes.",
        ),
        "tokens": LazyCommand(
            "coditect.cli.tokens", "tokens", "Make and revoke the tokens that callers of 'coditect serve' show."
        ),
        "completion": LazyCommand("coditect.cli.completion", "completion", "Print a shell's completion script."),
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
@click.version_option(package.__version__, message="%(prog)s %(version)s", help="Show the version.")
def coditect() -> None:
    """A compliance knowledge store whose every sentence can be traced to its source, proven and re-checked."""


@click.group(
    "knowledge",
    cls=LazyGroup,
    lazy={
        name.rstrip("_"): LazyCommand(f"coditect.cli.{name}", name, summary)
        for name, summary in {
            "ingest": "Take files and folders into a corpus.",
            "build": "Bring a corpus' four tiers up to date with its documents.",
            "query": "Ask a question at one tier, or of passages or propositions.",
            "drilldown": "Show what an item was derived from.",
            "validate": "Re-read a corpus and check everything that it promises.",
            "verify": "Check claims, texts and folders of them against a corpus, or replay its stored verdicts.",
            "review": "Decide of claims and extractions, by name and for good reason.",
            "decide": "Decide of a row of a crosswalk: whether its label is right, or what it should be.",
            "sign": "Sign a statement with its evidence, or the file of a report, with a person's key.",
            "mark": "Say whether an item answers a question; calibration learns from it.",
            "calibrate": "Fit the checker, the gate and the fusion on your own reviews and marks.",
            "documents": "List the documents of a corpus: role, parties, dates and owner, and what is given and what guessed.",
            "list_": "List what the documents say, statement by statement, and the claims about them.",
            "obligations": "List who must do what, and who must not, by when and how often, with the exact rule.",
            "definitions": "List the defined terms with their meanings, and where each is defined.",
            "deadlines": "List duties that are due by a time or a date, or again and again.",
            "changes": "List what changed, provision by provision, whether the duty changed, and what rests on it.",
            "conflicts": "List possible conflicts, and near pairs of sentences, for a person to read.",
            "crosswalk": "Lay requirements beside the sentences that speak to them, each with a label and a reason.",
            "agreements": "List contracts: parties, days, term, renewal, notice, law and leave, each with its sentence.",
            "waivers": "List exceptions and waivers: who is excused from what, by whom, until when, each with its sentence.",
            "grid": "Hold contracts against a standard text, clause by clause.",
            "resolve": "Resolve an OSCAL profile into the catalogue that it stands for.",
            "questionnaire": "Answer the questions of a workbook with the documents' own words, in the workbook's own formatting.",
            "references": "List what the documents refer to and the corpus does not hold.",
            "document": "Print the text of a document, the one that all offsets refer to.",
            "report": "Write the audit report of a corpus.",
            "prove": "Write an evidence bundle: what somebody else needs to check a claim, a section, a document or the report.",
            "export": "Write a corpus, with all its generations, as one archive.",
            "import_": "Read an archive into the store; the corpus appears whole or not at all.",
            "status": "Show what is in the store; of one corpus also what goes next and what is on hold.",
            "erase": "Erase documents, every version of each, and all that holds their words; a certificate says what went.",
            "erasures": "List erasures with their certificates: who, why, when, and what went.",
            "feed": "Show what happened to a corpus: documents taken in, generations published.",
        }.items()
    }
    | {
        name: LazyCommand(f"coditect.cli.{module}", function, summary)
        for name, module, function, summary in (
            (
                "hold",
                "hold",
                "hold",
                "Order that documents, or a whole corpus, be kept until 'release'.",
            ),
            ("holds", "hold", "holds", "List the legal holds that are in force."),
            (
                "release",
                "hold",
                "release",
                "End a legal hold, and carry out the erasures that were asked for meanwhile.",
            ),
            ("sweep", "retain", "retain", "Let old generations go by policy, and remove what only they reached."),
        )
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def knowledge() -> None:
    """Ingest documents, build the four tiers, ask, prove.

    A corpus holds documents (ingest). A build extracts what they say verbatim (extraction), selects the key sentences
    (chunk), gathers quotes by topic (section), and sums up in cited claims (corpus). A query answers at one tier; a
    drill-down leads from any item to the characters, the page and the file that it rests on.
    """


def main() -> None:
    """Run the program with the arguments of the process, and exit."""
    coditect.main()
