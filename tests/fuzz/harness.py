"""A bot with a fake transport and a random crowd; every answer and every write is checked."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bot.app.bootstrap import build_client
from bot.app.databases import migrate
from bot.features.privacy.service import PersonalDataService
from bot.platform.database.address import parse_database_url
from bot.platform.discord.client import ParlourClient
from bot.tables.host import Host
from bot.tables.model import TableId
from bot.tables.registry import load_games
from tests.fuzz.action_generator import ActionGenerator
from tests.fuzz.acts import Act, ActKind, AnswerKind, Json, SentAnswer
from tests.fuzz.answer_deadline import AnswerDeadline
from tests.fuzz.fake_gateway import connect_gateway
from tests.fuzz.fake_transport import FakeTransport, install
from tests.fuzz.permissions import pressed_table
from tests.fuzz.recording_store import RecordingStore, TableOpened, Write
from tests.fuzz.reference_model import ReferenceModel
from tests.support.fakes import FakeClockAhead
from tests.support.login import log_in
from tests.support.payloads import BOT_ID
from tests.support.waiting import DEADLINE_SECONDS

_FIRST_ANSWERS = {
    ActKind.COMMAND: {AnswerKind.MESSAGE, AnswerKind.DEFERRED_MESSAGE},
    ActKind.COMPONENT: {AnswerKind.MESSAGE, AnswerKind.DEFERRED_MESSAGE, AnswerKind.DEFERRED_UPDATE, AnswerKind.UPDATE},
    ActKind.MODAL: {AnswerKind.MESSAGE},
    ActKind.SUGGEST: {AnswerKind.CHOICES},
}
_FAULT_TRACES = ("Traceback", "secret-of-", 'File "', "Error(")

_ABSENCE_MARKS = re.compile(" [🏳️🤖]+")
"""The marks behind the name of a player who has left their seat."""

_MIN_SEED_DIGITS = 16
"""The number of a seed's digits that can't match by chance."""


def find_leaks(text: str, seeds: Iterable[str]) -> list[str]:
    """Return the secrets in a text: seeds, even with spaced digits, tokens and tracebacks."""
    digits = text.replace(" ", "").casefold()
    return [
        *(telltale for telltale in _FAULT_TRACES if telltale in text),
        *(seed for seed in seeds if seed[:_MIN_SEED_DIGITS] in digits),
    ]


def table_of_hand(data: Json) -> TableId | None:
    """Return the table of which an answer shows a hand: one can always look again."""
    leaves = (leaf for row in data.get("components") or () for leaf in row["components"])
    ids = (str(leaf.get("custom_id", "")).split(":") for leaf in leaves)
    return next((int(parts[2]) for parts in ids if parts[:2] == ["w", "y"]), None)


class FuzzHarness:
    """A bot on a fake transport, its random users, and the model of their actions."""

    def __init__(self, client: ParlourClient, db: RecordingStore, transport: FakeTransport, seed: int) -> None:
        self.client = client
        self.db = db
        self.clock = client.app.service(Host).service.clock = FakeClockAhead()
        self.transport = transport
        self.model = ReferenceModel(client.app.service(Host).service.games, self.clock)
        commands = [command.to_dict(client.tree) for command in client.tree.get_commands()]
        self.actions = ActionGenerator(seed, self.transport, self.model, commands)
        self.act_counts: Counter[ActKind] = Counter()
        self.doubled_ids: set[int] = set()
        """What reached the bot twice: it may try to answer both."""
        self.show_ids: set[int] = set()
        """Commands that show a table which was there when they were typed."""
        self.hands_shown = 0
        """How many hands were shown."""

    async def act(self, *acts: Act) -> None:
        """Perform the acts, and check the answers and the writes."""
        # Of those who act at once, one may close the table that another has just shown.
        self.show_ids = {act.id for act in acts if act.command == "table show" and self.model.tables_here(act)}
        await self.transport(*acts)
        # On a busy machine a response may only be deferred by now, and its write comes later.
        await self.client.in_flight.drain(DEADLINE_SECONDS)
        writes = self.check_writes(*acts)
        sent, said = self.transport.take_sent()
        opened = any(isinstance(write, TableOpened) for write in writes)
        self.doubled_ids |= {act_id for act_id, times in Counter(act.id for act in acts).items() if times > 1}
        assert self.doubled_ids.issuperset(self.transport.refused_acts), (
            f"answered twice: {self.transport.refused_acts}, after {acts}"
        )
        for act in {act.id: act for act in acts}.values():
            self.act_counts[act.kind] += 1
            self._check_answers(act, [each for each in sent if each.act == act.id], opened=opened)
        assert not self.transport.is_late, f"answered after more than three seconds: {acts}"
        self._check_secrets("\n".join(said))

    def check_writes(self, *acts: Act) -> list[Write]:
        """Check the writes against the acts."""
        writes, self.db.writes = self.db.writes, []
        self.model.apply_writes(acts, writes)
        return writes

    def _check_answers(self, act: Act, sent: list[SentAnswer], *, opened: bool) -> None:
        firsts = [each for each in sent if each.is_first]
        assert len(firsts) == 1, f"{len(firsts)} first answers to {act}"
        assert firsts[0].kind in _FIRST_ANSWERS[act.kind], f"{firsts[0].kind.name} answers {act}"
        for each in sent:
            if each.kind in (AnswerKind.MESSAGE, AnswerKind.DEFERRED_MESSAGE) and not each.is_ephemeral:
                assert self._may_be_public(act, opened=opened), f"everybody sees {each} to {act}"
            if each.kind is AnswerKind.MESSAGE:
                assert each.data.get("content") or each.data.get("embeds"), f"{act} is answered without a word"
            self._check_hand(act, each)

    def _check_hand(self, act: Act, sent: SentAnswer) -> None:
        """Check that a hand is shown to its owner only."""
        table_id = table_of_hand(sent.data)
        if table_id is None:
            return
        self.hands_shown += 1
        assert sent.is_ephemeral, f"everybody sees a hand: {sent} to {act}"
        account, (embed,) = self.model.tables[table_id], sent.data["embeds"]
        seat, title = account.seat_of(act.person.id), _ABSENCE_MARKS.sub("", embed["title"])
        assert account.is_at(act), f"a hand is shown elsewhere: {sent} to {act}"
        assert seat is not None, f"a hand is shown to a user without a seat: {sent} to {act}"
        assert account.shows_hand(seat, title, embed["description"]), f"another player's hand is shown: {sent} to {act}"

    def _may_be_public(self, act: Act, *, opened: bool) -> bool:
        if act.custom_id.startswith("D:share:"):
            return (act.person.id, int(act.custom_id.split(":")[2])) in self.db.daily_answers
        if act.kind is not ActKind.COMMAND:
            shared = self.model.tables.get(pressed_table(act, "A") or 0)
            return shared is not None and shared.is_at(act) and shared.seat_of(act.person.id) is not None
        return (
            (act.command.endswith(" new") and opened)
            or act.id in self.show_ids
            or (act.command == "table show" and bool(self.model.tables_here(act)))
        )

    def _check_secrets(self, said: str) -> None:
        assert not find_leaks(said, self.model.sealed_seeds())


@asynccontextmanager
async def run_harness(file: Path, seed: int) -> AsyncIterator[FuzzHarness]:
    """Connect a bot to a crowd until the block ends."""
    db = RecordingStore(parse_database_url(f"sqlite:///{file}"))
    await migrate(db)
    with pytest.MonkeyPatch.context() as patch, AnswerDeadline(file.with_suffix(".patience")) as patience:
        client = build_client(db, load_games())
        await client.__aenter__()
        patch.setattr("bot.platform.discord.client.sync_commands_if_possible", AsyncMock())
        # A deletion ends tables and takes names from them later, on its own; other tests look at that.
        patch.setattr(PersonalDataService, "ask_erasure", AsyncMock())
        await log_in(client, BOT_ID, patch)
        crowd = FuzzHarness(client, db, FakeTransport(await connect_gateway(client, patch), patience), seed)
        install(crowd.transport, client, patch)
        try:
            yield crowd
        finally:
            await client.app.service(Host).close()
            await db.close()
