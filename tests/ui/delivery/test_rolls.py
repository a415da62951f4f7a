"""Rolls in the messages of tables: each moves once, and the words of a moment follow."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.settings.all_settings import MOTION, PICTURES
from bot.features.settings.choices import MotionChoice, PictureChoice
from bot.features.settings.service import SettingsCache
from bot.games.houdinis_baggage.pieces import DONE
from bot.pictures.rolls import NotAnimated
from bot.pictures.service import PictureFile
from bot.platform.discord.errors import DiscordUnavailable
from bot.platform.observability.metrics import Metrics
from bot.rules.motion import RollOutcome
from bot.rules.picture import Picture, Theme
from bot.rules.story import Highlight
from bot.tables.model import Pace, Status
from bot.tables.shown.message import table_picture
from bot.tables.shown.screen import screen_of
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table, apply_move
from tests.games.houdinis_baggage.positions import at, player
from tests.support import apps
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import ALL_FIVE, HERE, JAY, ROBIN, WREN, make_table
from tests.support.games import load_games_once
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import edit_table, post_table
from tests.ui.fake_interactions import TOO_LARGE, FakeMessageClient, make_http_error
from tests.ui.fake_pictures import FakePictureDrawer

STILL, MOVING = "table.png", "table.gif"


class FakeRolls:
    """Animates every roll with a few bytes, unless a test says why not."""

    def __init__(self) -> None:
        self.reason: RollOutcome | None = None

    def prepare(self, _: Theme) -> None:
        """Do nothing."""

    async def animate(self, still: PictureFile, picture: Picture, _: Theme) -> PictureFile:
        assert picture.motion is not None
        if self.reason is not None:
            raise NotAnimated(self.reason)
        return replace(still, data=b"GIF", name=MOVING, rolling_seconds=0.5, is_moment=picture.motion.is_moment)


class Shown:
    """What shows tables, with rolls that move."""

    def __init__(self) -> None:
        self.db, self.client, self.rolls, self.metrics = MemoryDatabase(), FakeMessageClient(), FakeRolls(), Metrics()
        pictures = FakePictureDrawer()
        self.messages: DiscordTableMessages = apps.make_table_messages(
            SettingsCache(self.db), self.client, pictures, self.metrics, self.rolls
        )

    @property
    def files(self) -> list[str | None]:
        """The names of the files that were sent."""
        return [request.picture.name if request.picture else None for request in self.client.requests]

    def buttons(self, at: int) -> list[dict[str, Any]]:
        """Return the buttons and menus of a request."""
        json = self.client.requests[at].json
        assert json is not None
        return [part for row in json["components"] for part in row["components"]]

    def embed(self, at: int) -> dict[str, Any]:
        """Return the embed of a request."""
        json = self.client.requests[at].json
        assert json is not None
        embed: dict[str, Any] = json["embeds"][0]
        return embed


@pytest.fixture
def shown() -> Shown:
    return Shown()


def make_rolled_table(**header: Any) -> Table:
    """Return a table whose newest revision is a roll that nobody has seen."""
    table = make_table(
        status=Status.PLAYING, package=MAGPIE_WITH_PICTURE, message_id=9, revision=5, published=4, **header
    )
    move = table.package.game.legal_moves(table.state)[0]
    return apply_move(table, table.header.to_move or 0, move)


def as_moment(table: Table) -> Table:
    """Return a table whose newest move is remarkable."""
    words = table.package.words
    assert words.narration is not None
    narration = replace(words.narration, highlight=lambda *_: Highlight("Big roll", "+20", weight=2))
    return replace(table, package=replace(table.package, words=replace(words, narration=narration)))


@each_case("tasks, is_staged", [("4 red-circle blue-star; 2", True), ("4 red-circle -; 2", False)])
def test_a_move_that_draws_nothing_is_in_motion_if_it_is_staged(tasks: str, *, is_staged: bool) -> None:
    table = make_table(status=Status.PLAYING, package=load_games_once()["houdinis_baggage"])
    table = replace(table, state=at(player(tasks), player("3; 9")))
    after = apply_move(table, 0, DONE)
    assert after.numbers == ()
    assert (after.before == table) is is_staged


async def test_a_roll_moves_the_first_time_it_is_shown_and_no_other_table_does(shown: Shown) -> None:
    table = make_rolled_table()
    await edit_table(shown.messages, table)
    assert shown.messages.rolling_seconds(table) == 0.5
    seen = replace(table, header=replace(table.header, published=5))
    for again in (table, seen, replace(table, before=None)):
        await edit_table(shown.messages, again)
    await post_table(shown.messages, table)
    assert shown.files == [MOVING, STILL, STILL, STILL, STILL]
    assert not shown.messages.awaits_words(table)


async def test_a_roll_moves_again_if_it_could_not_be_sent(shown: Shown) -> None:
    table = make_rolled_table()
    shown.client.fault = make_http_error(discord.DiscordServerError, 503, 0)
    with pytest.raises(DiscordUnavailable):
        await edit_table(shown.messages, table)
    shown.client.fault = None
    await edit_table(shown.messages, table)
    assert shown.files[-1] == MOVING


async def test_the_words_of_a_moment_follow_without_its_picture(shown: Shown) -> None:
    table = as_moment(make_rolled_table())
    assert table.before is not None
    await edit_table(shown.messages, table)
    rolling = shown.embed(0)
    assert rolling["title"] == screen_of(table.before).busy
    assert shown.messages.awaits_words(table)
    await edit_table(shown.messages, table)
    assert not shown.messages.awaits_words(table)
    assert shown.files == [MOVING, None]
    assert shown.client.requests[1].json is not None
    assert set(shown.client.requests[1].json) == {"embeds", "allowed_mentions"}, "file and buttons stay as they are"
    told = shown.embed(1)
    assert told["image"] == rolling["image"] == {"url": f"attachment://{MOVING}"}
    assert told["title"] == screen_of(table).title
    assert told["description"] != rolling["description"]


@each_case("awaits_computer", [True, False])
async def test_buttons_tell_of_a_moment_at_once_only_if_a_person_needs_them(*, awaits_computer: bool) -> None:
    shown, rolled = Shown(), as_moment(make_rolled_table())
    table = replace(rolled, header=replace(rolled.header, awaits_computer=awaits_computer))
    assert table.before is not None
    await edit_table(shown.messages, table)
    before, after = (
        [button.custom_id for row in shown.messages.build_content(each).rows for button in row]
        for each in (table.before, table)
    )
    shown_first = [button["custom_id"] for button in shown.buttons(0)]
    assert shown_first == (before if awaits_computer else after) != (after if awaits_computer else before)
    await edit_table(shown.messages, table)
    assert ("components" in (shown.client.requests[1].json or {})) is awaits_computer


async def test_neither_picture_nor_words_nor_buttons_tell_that_a_roll_ends_the_game_before_it_rests(
    shown: Shown,
) -> None:
    table = make_rolled_table()
    while table.header.status is Status.PLAYING:
        table = apply_move(table, table.header.to_move or 0, table.package.game.parse_move(ALL_FIVE))
    before = table.before
    content = shown.messages.build_content(table)
    assert before is not None
    assert before.package.look.build_picture is not None
    assert content.make_picture is not None
    picture = content.make_picture()
    assert picture.motion is not None
    assert picture.motion.before.marks == table_picture(before, before.package.look.build_picture, None).marks
    await edit_table(shown.messages, table)
    assert shown.embed(0)["title"] == screen_of(before).busy
    assert all(button["disabled"] for button in shown.buttons(0))
    rows = shown.messages.build_content(before).rows
    assert [button["label"] for button in shown.buttons(0)] == [button.label for row in rows for button in row]
    await edit_table(shown.messages, table)
    assert shown.files == [MOVING, None]
    assert shown.embed(1)["title"] == screen_of(table).title
    assert [button["label"] for button in shown.buttons(1)] == [button.label for row in content.rows for button in row]


async def test_words_are_all_there_is_if_discord_refuses_the_file_of_a_moment(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, send = as_moment(make_rolled_table()), shown.client.send

    async def refuse_files(request: Any, permit: Any) -> Any:
        if request.picture is not None:
            raise TOO_LARGE
        return await send(request, permit)

    monkeypatch.setattr(shown.client, "send", refuse_files)
    await edit_table(shown.messages, table)
    assert shown.embed(0)["title"] == screen_of(table).title
    assert not shown.messages.awaits_words(table)


@each_case(
    "is_moment, server, people, name",
    [
        (False, {}, {}, MOVING),
        (False, {MOTION: MotionChoice.MOMENTS}, {}, STILL),
        (True, {MOTION: MotionChoice.MOMENTS}, {}, MOVING),
        (True, {MOTION: MotionChoice.OFF}, {}, STILL),
        (True, {PICTURES: PictureChoice.HIGH_CONTRAST}, {}, STILL),
        (False, {PICTURES: PictureChoice.HIGH_CONTRAST, MOTION: MotionChoice.ALL}, {}, MOVING),
        (False, {PICTURES: PictureChoice.OFF, MOTION: MotionChoice.ALL}, {}, None),
        (False, {}, {ROBIN: MotionChoice.OFF, WREN: MotionChoice.OFF}, MOVING),
        (False, {}, {ROBIN: MotionChoice.OFF, WREN: MotionChoice.OFF, JAY: MotionChoice.OFF}, STILL),
    ],
)
async def test_server_and_people_choose_what_moves(is_moment: bool, server: Any, people: Any, name: str | None) -> None:
    shown = Shown()
    shown.db.chosen[HERE.scope_id] = chosen(server)
    for person, choice in people.items():
        shown.db.chosen[person.id] = chosen({MOTION: choice})
    table = make_rolled_table()
    await edit_table(shown.messages, as_moment(table) if is_moment else table)
    assert shown.files == [name]


async def test_a_quick_table_moves_only_at_moments(shown: Shown) -> None:
    await edit_table(shown.messages, make_rolled_table(pace=Pace.QUICK))
    await edit_table(shown.messages, as_moment(make_rolled_table(pace=Pace.QUICK, id=2)))
    assert shown.files == [STILL, MOVING]


@each_case("reason", [RollOutcome.BUSY, RollOutcome.LATE, RollOutcome.TOO_LARGE])
async def test_what_lies_still_is_counted_by_reason_and_has_its_words_at_once(reason: RollOutcome) -> None:
    shown, table = Shown(), as_moment(make_rolled_table())
    shown.rolls.reason = reason
    await edit_table(shown.messages, table)
    assert shown.files == [STILL]
    assert shown.embed(0)["title"] == screen_of(table).title
    exported = shown.metrics.export_text(table.header.created_at, None).decode()
    assert f'parlour_rolls_total{{outcome="{reason}"}} 1.0' in exported
