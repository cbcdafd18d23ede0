"""``coditect knowledge resolve``."""

from __future__ import annotations

from pathlib import Path

import click

from coditect.cli.exit_codes import ExitCode

__all__ = ["resolve"]


@click.command("resolve")
@click.argument("profile", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--with",
    "given",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="A catalogue or profile that is imported, or a folder of such, beside the profile's own folder. Repeatable.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    required=True,
    help="Where the catalogue is written, as JSON; ingest it as a framework.",
)
def resolve(profile: Path, given: tuple[Path, ...], output: Path) -> ExitCode:
    """Resolve an OSCAL profile into the catalogue that it stands for.

    Imports are followed through other profiles, controls are selected, merged and altered, parameters are set. Nothing is fetched.
    """
    from coditect.cli.output_files import require_output, write_output
    from coditect.knowledge.ingest.profiles import resolve_profile_file
    from coditect.knowledge.progress import utc_now

    require_output(output, inputs=[profile])
    catalogue, notes = resolve_profile_file(profile, given, utc_now())
    write_output(output, catalogue)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{output} written", err=True)
    return ExitCode.OK
