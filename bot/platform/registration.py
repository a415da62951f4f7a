"""Registers the parts of features, and the services that all of them share."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast

from discord import Guild
from discord.ext.commands import Cog
from sqlalchemy import Connection

from bot.languages import speaking
from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction
from bot.platform.discord.dispatch import Dispatcher
from bot.platform.discord.ids import CustomId, Handler
from bot.platform.discord.languages import Languages
from bot.platform.jobs.jobs import DowntimeListener, JobHandler, JobRunner
from bot.platform.jobs.looks import Chore, Chores, Look
from bot.platform.jobs.storage import Job
from bot.rules.refusals import (
    Refusal,
    RefusalReason,
)

FINISH_SECONDS: Final = 1.0
SHOW_SECONDS: Final = 0.5
WRITE_SECONDS: Final = 0.5

FEATURES_CLOSE_SECONDS: Final = FINISH_SECONDS + SHOW_SECONDS + WRITE_SECONDS
"""The most seconds that closing takes: finish changes, show and announce them, and store published revisions."""

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class ClientEvent(Enum):
    """The events that the client reports to features."""

    STARTING = auto()
    """The bot starts; no table has been read yet."""
    STARTED = auto()
    """The bot runs; it may not be connected yet."""
    SERVER_ENTERED = auto()
    """The bot is a member of a server (an id) since a moment, of the last day; perhaps told several times.

    The third fact is the id of the channel for notices of Discord, or None.
    """
    SERVERS_JOINED = auto()
    """The bot has joined servers (a list of ids), or these are available again."""
    SERVERS_PRESENT = auto()
    """All shards are connected; the bot is a member of these servers (a list of ids)."""
    SERVER_LEFT = auto()
    """The bot was removed from a server (an id)."""
    CONNECTED = auto()
    """All shards are connected; what the first commands need is prepared before the bot calls itself ready."""
    READY = auto()
    """All shards are connected, so slow preparations may start."""
    CHANNEL_DELETED = auto()
    """A channel or thread (an id) was deleted."""
    CHANNELS_LOST = auto()
    """A channel of a server (the server's id) was deleted together with its threads."""


_ReasonKey: TypeAlias = tuple[type[RefusalReason], str]

ClientListener: TypeAlias = Callable[..., Awaitable[object]]
"""Called with the facts of a client event."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job and its handler."""

    name: str
    run: JobHandler
    is_irrevocable: bool = False
    """Whether its work cannot be undone, so that it needs two looks at the clock before it begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The parts of a feature."""

    services: tuple[object, ...] = ()
    """Services that later features find by type."""
    buttons: Mapping[type[CustomId], Handler] = field(default_factory=dict[type[CustomId], Handler])
    cogs: tuple[Cog, ...] = ()
    refusals: tuple[Mapping[RefusalReason, str], ...] = ()
    """The sentences for its refusals, in one mapping per enum, because reasons of two enums may be equal."""
    ending_reasons: tuple[RefusalReason, ...] = ()
    """The refusals that make a private question or panel useless, so that the sentence replaces it."""
    jobs: tuple[JobKind, ...] = ()
    looks: tuple[Look, ...] = ()
    each_minute: tuple[Chore, ...] = ()
    personal_caches: tuple[Callable[[], None], ...] = ()
    """Functions that clear the feature's caches with data of people; an erasure calls those of all features."""
    leave: Callable[[int], Awaitable[Sequence[Job]]] | None = None
    """Withdraws a person from ongoing activities before an erasure; returns the jobs that show the change."""
    end_in_server: Callable[[int], Awaitable[int]] | None = None
    """Ends the ongoing activities of a server before its erasure; returns their number."""
    forget_server: Callable[[Connection, int], None] | None = None
    """Forgets pending messages in a server that the bot has left."""
    listeners: Mapping[ClientEvent, ClientListener] = field(default_factory=dict[ClientEvent, ClientListener])
    after_downtime: Callable[[Downtime], Coroutine[None, None, None]] | None = None
    """Shows the new times of deadlines that a downtime has moved; called in only one process."""
    close: Callable[[float], Awaitable[None]] | None = None
    """Finishes running work within a number of seconds."""


class Registry(ABC):
    """The registered features and their services: everything that a client needs."""

    runner: JobRunner
    chores: Chores

    def __init__(self, db: Database, clock: Callable[[], datetime], languages: Languages) -> None:
        self.db = db
        self.clock = clock
        self.handlers: dict[type[CustomId], Handler] = {}
        self.dispatcher = Dispatcher(self.handlers, self.answer_fault)
        self.cogs: list[Cog] = []
        self.refusals: dict[_ReasonKey, str] = {}
        self.find_membership: Callable[[int], bool | None] = lambda _: None
        """Returns whether the bot is a member of a server; None while unknown."""
        self.find_server: Callable[[int], Guild | None] = lambda _: None
        """Returns a server of which the bot is a member, as far as the connection has told of it."""
        self.languages = languages
        self.find_refusal: Callable[[Interaction], Awaitable[Refusal | None]] = _refuse_nothing
        """Returns the refusal of all that a person does in the server of an interaction; None if there is none."""
        self._ending_reasons: set[_ReasonKey] = set()
        self._services: dict[type, object] = {}
        self.jobs: dict[str, JobKind] = {}
        self._looks: list[Look] = []
        self._each_minute: list[Chore] = []
        self._caches: list[Callable[[], None]] = []
        self._listeners: dict[ClientEvent, list[ClientListener]] = {event: [] for event in ClientEvent}
        self._leavers: list[Callable[[int], Awaitable[Sequence[Job]]]] = []
        self._enders: list[Callable[[int], Awaitable[int]]] = []
        self._forgetters: list[Callable[[Connection, int], None]] = []
        self._after_downtime: list[Callable[[Downtime], Coroutine[None, None, None]]] = []
        self._closers: list[Callable[[float], Awaitable[None]]] = []

    @abstractmethod
    async def answer_fault(self, interaction: Interaction, fault: BaseException) -> None:
        """Tell the person behind an interaction why it failed."""

    @abstractmethod
    def follow_other_process(self) -> None:
        """Take up, for a while, the work left by the previous process of the same servers."""

    @abstractmethod
    async def close(self) -> None:
        """Finish all running work, with time limits."""

    def provide(self, *services: object) -> None:
        """Make services available to features by type."""
        self._services |= {type(service): service for service in services}

    def service(self, kind: type[_T]) -> _T:
        """Return the service of a type.

        Raises:
            KeyError: No feature registered before provides the service.
        """
        return cast("_T", self._services[kind])

    def add(self, feature: Registration) -> None:
        """Add the parts of a feature.

        Raises:
            ValueError: Another feature has one of its buttons, kinds of jobs or reasons.
        """
        self.provide(*feature.services)
        _add_new(self.handlers, feature.buttons)
        for sentences in feature.refusals:
            _add_new(self.refusals, {_key_of(reason): sentence for reason, sentence in sentences.items()})
        _add_new(self.jobs, {kind.name: kind for kind in feature.jobs})
        self._ending_reasons |= {_key_of(reason) for reason in feature.ending_reasons}
        self.cogs += feature.cogs
        self._looks += feature.looks
        self._each_minute += feature.each_minute
        self._caches += feature.personal_caches
        for event, listener in feature.listeners.items():
            self._listeners[event].append(listener)
        if feature.leave is not None:
            self._leavers.append(feature.leave)
        if feature.end_in_server is not None:
            self._enders.append(feature.end_in_server)
        if feature.forget_server is not None:
            self._forgetters.append(feature.forget_server)
        if feature.after_downtime is not None:
            self._after_downtime.append(feature.after_downtime)
        if feature.close is not None:
            self._closers.append(feature.close)

    async def leave(self, person_id: int) -> list[Job]:
        """Withdraw a person from ongoing activities before an erasure; return the jobs that show the change."""
        return [job for leave in self._leavers for job in await leave(person_id)]

    async def end_in_server(self, guild_id: int) -> int:
        """End the ongoing activities of a server before its erasure; return their number."""
        return sum([await end(guild_id) for end in self._enders])

    def forget_server(self, connection: Connection, guild_id: int) -> None:
        """Forget pending messages in a server that the bot has left."""
        for forget in self._forgetters:
            forget(connection, guild_id)

    def clear_personal_caches(self) -> None:
        """Clear the caches with data of people: what features registered as `personal_caches`."""
        for clear in self._caches:
            clear()

    def sentence_for(self, reason: RefusalReason) -> str:
        """Return the sentence for a reason."""
        return self.refusals[_key_of(reason)]

    def ends_panel(self, reason: RefusalReason) -> bool:
        """Return whether a refusal makes a private question or panel useless."""
        return _key_of(reason) in self._ending_reasons

    async def tell(self, event: ClientEvent, *facts: object) -> None:
        """Tell features of a client event."""
        for listener in self._listeners[event]:
            await listener(*facts)

    def build_background(
        self,
        leave_out: Callable[[Iterable[Downtime]], None],
        *,
        each_round: tuple[Chore, ...],
        after_outage: Callable[[], None],
    ) -> None:
        """Build the runners of all features' jobs and chores; call this once every feature is registered.

        Args:
            leave_out: Excludes downtimes from this process's measured times.
            each_round: Further chores for every round.
            after_outage: Called when the database does not work.
        """

        async def show_later_ends(downtime: Downtime) -> None:
            for show in self._after_downtime:
                await show(downtime)

        self.runner = JobRunner(
            self.db,
            self.clock,
            {name: partial(self._run_job, kind.run) for name, kind in self.jobs.items()},
            DowntimeListener(leave_out, show_later_ends),
            irrevocable=[name for name, kind in self.jobs.items() if kind.is_irrevocable],
        )
        self.chores = Chores(
            self.db,
            self.clock,
            (*self._looks, self.runner.look()),
            each_round=(self.runner.note_alive, *each_round),
            each_minute=self._each_minute,
            after_outage=after_outage,
        )

    async def _run_job(self, run: JobHandler, job: Job) -> datetime | None:
        """Do a job in the language of its server."""
        with speaking(await self.languages.of_server(job.guild_id)):
            return await run(job)

    async def close_features(self, seconds: float) -> None:
        """Finish the running work of all features within a number of seconds."""
        closed = await asyncio.gather(*(close(seconds) for close in self._closers), return_exceptions=True)
        for fault in closed:
            if isinstance(fault, Exception):
                log.error("a feature was not closed in order", exc_info=fault)


async def _refuse_nothing(_interaction: Interaction) -> None:
    """Return no refusal."""


def _key_of(reason: RefusalReason) -> _ReasonKey:
    """Return a key that distinguishes equal strings of different enums."""
    return type(reason), reason.value


def _add_new(known: dict[Any, Any], added: Mapping[Any, Any]) -> None:
    if taken := known.keys() & added.keys():
        raise ValueError(f"another feature has registered {', '.join(map(str, taken))}")
    known |= added
