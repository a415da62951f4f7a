"""What happened at a table, for one player and as a whole, with the names of those who held the seats then."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from random import Random

import pytest

from bot.features.replays.messages import render_replay
from bot.features.replays.model import Replay
from bot.features.results.messages import result_line
from bot.rules.chance import FastChance
from bot.rules.package import ends_turn
from bot.rules.playout import random_move
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.control_entries import ComeBack, ControlEntry, Resign, Substitute, TakeBack
from bot.tables.model import Entry, Occupant, Status
from bot.tables.refusals import HostReason
from bot.tables.results import results_of
from bot.tables.seats import resign_seat
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import describe_what_happened, missed_moves, missed_news, news_for, turns_of
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest
from bot.words import format_points, seat_emoji
from tests.rules.heap_game import PACKAGE as HEAP
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, as_solo, make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game
from tests.support.responses import apply_text

GAMES = load_games_once()

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


def test_nobody_is_told_what_they_missed_while_a_computer_player_moves() -> None:
    table = play_rounds(start("magpie", 4), 4)
    mover = table.header.to_move or 0
    assert missed_news(table)
    assert missed_news(apply_control_entry(table, mover, Substitute(mover))) == []


def test_what_changed_for_the_player_to_move_comes_first() -> None:
    table = start("change", 3)
    random, changes, credits_after_last_turn = Random(5), 0, dict.fromkeys(range(3), 120)
    for _ in range(300):
        if table.header.status is not Status.PLAYING:
            break
        seat, lines = table.header.to_move, missed_news(table)
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


def test_a_resignation_is_told_to_everyone_once_whoever_had_the_turn() -> None:
    table = play_rounds(start("magpie", 3), 3)
    mover = table.header.to_move or 0
    table = apply_control_entry(table, mover, Resign())
    flag = f"🏳️ **{NAMES[mover]}**"
    assert f"- {flag}" in describe_what_happened(table, None)
    told = []
    for _ in range(6):
        told += [table.header.to_move for line in missed_news(table) if line.startswith(flag)]
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
    kind = GAMES["magpie"].results.score_kind
    lines = [result_line(result, result.name, kind) for result in results_of(table)]
    expected = [("🥇 **Robin**", 101), ("🥉 **Wren** 🏳️", 90), ("🥈 **Jay** 🤖", 30)]
    assert [line.replace("\u00a0", " ") for line in lines] == [
        f"{who} {format_points(score)}" for who, score in expected
    ]
