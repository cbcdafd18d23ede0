"""Transports: standard input and output for one assistant on this machine, or HTTP for many, with tokens."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer

from coditect.assistants.desk import AssistantDesk
from coditect.assistants.tools import assistant_server
from coditect.errors import NotFound
from coditect.server.access.callers import Caller, Role
from coditect.server.service import Service, open_service

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from coditect.settings import Settings

__all__ = ["ON_STDIO", "Alone", "http_application", "opened_server", "run_http", "run_stdio"]

ON_STDIO = "assistant on this machine"
"""The name under which the audit trail has who asks over standard input, where no principal is configured."""

STATE = "coditect.caller"
"""Where a request's scope holds its caller."""

MOST_NAMED = 10
"""Corpora that are named to whom names another one."""

MOST_BODY = 256 << 10
"""Bytes of a request."""


@dataclass(frozen=True, slots=True)
class Alone:
    """Who asks over standard input.

    Attributes:
        role: as what.
        corpora: ids of the corpora that may be asked; none: all.
    """

    role: Role = "analyst"
    corpora: tuple[str, ...] = ()


@contextmanager
def opened_server(settings: Settings, alone: Alone) -> Iterator[MCPServer[Any]]:
    """The server for one assistant on this machine, over the configured store; closed at the end.

    Raises:
        NotFound: there is no store, or none of the corpora that may be asked is called so.
    """
    with open_service(settings) as service:
        _require_known(service, settings.tenant, alone.corpora)
        caller = Caller(settings.principal or ON_STDIO, settings.tenant, alone.role, frozenset(alone.corpora) or None)
        yield assistant_server(lambda ctx: _desk(service, caller))


def _require_known(service: Service, tenant: str, corpora: tuple[str, ...]) -> None:
    """Refuse a corpus that there is not: an assistant would only be told that there is nothing to ask."""
    there = sorted(each.corpus_id for each in service.tenants[tenant].store.corpora())
    for corpus_id in corpora:
        if corpus_id not in there:
            named = f"There are: {', '.join(there[:MOST_NAMED])}{' …' if len(there) > MOST_NAMED else ''}."
            raise NotFound("unknown corpus", corpus_id=corpus_id, hint=named if there else "There is none yet.")


def run_stdio(settings: Settings, alone: Alone) -> None:
    """Answer over standard input and output until the other side ends."""
    with opened_server(settings, alone) as server:
        server.run("stdio")


def http_application(
    service: Service, by_token: Callable[[str], Caller | None], count: Callable[[Caller], None], hosts: tuple[str, ...]
) -> ASGIApp:
    """Streamable HTTP at ``/mcp``. Each request stands by itself and shows its token: there is no session to take over.

    Args:
        service: the tenants that it answers for.
        by_token: the caller that a token is of.
        count: counts a request, or raises :class:`~coditect.server.problems.Problem`.
        hosts: names that it answers to, with ports as browsers write them; ``:*`` for any port.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    def desk_for(ctx: Context[Any, Any]) -> AssistantDesk:
        request = ctx.request_context.request
        return _desk(service, request.scope[STATE])  # type: ignore[union-attr]

    server = assistant_server(desk_for)
    names = [name if ":" in name.rpartition("]")[2] else f"{name}:*" for name in hosts]
    security = TransportSecuritySettings(
        allowed_hosts=[*names, *hosts],
        allowed_origins=[f"{scheme}://{name}" for name in (*names, *hosts) for scheme in ("http", "https")],
    )
    inner = server.streamable_http_app(
        stateless_http=True, json_response=True, transport_security=security, max_request_body_size=MOST_BODY
    )
    from coditect.assistants.admission import Admitted

    return Admitted(inner, by_token, count, STATE)


def run_http(settings: Settings, host: str, port: int, hosts: tuple[str, ...], say: Callable[[str], None]) -> None:
    """Answer over HTTP until a signal ends it.

    Args:
        settings: which store.
        host: the address where it listens.
        port: 0 for any that is free.
        hosts: names that it answers to; on loopback its usual ones are added.
        say: tells where it listens.

    Raises:
        UsageError: nobody could sign in, or others could reach it under any name.
    """
    import uvicorn

    from coditect.server.access.authentication import is_loopback
    from coditect.server.running import Serving, checked, keeper_of

    serving = Serving(host=host, port=port, hosts=hosts)
    checked(serving)
    names = (*hosts, *(("localhost", "127.0.0.1", "[::1]") if is_loopback(host) else ()))
    with open_service(settings) as service:
        keeper = keeper_of(settings, serving, service)
        app = http_application(service, keeper.by_token, keeper.count, names)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)  # see coditect.server.running
        shown = f"[{host}]" if ":" in host else host
        say(f"listening on http://{shown}:{listener.getsockname()[1]}/mcp")
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listener])


def _desk(service: Service, caller: Caller) -> AssistantDesk:
    return AssistantDesk(service.knowledge(caller), caller, service.work / "crosswalks", service.model_use)
