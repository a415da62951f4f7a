"""The registry that features extend: the tables, the platform's services, and the other features."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction
from bot.platform.discord.content import Button
from bot.platform.discord.interaction_responses import CallbackClient
from bot.platform.discord.languages import Languages
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.notices.sending import MessageSender
from bot.platform.places import Location
from bot.platform.registration import Registration, Registry
from bot.tables.events import Hook
from bot.tables.handlers.answers import TablePosts, TableResponses
from bot.tables.handlers.closing import LogAction
from bot.tables.handlers.controls import TableClicks
from bot.tables.handlers.error_replies import ErrorReplies
from bot.tables.handlers.readings import ReadingAloud
from bot.tables.handlers.talk import NewestMessages
from bot.tables.host import Host
from bot.tables.kinds import Edition, SharedSeed
from bot.tables.model import HostChoice
from bot.tables.registry import AnyPackage
from bot.tables.service import TableListener, TableService
from bot.tables.shown.parts import ButtonPart, FactPart, TextPart, TipPart
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature(Registration):
    """The parts of a feature, those for tables included."""

    hooks: tuple[Hook, ...] = ()
    """Run in the transactions that save tables."""
    follows: tuple[TableListener, ...] = ()
    """Called with every changed table, after the change is on disk."""
    lines: tuple[TextPart, ...] = ()
    facts: tuple[FactPart, ...] = ()
    table_buttons: tuple[ButtonPart, ...] = ()
    tip: TipPart | None = None


class App(Registry):
    """Everything that features, and later interactions with tables, need."""

    reading_aloud: ReadingAloud
    """Knows who wants tables to be read aloud. A feature sets this attribute and the following ones."""
    reading_buttons: Callable[[Table, int], tuple[Button, ...]]
    """Returns the buttons below a reading of a table, for a person."""
    may_moderate: Callable[[Interaction], Awaitable[bool]]
    log_action: LogAction
    """Adds a line to the log of a server; None, for direct messages, has no log."""
    find_fixed: Callable[[Location], Awaitable[frozenset[HostChoice]]]
    """Returns what the opener of a table can't choose at a location."""
    require_may_see: Callable[[Table, int], Awaitable[None]]
    """Raises a Refusal if a person may not see a table of a challenge yet."""
    find_shared_seed: Callable[[Edition], Awaitable[SharedSeed | None]]
    """Returns the seed of an edition of a challenge, if there is one."""
    explain_hints: Callable[[Table], Awaitable[str]]
    """Returns an explanation of hints and their cost at a table; empty where its server forbids them."""
    explain_game: Callable[[Interaction, Table], Awaitable[None]]
    """Shows the guide of a table's game, with the options that the table uses."""

    def __init__(
        self,
        db: Database,
        host: Host,
        table_messages: DiscordTableMessages,
        callbacks: CallbackClient,
        sender: MessageSender,
        languages: Languages,
    ) -> None:
        # Not the clock itself: a test may give the service another.
        super().__init__(db, lambda: host.service.clock(), languages)  # noqa: PLW0108
        self.host = host
        self.ephemeral_messages = table_messages.ephemeral_messages
        self.provide(host, host.service, self.ephemeral_messages)
        self.tables: TableService = host.service
        self.games: Mapping[str, AnyPackage] = host.service.games
        self.table_messages = table_messages
        self.pictures: PictureAttacher = table_messages.picture_attacher
        self.sender = sender
        self.responses = TableResponses(host, table_messages, callbacks)
        self.posts = TablePosts(host, table_messages, callbacks)
        self.newest_messages = NewestMessages()
        table_messages.has_talk_below = self.newest_messages.has_talk_below
        self.clicks = TableClicks(host.service, self.responses, self.newest_messages)
        self.error_replies = ErrorReplies(self, host.publisher.restore)
        self._hooks: list[Hook] = []
        host.service.hooks = self._hooks

    def add(self, feature: Registration) -> None:
        """Add the parts of a feature.

        Raises:
            ValueError: Another feature has one of its buttons, kinds of jobs or reasons.
        """
        super().add(feature)
        if isinstance(feature, Feature):
            self._hooks += feature.hooks
            for follow in feature.follows:
                self.tables.add_listener(follow)
            self.table_messages.parts.add(feature.lines, feature.table_buttons, feature.tip, feature.facts)

    def start(self) -> None:
        """Build the runners of all features' jobs and chores; call this once every feature is registered."""
        self.build_background(
            lambda downtimes: self.tables.clock.leave_out(downtimes),  # noqa: PLW0108 - a test may give the service another clock
            each_round=(self.host.keep_up,),
            after_outage=self.host.sweep_soon,
        )

    async def answer_fault(self, interaction: Interaction, fault: BaseException) -> None:
        """Tell the person behind an interaction why it failed."""
        await self.error_replies.send(interaction, fault)

    def follow_other_process(self) -> None:
        """Sweep more often for a while, because the process that served these servers before leaves work."""
        self.host.follow()

    async def close(self) -> None:
        """Finish running changes, show them, and close the features that follow the tables."""
        await self.host.close(self.close_features)
