"""What tables show of the series they belong to, and the button that goes on with it."""

from dataclasses import replace

import pytest

from bot.tables.model import Link, LinkKind, Status
from bot.tables.registry import Registry
from bot.tables.table import Table
from bot.ui.custom_ids import AgainId, LobbyAction, LobbyId, NextId
from bot.ui.render.lobby import lobby_frame
from bot.ui.render.message import Frame
from bot.ui.render.table_message import game_frame
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, FakeStore, a_table
from tests.support.series import IN_SERIES, SERIAL, finished_game, the_next, to_its_end, won
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import How, click_of


@pytest.fixture
def games() -> Registry:
    return IN_SERIES


def presses(frame: Frame) -> dict[str, str]:
    return {press.custom_id: press.label for row in frame.rows for press in row}


def fields(frame: Frame) -> dict[str, str]:
    return {str(field.name): str(field.value) for field in frame.embed.fields}


def ended(table: Table) -> Frame:
    return game_frame(table, frozenset())


def test_a_tournament_goes_on_with_the_next_game() -> None:
    frame = ended(won(30, 20, games=3))
    offered = presses(frame)
    assert offered[str(NextId(1))] == "Next game: 2 of 3"
    assert str(AgainId(1)) not in offered
    assert fields(frame)["Tournament · game 1 of 3"].splitlines() == [
        "🥇 🟦 Robin · **30 points**",
        "🥈 🟧 Wren · **20 points**",
    ]


def test_the_last_game_shows_the_final_tally() -> None:
    frame = ended(won(5, 40, games=2, link=Link(7, LinkKind.TOURNAMENT, 2, (30, 20))))
    assert fields(frame)["Tournament · final tally after game 2 of 2"].splitlines() == [
        "🏆 Wren wins the tournament.",
        "🥇 🟧 Wren · **60 points**",
        "🥈 🟦 Robin · **35 points**",
    ]
    assert str(AgainId(1)) in presses(frame)
    assert str(NextId(1)) not in presses(frame)


def test_a_shared_tournament_names_those_who_share_it() -> None:
    frame = ended(won(30, 20, 10, games=2, link=Link(7, LinkKind.TOURNAMENT, 2, (10, 20, 0))))
    tally = fields(frame)["Tournament · final tally after game 2 of 2"].splitlines()
    assert tally[0] == "🏆 Robin and Wren share the tournament."


def test_nobody_is_ranked_before_anything_has_been_counted() -> None:
    for status, frame_of in ((Status.LOBBY, lobby_frame), (Status.PLAYING, ended)):
        table = won(0, 0, games=2)
        frame = frame_of(replace(table, header=replace(table.header, status=status)))
        assert "Nothing has been counted yet" in fields(frame)["Tournament · game 1 of 2"]


def test_the_lobby_of_a_tournament_says_how_long_each_game_takes() -> None:
    table = won(0, 0, games=2)
    several = lobby_frame(replace(table, header=replace(table.header, status=Status.LOBBY)))
    assert str(several.embed.fields[0].name).endswith("minutes for each game")
    single = won(0, 0)
    alone = lobby_frame(replace(single, header=replace(single.header, status=Status.LOBBY)))
    assert str(alone.embed.fields[0].name).endswith("minutes")


def test_a_tie_offers_a_tie_break_beside_playing_again() -> None:
    offered = presses(ended(won(30, 30, 20)))
    assert offered[str(NextId(1))] == "Tie-break"
    assert str(AgainId(1)) in offered


def test_a_game_without_a_series_shows_none() -> None:
    frame = ended(a_table(status=Status.FINISHED))
    assert str(NextId(1)) not in presses(frame)
    assert not any("Tournament" in name or "Tie" in name for name in fields(frame))


def test_the_lobby_of_a_linked_table_has_fixed_seats() -> None:
    table = the_next(a_table(package=SERIAL, options='{"double_big_rolls": true}'))
    frame = lobby_frame(table)
    start = str(LobbyId(1, table.header.revision, LobbyAction.START))
    assert next(iter(presses(frame))) == start
    assert {custom_id[0] for custom_id in presses(frame)} == {"l", "u"}
    assert "Tournament · game 2 of 2" in fields(frame)
    assert "Robin starts" in str(frame.embed.footer.text)


def test_the_lobby_of_a_tie_break_says_so() -> None:
    table = a_table(package=SERIAL)
    table = replace(table, header=replace(table.header, link=Link(7, LinkKind.TIE_BREAK, 2)))
    assert "Tie-break" in fields(lobby_frame(table))


async def test_a_click_opens_the_next_game(adapter: Adapter, store: FakeStore) -> None:
    table = await finished_game(adapter.service, ROBIN, WREN, games=2)
    click = await adapter.click(click_of(WREN, NextId(table.id)))
    assert [answer.how for answer in click.answers] == [How.DEFER]
    link = store.header(2).link
    assert link is not None
    assert (link.first_id, link.part) == (table.id, 2)


async def test_a_double_click_is_not_scolded(adapter: Adapter, store: FakeStore) -> None:
    table = await finished_game(adapter.service, ROBIN, WREN, games=2)
    for _ in range(2):
        click = await adapter.click(click_of(WREN, NextId(table.id)))
        assert [answer.how for answer in click.answers] == [How.DEFER]
    second = await adapter.click(click_of(ROBIN, NextId(table.id)))
    assert "open already" in second.text
    assert len(store.records) == 2


async def test_a_late_click_is_told_where_it_goes_on(adapter: Adapter, store: FakeStore) -> None:
    table = await finished_game(adapter.service, ROBIN, WREN, games=2)
    await to_its_end(adapter.service, await adapter.service.go_on(table.id, ROBIN, 77), ROBIN)
    click = await adapter.click(click_of(WREN, NextId(table.id)))
    assert "gone on at another table" in click.text
    assert len(store.records) == 2


@pytest.mark.parametrize(("person", "told"), [(STRANGER, "no seat"), (JAY, "no seat")])
async def test_only_players_go_on(adapter: Adapter, person: object, told: str) -> None:
    table = await finished_game(adapter.service, ROBIN, WREN, games=2)
    click = await adapter.click(click_of(person, NextId(table.id)))  # type: ignore[arg-type]
    assert told in click.text
