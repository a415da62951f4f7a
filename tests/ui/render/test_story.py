"""What happened at a table: the news of missed turns, and the whole of it for one player."""

from dataclasses import replace
from random import Random

import pytest

from bot.features.hints.messages import HintId
from bot.features.tips import NoTipsId
from bot.platform.discord.ids import CustomId, parse_id
from bot.rules.chance import FastChance
from bot.rules.package import ends_turn
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT
from bot.rules.study import Tip
from bot.tables.control_entries import Resign, Substitute
from bot.tables.handlers.ids import GuideId, ReadOnlyId, WhatHappenedId
from bot.tables.model import Occupant, Status
from bot.tables.shown.story import describe_what_happened, missed_moves, missed_news, turns_of
from bot.tables.table import Table, apply_control_entry, apply_move
from bot.words import seat_emoji
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game

GAMES = load_games_once()
NARRATED = sorted(key for key, package in GAMES.items() if package.words.narration is not None)
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def start(key: str, seats: int) -> Table:
    """Return a table that has just started."""
    people = (Occupant(name=name, user_id=number) for number, name in enumerate(NAMES[:seats], 1))
    return make_table(*people, status=Status.PLAYING, package=GAMES[key])


def play_randomly(table: Table, random: Random) -> Table:
    """Make a random move."""
    seat = table.header.to_move or 0
    return apply_move(table, seat, random_move(table.package.game.legal_moves(table.state), FastChance(random)))


@each_case("key", sorted(GAMES))
def test_a_table_remembers_the_last_turn_of_each_seat(key: str) -> None:
    random, table = Random(key), start(key, min(3, GAMES[key].game.info.most_seats))
    made: list[tuple[int | None, bool]] = []
    for _ in range(60):
        if table.header.status is not Status.PLAYING:
            break
        before, table = table, play_randomly(table, random)
        is_new = not made or made[-1][1]
        seat = before.header.to_move if is_new else made.pop()[0]
        made.append((seat, ends_turn(table.package.game, before.state, table.state)))
        told = [(turn.seat, turn.is_over) for turn in turns_of(table, None)]
        assert told == made[-len(told) :]
        assert len(told) >= min(len(made), len(table.seats))


def offered_kinds(table: Table, tip: Tip | None = None) -> set[type[CustomId]]:
    """Return the kinds of ids that the buttons of a table's message send, apart from what they carry."""
    ids = [parse_id(button.custom_id) for row in render_game(table, EMPTY_DRAFT, tip).rows for button in row]
    return {type(each.pressed) if isinstance(each, ReadOnlyId) else type(each) for each in ids}


def play_rounds(table: Table, turns: int) -> Table:
    """Re-roll all dice as each seat in turn."""
    for _ in range(turns):
        table = apply_move(table, table.header.to_move or 0, table.package.game.parse_move("roll 1 2 3 4 5"))
    return table


def test_the_player_to_move_is_told_every_turn_since_their_last() -> None:
    table = play_rounds(start("magpie", 4), 4)
    mover = table.header.to_move or 0
    others = [NAMES[(mover + step) % 4] for step in (1, 2, 3)]
    text = render_game(table, EMPTY_DRAFT).text_embed_json["description"]
    told = [line.split("**")[1] for line in text.splitlines() if line.startswith("**")]
    assert told == others
    assert [moves[0].seat for moves in missed_moves(table)] == [NAMES.index(name) for name in others]


@pytest.mark.parametrize("key", [key for key in NARRATED if not GAMES[key].game.info.is_solo])
def test_every_other_seat_has_its_line_next_to_the_picture(key: str) -> None:
    table, random, told = start(key, GAMES[key].game.info.most_seats), Random(key), 0
    for _ in range(150):
        table = play_randomly(table, random)
        missed = missed_moves(table)
        if table.header.status is not Status.PLAYING or not missed:
            continue
        lines = str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"]).splitlines()
        others = [NAMES[moves[0].seat] for moves in missed]
        starts = [line for line in lines if "👉" not in line and not line.startswith("🎲")]
        assert [name for line, name in zip(starts, others, strict=False) if name in line[: len(name) + 12]] == others
        told += 1
    assert told > 5


def test_if_names_are_long_the_lines_next_to_a_picture_have_tokens_for_them() -> None:
    table = play_rounds(start("magpie", 6), 6)
    table = replace(table, seats=tuple(replace(each, name=f"{each.name}-{each.name}") for each in table.seats))
    mover = table.header.to_move or 0
    beside = render_game(table, EMPTY_DRAFT).picture_embed_json
    signs = [line.removeprefix("-# ").split()[0].strip("*") for line in str(beside["description"]).splitlines()[:5]]
    assert signs == [seat_emoji((mover + step) % 6) for step in range(1, 6)]
    assert beside["footer"]["text"].split("  ") == [
        f"{seat_emoji(seat)}\xa0{each.name}" for seat, each in enumerate(table.seats)
    ]


def test_the_line_of_a_turn_is_as_short_as_a_phone_is_wide() -> None:
    table, random, longest = start("fortune", 4), Random(3), 0
    for _ in range(200):
        table = play_randomly(table, random)
        lines = missed_news(table).short if table.header.status is Status.PLAYING else []
        longest = max(longest, *(len(line.replace("*", "")) for line in lines), 0)
    assert 0 < longest <= 44


def test_nobody_is_told_what_they_missed_while_a_computer_player_moves() -> None:
    table = play_rounds(start("magpie", 4), 4)
    mover = table.header.to_move or 0
    assert missed_news(table).full
    assert missed_news(apply_control_entry(table, mover, Substitute(mover))) == ((), ())


def test_what_changed_for_the_player_to_move_comes_first() -> None:
    table = start("change", 3)
    random, changes, credits_after_last_turn = Random(5), 0, dict.fromkeys(range(3), 120)
    for _ in range(300):
        if table.header.status is not Status.PLAYING:
            break
        seat, lines = table.header.to_move, missed_news(table).full
        if lines and seat is not None and lines[0].startswith("👉"):
            credits_then = credits_after_last_turn[seat]
            change = table.state.public.credits[seat] - credits_then
            assert f": **{'+' if change > 0 else '−'}{abs(change)}** " in lines[0]
            changes += 1
        turn = table.state.public.turn
        table = play_randomly(table, random)
        if table.state.public.turn != turn:
            credits_after_last_turn[turn] = table.state.public.credits[turn]
    assert changes > 3


def test_a_players_own_cards_are_told_to_that_player_alone() -> None:
    table, random = start("change", 2), Random(1)
    for _ in range(200):
        table = play_randomly(table, random)
        texts = {viewer: describe_what_happened(table, viewer) for viewer in (None, 0, 1)}
        if sum(texts[seat] != texts[None] for seat in (0, 1)) == 1:
            assert all(texts[None].count("\n") <= text.count("\n") for text in texts.values())
            return
    pytest.fail("no seat drew a card")


def test_before_the_first_move_nothing_is_told() -> None:
    before, after = start("magpie", 2), play_rounds(start("magpie", 2), 1)
    assert describe_what_happened(before, None) != describe_what_happened(after, None)
    assert [WhatHappenedId in offered_kinds(table) for table in (before, after)] == [False, True]


@pytest.mark.parametrize("key", NARRATED)
def test_what_happened_and_the_rules_are_always_within_reach(key: str) -> None:
    table, random, tip = start(key, GAMES[key].game.info.most_seats), Random(key), Tip("roll", "Roll.")
    for _ in range(60):
        table = play_randomly(table, random)
        if table.header.status is not Status.PLAYING:
            break
        rows, offered = render_game(table, EMPTY_DRAFT, tip).rows, offered_kinds(table, tip)
        assert {WhatHappenedId, NoTipsId} & offered, "the news is told next to the picture, too"
        assert {GuideId, HintId} & offered, "a hint may take the place of the rules, which a command shows too"
        assert all(len(row) > 1 for row in rows[3:]), "no button takes a line of its own"


def test_a_resignation_is_told_to_everyone_once_whoever_had_the_turn() -> None:
    table = play_rounds(start("magpie", 3), 3)
    mover = table.header.to_move or 0
    table = apply_control_entry(table, mover, Resign())
    flag = f"🏳️ **{NAMES[mover]}**"
    assert f"- {flag}" in describe_what_happened(table, None)
    told = []
    for _ in range(6):
        told += [table.header.to_move for news in missed_news(table).full if news.startswith(flag)]
        table = play_rounds(table, 1)
    assert sorted(seat for seat in told if seat is not None) == sorted({0, 1, 2} - {mover})


def test_who_has_not_moved_yet_is_told_why_another_seat_started() -> None:
    table, random = start("change", 2), Random(1)
    starter = table.header.to_move
    while table.header.to_move == starter:
        table = play_randomly(table, random)
    assert tells_of_roll_off(table)
    while table.header.to_move != starter:
        table = play_randomly(table, random)
    assert not tells_of_roll_off(table)


def tells_of_roll_off(table: Table) -> bool:
    """Tell whether the first line has everybody's dice."""
    line = str(render_game(table, EMPTY_DRAFT).text_embed.description).splitlines()[0]
    return all(seat_emoji(seat) in line for seat in range(len(table.seats)))
