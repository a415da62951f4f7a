"""A bot on a wire and the crowd around it, with everything checked that comes of what they do."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.tables.model import TableId
from bot.tables.registry import load_games
from bot.ui.client.client import ParlourClient
from tests.fuzz.book import Book
from tests.fuzz.fuzz_actions import Mischief
from tests.fuzz.patience import Patience
from tests.fuzz.wire import Act, Json, Kind, Reply, Sent, Wire, connect
from tests.fuzz.writes import Opened, WatchedStore, Write
from tests.support.fakes import ClockAhead
from tests.support.patience import DEADLINE_SECONDS

_FIRSTS = {
    Kind.COMMAND: {Reply.MESSAGE, Reply.DEFERRED_MESSAGE},
    Kind.COMPONENT: {Reply.MESSAGE, Reply.DEFERRED_MESSAGE, Reply.DEFERRED_UPDATE, Reply.UPDATE},
    Kind.MODAL: {Reply.MESSAGE},
    Kind.SUGGEST: {Reply.CHOICES},
}
_TELLTALES = ("Traceback", "secret-of-", 'File "', "Error(")

_MARKS = re.compile(" [🏳️🤖]+")
"""What stands behind the name of somebody who has left their seat."""

_TELLING = 16
"""So many digits of a seed are no coincidence."""


def leaks(text: str, seeds: Iterable[str]) -> list[str]:
    """Return what should not stand in a text: seeds, however their digits are spaced, tokens and traces of faults."""
    digits = text.replace(" ", "").casefold()
    return [
        *(telltale for telltale in _TELLTALES if telltale in text),
        *(seed for seed in seeds if seed[:_TELLING] in digits),
    ]


def hand_in(data: Json) -> TableId | None:
    """Return the table of which an answer shows a hand: one can always look again."""
    leaves = (leaf for row in data.get("components") or () for leaf in row["components"])
    ids = (str(leaf.get("custom_id", "")).split(":") for leaf in leaves)
    return next((int(parts[2]) for parts in ids if parts[:2] == ["w", "y"]), None)


class Crowd:
    """A bot on a wire, the people around it, and the account of what they did."""

    def __init__(self, client: ParlourClient, store: WatchedStore, patience: Patience, seed: int) -> None:
        self.client = client
        self.store = store
        self.clock = client.host.service.clock = ClockAhead()
        self.wire = Wire(client, patience)
        self.book = Book(client.host.service.games, self.clock)
        commands = [command.to_dict(client.tree) for command in client.tree.get_commands()]
        self.mischief = Mischief(seed, self.wire, self.book, commands)
        self.done: Counter[Kind] = Counter()
        self.doubled: set[int] = set()
        """What reached the bot twice: it may try to answer both."""
        self.shows: set[int] = set()
        """Commands that show a table which was there when they were typed."""
        self.hands = 0
        """How many hands were shown."""

    async def act(self, *acts: Act) -> None:
        """Let people act, and check what came of it."""
        # Of those who act at once, one may close the table that another has just shown.
        self.shows = {act.id for act in acts if act.command == "table show" and self.book.here(act)}
        await self.wire(*acts)
        # On a busy machine somebody may only have been asked to wait: what comes of it is written later.
        await self.client.doorway.empty(DEADLINE_SECONDS)
        writes = self.settle(*acts)
        sent, said = self.wire.taken()
        opened = any(isinstance(write, Opened) for write in writes)
        self.doubled |= {act_id for act_id, times in Counter(act.id for act in acts).items() if times > 1}
        assert self.doubled.issuperset(self.wire.refused), f"answered twice: {self.wire.refused}, after {acts}"
        for act in {act.id: act for act in acts}.values():
            self.done[act.kind] += 1
            self._check_answers(act, [each for each in sent if each.act == act.id], opened=opened)
        assert not self.wire.is_late, f"answered after more than three seconds: {acts}"
        self._check_secrets("\n".join(said))

    def settle(self, *acts: Act) -> list[Write]:
        """Check what was written against what people did."""
        writes, self.store.writes = self.store.writes, []
        self.book.settle(acts, writes)
        return writes

    def _check_answers(self, act: Act, sent: list[Sent], *, opened: bool) -> None:
        firsts = [each for each in sent if each.is_first]
        assert len(firsts) == 1, f"{len(firsts)} first answers to {act}"
        assert firsts[0].kind in _FIRSTS[act.kind], f"{firsts[0].kind.name} answers {act}"
        for each in sent:
            if each.kind in (Reply.MESSAGE, Reply.DEFERRED_MESSAGE) and not each.is_ephemeral:
                assert self._may_be_public(act, opened=opened), f"everybody sees {each} to {act}"
            if each.kind is Reply.MESSAGE:
                assert each.data.get("content") or each.data.get("embeds"), f"{act} is answered without a word"
            self._check_hand(act, each)

    def _check_hand(self, act: Act, sent: Sent) -> None:
        """Check that a hand is shown to nobody but its owner."""
        table_id = hand_in(sent.data)
        if table_id is None:
            return
        self.hands += 1
        assert sent.is_ephemeral, f"everybody sees a hand: {sent} to {act}"
        account, (embed,) = self.book.accounts[table_id], sent.data["embeds"]
        seat, title = account.seat_of(act.person.id), _MARKS.sub("", embed["title"])
        assert account.is_at(act), f"a hand is shown elsewhere: {sent} to {act}"
        assert seat is not None, f"a hand is shown to somebody who has none: {sent} to {act}"
        assert account.holds(seat, title, embed["description"]), f"somebody else's hand is shown: {sent} to {act}"

    def _may_be_public(self, act: Act, *, opened: bool) -> bool:
        if act.kind is not Kind.COMMAND:
            return False
        return (
            (act.command.endswith(" new") and opened)
            or act.id in self.shows
            or (act.command == "table show" and bool(self.book.here(act)))
        )

    def _check_secrets(self, said: str) -> None:
        assert not leaks(said, self.book.sealed())


@asynccontextmanager
async def gathered(file: Path, seed: int) -> AsyncIterator[Crowd]:
    """Connect a bot to a crowd until the block ends."""
    store = WatchedStore(f"sqlite:///{file}")
    await store.upgrade()
    with pytest.MonkeyPatch.context() as patch, Patience(file.with_suffix(".patience")) as patience:
        client = ParlourClient(store, load_games(), pause=0)
        await client._async_setup_hook()
        await client.setup_hook()
        crowd = Crowd(client, store, patience, seed)
        connect(crowd.wire, patch)
        try:
            yield crowd
        finally:
            await client.host.close()
            await store.close()
