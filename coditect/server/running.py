"""Running the server: what is opened, how callers are known, and how it ends."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from limits import parse

from coditect.errors import UsageError
from coditect.server.access.authentication import is_loopback
from coditect.server.access.callers import Caller
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.oidc import IdentityProvider, ProviderSettings
from coditect.server.access.sessions import Sessions
from coditect.server.access.tokens import TokenRegister
from coditect.server.application import Limits, application
from coditect.server.connections import PatientProtocol
from coditect.server.jobs.apart import refresh_apart
from coditect.server.jobs.desk import JobDesk
from coditect.server.memory import few_arenas, given_back_often
from coditect.server.ready.following import Following
from coditect.server.ready.preparation import Preparation
from coditect.server.service import Service, open_service

if TYPE_CHECKING:
    from fastapi import FastAPI

    from coditect.settings import Settings

__all__ = ["ANONYMOUS", "Serving", "checked", "keeper_of", "opened_application", "run"]

ANONYMOUS = "anonymous on loopback"
"""The name under which the audit trail has who shows nothing."""

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Serving:
    """How the server runs.

    Attributes:
        host: the address where it listens.
        port: 0 for any that is free.
        tenants: whom it answers for; none: the tenant of the settings.
        anonymous: whether anybody on this machine may ask without a token.
        hosts: names that it answers to; on loopback its usual ones are added.
        encrypted: whether a proxy before it speaks HTTPS.
        rate: requests of one caller, as the library ``limits`` writes it.
        most: requests at work at one time.
        provider: (issuer, audience, keys) of an identity provider.
        work: a folder for uploads and jobs.
        apart: whether each job has a process of its own, so that questions are answered beside it.
    """

    host: str = "127.0.0.1"
    port: int = 8085
    tenants: tuple[str, ...] = ()
    anonymous: bool = False
    hosts: tuple[str, ...] = ()
    encrypted: bool = False
    rate: str = "600/minute"
    most: int = 16
    provider: tuple[str, str, str] | None = None
    work: Path | None = None
    apart: bool = True


@contextmanager
def opened_application(settings: Settings, serving: Serving) -> Iterator[FastAPI]:
    """The application over the configured store, closed at the end.

    Raises:
        NotFound: there is no store.
        UsageError: it would be open to others without a token, or nobody could sign in.
    """
    checked(serving)
    with open_service(settings, serving.tenants, serving.work) as service:
        keeper = keeper_of(settings, serving, service)
        jobs = JobDesk(service, apart=settings if serving.apart else None)
        hosts = (*serving.hosts, *(_LOOPBACK_NAMES if is_loopback(serving.host) else ()))
        limits = Limits(most=serving.most, waiting=4 * serving.most, hosts=hosts, encrypted=serving.encrypted)
        preparation = Preparation(service)

        def is_busy(tenant: str, corpus_id: str) -> bool:
            return preparation.waiting != 0 or jobs.is_at_work(tenant, corpus_id)

        following = Following(service, partial(_refresh, settings, service, serving.apart), is_busy)
        preparation.begin()
        following.begin()
        try:
            yield application(service, keeper, jobs, limits, preparation=preparation, following=following)
        finally:
            preparation.close()
            following.close()
            jobs.close()


def _refresh(settings: Settings, service: Service, apart: bool, tenant: str, corpus_id: str) -> None:
    """Make search of a corpus, in a process of its own or here."""
    if apart:
        refresh_apart(settings.model_copy(update={"tenant": tenant}), corpus_id)
        return
    knowledge = service.tenants[tenant]
    knowledge.searcher.refresh(knowledge.view(corpus_id))


def run(settings: Settings, serving: Serving, say: Callable[[str], None]) -> None:
    """Answer until a signal ends it.

    Args:
        settings: which store.
        serving: where and to whom.
        say: tells the operator where it listens, and what to know of it.

    Raises:
        UsageError: nothing can listen there.
    """
    few_arenas()
    with opened_application(settings, serving) as app, given_back_often():
        family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
        try:
            listener = socket.create_server((serving.host, serving.port), family=family, backlog=2048)
        except OSError as error:
            raise UsageError(
                "cannot listen there",
                host=serving.host,
                port=serving.port,
                reason=error.strerror,
                hint="Does another server listen there already? Take another --port; 0 is any that is free.",
            ) from error
        # asyncio does so for listeners that say which protocol they speak, and this one does not: without it the body of a short
        # answer waits 40 ms for the acknowledgement of its head.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        port = listener.getsockname()[1]
        shown = f"[{serving.host}]" if ":" in serving.host else serving.host
        say(f"listening on http://{shown}:{port}/")
        if serving.anonymous:
            say("anybody on this machine may read and write: --anonymous")
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            log_config=None,  # its lines are written as all others are
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=30,
            h11_max_incomplete_event_size=64 << 10,
            limit_concurrency=12_000,
        )
        uvicorn.Server(config).run(sockets=[listener])


def checked(serving: Serving) -> None:
    """See to it that nobody gets in without a token whom the operator does not know of.

    Raises:
        UsageError: others could reach it without a token or under any name, or the rate is none.
    """
    open_to_others = not is_loopback(serving.host)
    if open_to_others and serving.anonymous:
        raise UsageError(
            "without tokens it is for this machine alone", host=serving.host, hint="Leave --anonymous or --host out."
        )
    if open_to_others and not serving.hosts:
        raise UsageError(
            "it must know the names that it answers to",
            host=serving.host,
            hint="Give --allow-host, as browsers write it.",
        )
    try:
        parse(serving.rate)
    except ValueError as error:
        raise UsageError("not a rate", rate=serving.rate, hint="Write a number and a time: '600/minute'.") from error


def keeper_of(settings: Settings, serving: Serving, service: Service) -> Keeper:
    """Knows the callers of a server.

    Raises:
        UsageError: nobody could sign in.
    """
    registers = {name: TokenRegister(each.store, each.clock) for name, each in service.tenants.items()}
    provider = None
    tenant = next(iter(service.tenants))
    if serving.provider is not None:
        issuer, audience, keys = serving.provider
        provider = IdentityProvider(ProviderSettings(issuer, audience, keys, tenant=tenant))
    if provider is None and not serving.anonymous and not any(each.any() for each in registers.values()):
        raise UsageError(
            "nobody could sign in",
            tenants=", ".join(registers),
            hint="Make a token with 'coditect tokens new', or serve this machine alone with --anonymous.",
        )
    anonymous = Caller(settings.principal or ANONYMOUS, tenant, "administrator") if serving.anonymous else None
    rates = {name: each.quota.requests for name, each in service.tenants.items() if each.quota.requests}
    return Keeper(registers, Sessions(), rate=serving.rate, tenant_rates=rates, anonymous=anonymous, provider=provider)
