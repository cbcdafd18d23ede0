"""The protocol's side of registers: a tool each."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from pydantic import Field

from coditect.assistants.registers.listing import RegisterDesk, RegisterQuestion
from coditect.assistants.registers.shapes import AgreementsAnswer, RegisterAnswer, WaiversAnswer
from coditect.assistants.telling import READING, CorpusId, Cursor, DeskFor, Generation, Rows, answering

__all__ = ["register_tools"]

Documents = Annotated[
    list[str] | None, Field(max_length=50, description="Only of these; names or patterns with *. Empty: all.")
]
Actor = Annotated[str, Field(max_length=200, description="Words of who acts; empty: whoever does.")]
Contains = Annotated[str, Field(max_length=200, description="Words that the text holds; empty: any.")]
InForce = Annotated[bool, Field(description="Leave out what is superseded, expired or not yet in force.")]
Within = Annotated[str, Field(max_length=40, description="'90 days', '6 months' from today; empty: all.")]


def register_tools(server: MCPServer[Any], desk_for: DeskFor) -> None:
    """Add the tools of registers.

    Args:
        server: gets them.
        desk_for: tells who asks.
    """
    _statements(server, desk_for)
    _papers(server, desk_for)


def _statements(server: MCPServer[Any], desk_for: DeskFor) -> None:
    @server.tool(title="Obligations", annotations=READING)
    @answering
    def obligations(
        ctx: Context[Any, Any],
        corpus_id: CorpusId,
        actor: Actor = "",
        contains: Contains = "",
        documents: Documents = None,
        permissions: Annotated[bool, Field(description="List what is permitted and exempt as well.")] = False,
        in_force: InForce = True,
        cursor: Cursor = "",
        limit: Rows = 20,
        generation: Generation = None,
    ) -> RegisterAnswer:
        """List who must do what, and who must not, by when and how often: every duty of the documents, with its exact words."""
        asked = RegisterQuestion(corpus_id, documents or (), cursor, limit, generation)
        return RegisterDesk(desk_for(ctx)).register(
            "obligations", asked, actor=actor, contains=contains, permissions=permissions, in_force=in_force
        )

    @server.tool(title="Deadlines", annotations=READING)
    @answering
    def deadlines(
        ctx: Context[Any, Any],
        corpus_id: CorpusId,
        due_within: Annotated[
            str,
            Field(max_length=40, description="'72 hours', '10 days', '3 business days' of the trigger; empty: all."),
        ] = "",
        actor: Actor = "",
        documents: Documents = None,
        in_force: InForce = True,
        cursor: Cursor = "",
        limit: Rows = 20,
        generation: Generation = None,
    ) -> RegisterAnswer:
        """List duties that are due by a time or a date, or again and again."""
        asked = RegisterQuestion(corpus_id, documents or (), cursor, limit, generation)
        return RegisterDesk(desk_for(ctx)).register(
            "deadlines", asked, actor=actor, due_within=due_within, in_force=in_force
        )

    @server.tool(title="Definitions", annotations=READING)
    @answering
    def definitions(
        ctx: Context[Any, Any],
        corpus_id: CorpusId,
        contains: Contains = "",
        documents: Documents = None,
        in_force: InForce = False,
        cursor: Cursor = "",
        limit: Rows = 20,
        generation: Generation = None,
    ) -> RegisterAnswer:
        """List the defined terms with their meanings, and where each is defined."""
        asked = RegisterQuestion(corpus_id, documents or (), cursor, limit, generation)
        return RegisterDesk(desk_for(ctx)).register("definitions", asked, contains=contains, in_force=in_force)


def _papers(server: MCPServer[Any], desk_for: DeskFor) -> None:
    @server.tool(title="Agreements", annotations=READING)
    @answering
    def agreements(
        ctx: Context[Any, Any],
        corpus_id: CorpusId,
        ends_within: Within = "",
        documents: Documents = None,
        cursor: Cursor = "",
        limit: Rows = 10,
        generation: Generation = None,
    ) -> AgreementsAnswer:
        """List contracts: parties, days, term, renewal, notice, law and leave, each with its sentence."""
        asked = RegisterQuestion(corpus_id, documents or (), cursor, limit, generation)
        return RegisterDesk(desk_for(ctx)).agreements(asked, ends_within=ends_within)

    @server.tool(title="Waivers", annotations=READING)
    @answering
    def waivers(
        ctx: Context[Any, Any],
        corpus_id: CorpusId,
        ends_within: Within = "",
        documents: Documents = None,
        cursor: Cursor = "",
        limit: Rows = 20,
        generation: Generation = None,
    ) -> WaiversAnswer:
        """List exceptions and waivers: who is excused from what, by whom, until when, each with its sentence."""
        asked = RegisterQuestion(corpus_id, documents or (), cursor, limit, generation)
        return RegisterDesk(desk_for(ctx)).waivers(asked, ends_within=ends_within)
