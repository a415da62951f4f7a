"""`/play`, the help and the guides: a game is open in two clicks, and explained a page at a time."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.help.handlers import GameList, Guides, Help
from bot.features.help.lessons import LessonControlId
from bot.features.help.messages import GameMenuId, GuidePageId, HelpId, HelpTopic
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import GuideId, OpenTableId, ReadOnlyId, open_table_id
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until
from tests.ui.adapter import Adapter
from tests.ui.delivery.test_rolls import MOVING, STILL, FakeRolls
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_command, make_menu_choice

OPEN = open_table_id("magpie", MagpieOptions(), computers=0)


async def list_games(adapter: Adapter, **changes: Any) -> FakeInteraction:
    command = make_command(ROBIN, **changes)
    await adapter.app.service(GameList).show(command)  # type: ignore[arg-type]
    return command


def description_of(click: FakeInteraction) -> str:
    embed = click.answers[-1].embed
    assert embed is not None
    return str(embed.description)


async def test_a_click_opens_the_lobby_with_the_default_options(adapter: Adapter) -> None:
    click = await adapter.click(make_click(ROBIN, OPEN, in_whisper=True))
    table = await adapter.service.open_table_in(HERE.channel_id)
    assert table is not None
    assert (table.header.game, table.header.status, table.header.opener_id) == ("magpie", Status.LOBBY, ROBIN.id)
    assert table.options == table.package.game.info.options()
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]


async def test_a_table_that_is_open_here_is_named_at_once(adapter: Adapter) -> None:
    await open_lobby(adapter.service, WREN)
    assert "https://discord.com/channels/3/70" in description_of(await list_games(adapter))
    click = await adapter.click(make_click(ROBIN, OPEN, in_whisper=True))
    assert click.refusal is HostReason.CHANNEL_TAKEN


@pytest.mark.parametrize(
    ("blocking", "solo_id", "offered"),
    [
        (None, 0, {"magic_bag", "magpie"}),
        (WREN, 0, {"magic_bag", "magpie"}),
        (ROBIN, 0, {"magic_bag"}),
        (ROBIN, ROBIN.id, {"magpie"}),
        (WREN, WREN.id, {"magic_bag", "magpie"}),
    ],
)
async def test_only_games_that_can_be_opened_are_offered(
    db: MemoryDatabase, shown: FakeTableMessages, blocking: Person | None, solo_id: int, offered: set[str]
) -> None:
    """An own solo game leaves room for a shared table, and a table of others for games against computers."""
    every = load_games_once()
    adapter = Adapter(db, shown, GameRegistry([every["magpie"], every["magic_bag"]]))
    if blocking is not None:
        await start_game(adapter.service, blocking, JAY, location=replace(HERE, solo_id=solo_id))
    listed = await list_games(adapter)
    ids = [parse_id(custom_id) for custom_id in listed.buttons()]
    opening = [each for each in ids if isinstance(each, OpenTableId)]
    assert {each.game for each in opening} == offered
    assert any(each.computers for each in opening) is (blocking is WREN and not solo_id)
    await adapter.host.close()


async def test_a_game_that_can_be_put_aside_does_not_hide_the_others(adapter: Adapter) -> None:
    await start_game(adapter.service, ROBIN, WREN)
    adapter.clock.tick(86_400)
    listed = await list_games(adapter)
    assert str(OPEN) in listed.buttons()


async def test_the_list_is_shown_while_the_database_fails(adapter: Adapter, db: MemoryDatabase) -> None:
    db.broken = {table_storage.find_open, table_storage.load}
    assert str(OPEN) in (await list_games(adapter)).buttons()


@each_case("chosen", ["f:start", "c:1", "nonsense", "1:1", ""])
async def test_a_menu_of_games_opens_nothing_else(adapter: Adapter, chosen: str) -> None:
    click = await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), chosen))
    assert click.refusal is ClickReason.UNKNOWN_BUTTON


async def test_a_menu_of_games_opens_tables_and_guides(adapter: Adapter) -> None:
    guide = await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), str(GuideId("magpie"))))
    assert guide.answers[-1].embed is not None
    await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), str(OPEN)))
    assert await adapter.service.open_table_in(HERE.channel_id) is not None


DEFAULTS = open_table_id("magpie", MagpieOptions(), computers=0).options


def title_of(click: FakeInteraction) -> str:
    embed = click.answers[-1].embed
    assert embed is not None
    return str(embed.title)


async def test_a_guide_chosen_from_the_list_of_games_replaces_the_list(adapter: Adapter) -> None:
    click = await adapter.click(make_click(STRANGER, GuideId("magpie"), in_whisper=True))
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
    assert title_of(click).startswith(gettext("Magpie") + " · ")
    back = await adapter.click(make_click(STRANGER, HelpId(HelpTopic.GUIDES), in_whisper=True))
    assert click.buttons()[0] == str(HelpId(HelpTopic.GUIDES))
    assert [answer.how for answer in back.answers] == [AnswerMethod.EDIT]
    assert str(GuideId("magpie")) in back.buttons()


async def open_help(adapter: Adapter) -> int:
    """Open the help, and return the id of its message."""
    await adapter.app.service(Help).show(command := make_command(STRANGER))  # type: ignore[arg-type]
    return command.answer_id


async def test_a_guide_chosen_in_an_older_list_replaces_a_newer_one(adapter: Adapter) -> None:
    listed = await open_help(adapter)
    await adapter.app.service(Guides).show_named(command := make_command(STRANGER), "magpie")  # type: ignore[arg-type]
    click = await adapter.click(make_click(STRANGER, GuideId("magpie"), in_whisper=True, message_id=listed))
    await wait_until(lambda: command.deleted or click.deleted)
    assert (command.deleted, click.deleted) == ([command.answer_id], [])
    await adapter.app.service(Guides).show_named(make_command(STRANGER), "magpie")  # type: ignore[arg-type]
    await adapter.app.ephemeral_messages.close(30)
    assert click.deleted == [listed]


@each_case("topic", HelpTopic)
async def test_help_that_showed_a_guide_before_is_left(adapter: Adapter, topic: HelpTopic) -> None:
    helped = await open_help(adapter)
    clicks = [
        await adapter.click(make_click(STRANGER, pressed, in_whisper=True, message_id=helped))
        for pressed in (GuideId("magpie"), HelpId(topic))
    ]
    await adapter.app.service(Guides).show_named(make_command(STRANGER), "magpie")  # type: ignore[arg-type]
    await adapter.app.ephemeral_messages.close(30)
    assert [click.deleted for click in clicks] == [[], []]


async def test_help_elsewhere_leaves_the_guide_to_be_replaced(adapter: Adapter) -> None:
    guide = await adapter.click(make_click(STRANGER, GuideId("magpie")))
    helped = await open_help(adapter)
    await adapter.click(make_click(STRANGER, HelpId(HelpTopic.GUIDES), in_whisper=True, message_id=helped))
    await adapter.app.service(Guides).show_named(make_command(STRANGER), "magpie")  # type: ignore[arg-type]
    await adapter.app.ephemeral_messages.close(30)
    assert guide.deleted == [guide.answer_id]


async def test_a_page_button_on_a_public_message_answers_in_private(adapter: Adapter) -> None:
    clicks = [await adapter.click(make_click(STRANGER, GuidePageId("magpie", page, DEFAULTS))) for page in (3, 2)]
    assert [(answer.how, answer.ephemeral) for answer in clicks[1].answers] == [(AnswerMethod.SEND, True)]
    await wait_until(lambda: clicks[0].deleted)
    await adapter.app.service(Guides).show_named(command := make_command(STRANGER), "magpie")  # type: ignore[arg-type]
    await wait_until(lambda: clicks[1].deleted)
    assert command.deleted == []


@each_case(
    "forged",
    [
        GuidePageId("chess", 1, DEFAULTS),
        GuidePageId("magpie", 1, ()),
        GuidePageId("magpie", 1, ("1", *DEFAULTS[1:])),
        GuidePageId("magpie", 1, (*DEFAULTS, "true")),
        GuideId("chess"),
    ],
)
async def test_forged_and_outdated_pages_are_refused(adapter: Adapter, forged: GuidePageId | GuideId) -> None:
    assert (await adapter.click(make_click(ROBIN, forged))).refusal is ClickReason.UNKNOWN_BUTTON


async def test_the_guide_from_a_table_explains_its_options(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, options=MagpieOptions(double_big_rolls=True))
    click = await adapter.click(make_click(ROBIN, ReadOnlyId(table.id, table.header.revision, GuideId("magpie"))))
    assert "true" in click.buttons()[0]
    plain = await adapter.click(make_click(ROBIN, GuideId("magpie")))
    assert "true" not in plain.buttons()[1]
    assert plain.buttons()[0] == str(HelpId(HelpTopic.GUIDES))


async def test_a_guide_is_in_words_where_files_are_not_allowed(adapter: Adapter) -> None:
    click = await adapter.click(make_click(ROBIN, GuideId("magpie"), app_permissions=discord.Permissions.none()))
    assert click.answers[0].file is None
    assert title_of(click).startswith(gettext("Magpie") + " · ")


async def test_a_guide_needs_no_place_that_could_have_a_table(adapter: Adapter) -> None:
    click = await adapter.click(make_click(ROBIN, GuideId("magpie"), channel_id=None))
    assert title_of(click).startswith(gettext("Magpie") + " · ")
    assert click.answers[0].file is None


@each_case(
    "pressed, step, file",
    [
        (LessonControlId("magpie", 0, "roll", frozenset()), 2, MOVING),
        (LessonControlId("magpie", 2, "all", frozenset()), 2, STILL),
        (LessonControlId("magpie", 1, "roll", frozenset()), 0, STILL),
        (LessonControlId("magpie", 99, "roll", frozenset()), 0, STILL),
    ],
)
async def test_a_lesson_takes_no_control_but_the_awaited_one_and_shows_it(
    db: MemoryDatabase,
    shown: FakeTableMessages,
    monkeypatch: pytest.MonkeyPatch,
    pressed: LessonControlId,
    step: int,
    file: str,
) -> None:
    """Step 1 of Magpie is the computer's, whose dice tumble once."""
    adapter = Adapter(db, shown, GameRegistry([load_games_once()["magpie"]]))
    monkeypatch.setattr(adapter.pictures, "_rolls", FakeRolls())
    click = await adapter.click(make_click(ROBIN, pressed, in_whisper=True))
    assert str(LessonControlId("magpie", step, "roll", frozenset())) in click.buttons()
    assert [each.filename for each in click.answers[-1].attachments] == [file]


async def test_no_table_is_opened_against_an_unknown_level(adapter: Adapter) -> None:
    click = await adapter.click(make_click(ROBIN, replace(OPEN, computers=1, level="wise"), in_whisper=True))
    assert click.refusal is ClickReason.UNKNOWN_BUTTON
