"""Every line names the holder of the seat at that time, also after a resignation, substitution or return."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from random import Random

import pytest

from bot.features.replays.messages import render_replay
from bot.features.replays.model import Replay
from bot.features.results.messages import result_line
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.rules.refusals import Refusal
from bot.tables.control_entries import ComeBack, ControlEntry, Resign, Substitute, TakeBack
from bot.tables.model import Entry, Status
from bot.tables.refusals import HostReason
from bot.tables.results import results_of
from bot.tables.seats import resign_seat
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import news_for
from bot.tables.table import Table, apply_control_entry, position_digest
from bot.words import format_points
from tests.rules.heap_game import PACKAGE as HEAP
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, as_solo, make_table
from tests.support.games import load_games_once
from tests.support.responses import apply_text

GAMES = load_games_once()
SHARED = sorted(key for key, package in GAMES.items() if not package.game.info.is_solo)
PLAYING = make_table(status=Status.PLAYING)


def text(table: Table) -> str:
    return screen_of(table).text


def scores(table: Table) -> str:
    return screen_of(table).fields[0].text


def test_taking_back_keeps_earlier_names() -> None:
    table = make_table(status=Status.PLAYING, package=HEAP)
    first = table.header.to_move or 0
    table = apply_text(apply_control_entry(table, first, Substitute(first)), first, "toss")
    table = apply_control_entry(table, first, ComeBack())
    before = table.news
    while table.header.to_move == first:
        table = apply_text(table, first, "toss")
        before = table.news
    seat = table.header.to_move or 0
    table = apply_text(table, seat, "take 1")
    assert table.take_back_state is not None
    table = apply_control_entry(table, seat, TakeBack())
    assert table.news == before
    assert news_for(table, None)[0].names[first] == f"{table.seats[first].name} 🤖"


def scripted_entries(table: Table) -> Iterator[tuple[int, ControlEntry | None]]:
    """Yield what comes next: moves, and now and then a change of who plays; None is a move."""
    gone, back, quitter = 0, 0, len(table.seats) - 1
    plan: dict[int, tuple[int, ControlEntry]] = {
        3: (1, Substitute(gone)),
        7: (back, ComeBack()),
        9: (quitter, Resign()),
        14: (gone, Substitute(1)),
        17: (1, ComeBack()),
    }
    for step in range(30):
        yield plan.get(step, (table.header.to_move or 0, None))


def play_with_seat_changes(key: str, note: Callable[[Table, int, ControlEntry | None], None]) -> tuple[Table, ...]:
    """Play on at a table where seats change hands, and return it after every step."""
    table, random = make_table(status=Status.PLAYING, package=GAMES[key]), Random(key)
    stages = [table]
    for seat, control in islice(scripted_entries(table), 30):
        if table.header.status is not Status.PLAYING:
            break
        note(table, table.header.to_move or 0 if control is None else seat, control)
        if control is None:
            to_move, rules = table.header.to_move or 0, table.package.game
            table = apply_text(table, to_move, str(random_move(rules.legal_moves(table.state), FastChance(random))))
        else:
            table = apply_control_entry(table, seat, control)
        stages.append(table)
    return tuple(stages)


@each_case("key", SHARED)
def test_the_news_of_every_game_name_the_players_of_that_moment(key: str) -> None:
    computers: set[int] = set()
    names: list[tuple[str, ...]] = []

    def note(table: Table, seat: int, control: ControlEntry | None) -> None:
        match control:
            case Substitute(absent):
                computers.add(absent)
            case ComeBack():
                computers.discard(seat)
            case Resign():
                computers.add(seat)
            case _:
                people = enumerate(who.name for who in table.seats)
                names.append(tuple(f"{name} 🤖" if at in computers else name for at, name in people))

    stages = play_with_seat_changes(key, note)
    assert len(set(names)) >= 3
    for stage in stages:
        moves = sum(after.state is not before.state for before, after in pairwise(stages[: stages.index(stage) + 1]))
        named = names[max(0, moves - len(stage.recent_moves)) : moves]
        expected = [
            held
            for move, held in zip(stage.recent_moves, named, strict=True)
            for event in move.events
            if event.audience is None
        ]
        assert [each.names for each in news_for(stage, None)] == expected


@each_case("key", SHARED)
def test_the_replay_of_every_game_names_the_player_of_each_step(key: str) -> None:
    made: list[tuple[int, ControlEntry | None, bool]] = []

    def note(table: Table, seat: int, control: ControlEntry | None) -> None:
        made.append((seat, control, table.is_automatic(seat)))

    stages = play_with_seat_changes(key, note)
    steps = enumerate(zip(made, stages[1:], strict=True), 1)
    entries = tuple(
        Entry(at, seat, str(control or "-"), position_digest(now), None, NOON)
        for at, ((seat, control, _), now) in steps
    )
    replay = Replay(entries, stages)
    for step, (seat, control, by_computer) in enumerate(made, 1):
        heading = str(render_replay(replay, step).text_embed_json["description"]).splitlines()[0]
        name = stages[0].seats[seat].name
        assert name in heading
        assert (f"{name} 🤖" in heading) is (control is None and by_computer)
    assert any(control is None and by_computer for _seat, control, by_computer in made)


def test_a_solo_player_cannot_leave_their_game() -> None:
    with pytest.raises(Refusal) as refused:
        resign_seat(as_solo(PLAYING), ROBIN)
    assert refused.value.reason is HostReason.ALONE


def test_histories_mark_players_who_resigned() -> None:
    table = apply_control_entry(apply_control_entry(PLAYING, 1, Resign()), 0, Substitute(2))
    ended = replace(table.state, scores=(101, 90, 30), trigger=0, mover=None)
    table = replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))
    lines = [result_line(result, GAMES["magpie"].results.score_kind) for result in results_of(table)]
    expected = [("🥇 **Robin**", 101), ("🥉 **Wren** 🏳️", 90), ("🥈 **Jay** 🤖", 30)]
    assert [line.replace("\u00a0", " ") for line in lines] == [
        f"{who} {format_points(score)}" for who, score in expected
    ]
