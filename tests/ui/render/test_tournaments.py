"""Messages of tournaments, within Discord's limits."""

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.features.tournaments import actions
from bot.features.tournaments.messages import (
    render_games,
    render_list,
    render_tournament,
    render_withdraw_question,
)
from bot.features.tournaments.model import (
    MOST_IN_ROUND_ROBIN,
    MOST_PLAYERS,
    Format,
    PairedTable,
    Player,
    Stage,
    Tournament,
    Verdict,
)
from bot.features.tournaments.notices import announcement_text, call_text, start_text
from bot.features.tournaments.organizer_messages import MOST_LISTED, render_decision, render_organizing
from bot.features.tournaments.pairing import rank
from bot.features.tournaments.rounds import settle_round
from bot.platform.places import Location, Person
from bot.tables.model import Status
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()
NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
LONGEST_NAME = "*_" * 16
HOST = Person(1, LONGEST_NAME)
MOST_IN_EMBED, MOST_IN_MESSAGE, MOST_ROWS = 6000, 2000, 5


def make_largest(kind: Format) -> Tournament:
    count = MOST_IN_ROUND_ROBIN if kind is Format.ROUND_ROBIN else MOST_PLAYERS
    players = tuple(Player(2**62 + number, LONGEST_NAME, number) for number in range(count))
    location = Location(2**62, 2**62)
    opened = Tournament(10**9, "_" * 60, "houdinis_baggage", "{}", location, HOST, NOON, 168, kind, players=players)
    return replace(actions.start(opened, "s", ()), due_at=NOON, message_id=2**62)


def make_joining(count: int, kind: Format = Format.SWISS) -> Tournament:
    players = tuple(Player(number, f"Player {number}", number) for number in range(1, count + 1))
    return Tournament(1, "Cup", "magpie", "{}", Location(1, 2), HOST, NOON, 72, kind, players=players)


def make_small(kind: Format, count: int) -> Tournament:
    return actions.start(make_joining(count, kind), "s", ())


def tables_of(tournament: Tournament) -> dict[int, PairedTable]:
    """Return tables in the channel, whose links are longer than those of threads."""
    return {each.part: PairedTable(each.part, 10**9, Status.LOBBY, 2**62, 2**62, (1, 1)) for each in tournament.in_play}


def length_of(embed: dict[str, object]) -> int:
    parts = [str(embed.get("title", "")), str(embed.get("description", "")), str(embed.get("footer", ""))]
    fields = embed.get("fields", [])
    assert isinstance(fields, list)
    assert all(len(each["value"]) <= 1024 for each in fields)
    return sum(map(len, parts)) + sum(len(each["name"]) + len(each["value"]) for each in fields)


@pytest.mark.parametrize("kind", Format)
def test_the_largest_tournament_fits_into_a_message(kind: Format) -> None:
    tournament = make_largest(kind)
    joining = replace(tournament, stage=Stage.JOINING, starts_at=NOON, check_in_minutes=30)
    checking_in = actions.open_check_in(joining)
    assert len(call_text(checking_in, GAMES)) <= MOST_IN_MESSAGE
    assert len(start_text(checking_in, replace(tournament, players=()), GAMES)) <= MOST_IN_MESSAGE
    for each in (joining, checking_in, tournament, replace(tournament, is_late=True)):
        for page in range(1, 5):
            content = render_tournament(each, tables_of(each), GAMES, "I lack permissions.", page)
            assert length_of(dict(content.text_embed_json)) <= MOST_IN_EMBED
    for page in range(1, 5):
        assert (
            length_of(dict(render_games(tournament, tables_of(tournament), GAMES, page).text_embed_json))
            <= MOST_IN_EMBED
        )
    finished = {part: replace(table, status=Status.FINISHED) for part, table in tables_of(tournament).items()}
    if kind is not Format.KNOCKOUT:
        # All games are draws, so that all share the first place.
        while tournament.stage is Stage.RUNNING:
            finished = {
                each.part: replace(next(iter(finished.values())), part=each.part) for each in tournament.in_play
            }
            tournament = settle_round(tournament, finished, ())
        assert len(announcement_text(tournament, GAMES)) <= MOST_IN_MESSAGE
    listed = render_list([tournament] * 10, GAMES)
    assert len(str(listed.text_embed_json["description"])) <= 4096


def test_pages_have_every_player_and_every_pairing_once() -> None:
    tournament = make_small(Format.SWISS, 64)
    pages = [str(render_tournament(tournament, {}, GAMES, number=page).text_embed_json) for page in range(1, 5)]
    named = Counter(re.findall(r"Player \d+", "".join(pages)))
    assert named == {player.name: 2 for player in tournament.players}
    turns = [
        [button.custom_id for button in render_tournament(tournament, {}, GAMES, number=page).rows[0]]
        for page in (0, 2, 9)
    ]
    assert turns == [["tp:1:2"], ["tp:1:1", "tp:1:3"], ["tp:1:3"]]


def test_the_pages_of_games_have_every_round() -> None:
    tournament = play_round(make_small(Format.SWISS, 64))
    pages = [str(render_games(tournament, {}, GAMES, page).text_embed_json) for page in range(1, 5)]
    named = Counter(re.findall(r"Player \d+", "".join(pages)))
    assert named == {player.name: 2 for player in tournament.players}
    assert str(render_games(tournament, {}, GAMES).text_embed_json) == pages[2], "it begins with the present round"
    assert "tn:1:whole" in buttons_of(tournament)


def buttons_of(tournament: Tournament) -> list[str]:
    rows = render_tournament(tournament, {}, GAMES).rows
    return [button.custom_id for row in rows for button in row]


def test_join_stays_until_the_second_round_of_a_swiss() -> None:
    swiss = make_small(Format.SWISS, 4)
    late = actions.join(swiss, Person(9, "Late"), 9)
    assert [player.user_id for player in late.resting] == [9]
    assert list(play_round(late).resting) == []
    assert buttons_of(swiss) == ["tn:1:join", "tn:1:organize"]
    assert buttons_of(play_round(swiss)) == buttons_of(make_small(Format.KNOCKOUT, 4)) == ["tn:1:organize"]


def test_the_organizers_panel_fits_into_a_message() -> None:
    tournament = replace(make_largest(Format.SWISS), is_late=True)
    content = render_organizing(tournament, dict.fromkeys(tournament.in_play[:MOST_LISTED], ()), GAMES)
    assert len(content.components()) <= MOST_ROWS
    lines = [option for menu in content.menus for option in menu.options]
    assert {pairing.board for pairing in tournament.in_play} <= {int(line.value) for line in lines}
    decision = render_decision(tournament, tournament.in_play[0], ())
    labels = [button.label for row in decision.rows for button in row]
    assert max(len(text) for text in (*labels, *(line.label for line in lines))) <= 80
    assert re.search(r"…\D+22\b", str(content.text_embed_json["description"]))


def test_only_a_knock_out_has_no_draws_to_decide() -> None:
    for kind in Format:
        tournament = make_small(kind, 4)
        buttons = str(render_decision(tournament, tournament.in_play[0], ()).rows)
        assert (f":{Verdict.DRAW}:" in buttons) is (kind is not Format.KNOCKOUT)


def standings_of(tournament: Tournament) -> list[str]:
    embed: dict[str, Any] = dict(render_tournament(tournament, {}, GAMES).text_embed_json)
    standings = next(each["value"] for each in embed["fields"] if each["name"] == gettext("Standings"))
    return [line.replace("*", "") for line in standings.splitlines()]


@each_case("kind", [Format.SWISS, Format.KNOCKOUT])
@each_case("players", [4, 5, 7])
def test_before_the_first_game_nobody_leads_whatever_byes_there_are(kind: Format, players: int) -> None:
    assert {line[0] for line in standings_of(make_small(kind, players))} == {"•"}


def play_round(tournament: Tournament) -> Tournament:
    """Let the first seat win every game of the round."""
    ended = {each.part: PairedTable(each.part, 1, Status.FINISHED, 5, None, (1, 2)) for each in tournament.in_play}
    return settle_round(tournament, ended, ())


@each_case("kind", Format)
def test_medals_come_at_the_end(kind: Format) -> None:
    tournament = make_small(kind, 4)
    while tournament.stage is Stage.RUNNING:
        assert not {"🥇", "🥈", "🥉"} & {line[0] for line in standings_of(tournament)}
        tournament = play_round(tournament)
    assert "🥇" in {line[0] for line in standings_of(tournament)}


def test_a_knock_out_gives_places_to_who_is_out() -> None:
    final = play_round(make_small(Format.KNOCKOUT, 4))
    assert sorted(line[0] for line in standings_of(final)) == ["3", "3", "•", "•"]
    ended = standings_of(play_round(final))
    assert sorted(line[0] for line in ended) == ["🥇", "🥈", "🥉", "🥉"]
    assert not any(" · " in line for line in ended), "no one is still in it"


def test_the_standings_of_a_swiss_have_the_points_of_the_opponents() -> None:
    tournament = play_round(play_round(make_small(Format.SWISS, 4)))
    points = {each.player.name: each.points for each in rank(tournament)}
    for line in standings_of(tournament):
        name = line.split(" ", 1)[1].split(" · ")[0]
        user_id = next(player.user_id for player in tournament.players if player.name == name)
        met = [each.opponent_of(user_id) for each in tournament.pairings if user_id in each.people]
        total = sum(points[player.name] for player in tournament.players if player.user_id in met)
        # Everyone has met two of the others, and no game was drawn.
        assert line.endswith(f" {total // 2}")


@each_case("count, idle", [(4, 0), (5, 1)])
def test_with_an_odd_number_one_player_of_a_round_robin_rests(count: int, idle: int) -> None:
    tournament = make_small(Format.ROUND_ROBIN, count)
    while tournament.stage is Stage.RUNNING:
        paired = {user_id for pairing in tournament.in_play for user_id in pairing.people}
        shown: dict[str, Any] = dict(render_tournament(tournament, {}, GAMES).text_embed_json)
        lines = shown["fields"][-1]["value"].splitlines()
        assert len(lines) == len(tournament.in_play) + idle
        free = [player.name for player in tournament.players if player.user_id not in paired]
        assert all(name in lines[-1] for name in free)
        tournament = play_round(tournament)
    assert not tournament.resting


def test_only_leaving_after_the_start_is_for_good() -> None:
    joining, running = (
        render_withdraw_question(each, GAMES) for each in (make_joining(4), make_small(Format.SWISS, 4))
    )
    assert joining.text_embed_json != running.text_embed_json
    assert [button.custom_id for button in joining.rows[0]] == [button.custom_id for button in running.rows[0]]


def test_who_has_withdrawn_is_the_last_and_no_champion() -> None:
    tournament = play_round(make_small(Format.ROUND_ROBIN, 4))
    leader = rank(tournament)[0].player
    ended = actions.withdraw(tournament, leader.user_id)
    while ended.stage is Stage.RUNNING:
        ended = play_round(ended)
    assert standings_of(ended)[-1].startswith(f"• {leader.name} (")
    assert leader.name not in announcement_text(ended, GAMES)


def test_whoever_goes_on_without_an_opponent_has_no_bye() -> None:
    tournament = make_small(Format.KNOCKOUT, 4)
    first, second = tournament.pairings
    for each in first.people:
        tournament = actions.withdraw(tournament, each)
    (alone,) = [each for each in play_round(tournament).pairings if each.round == 2]
    assert alone.people == second.people[:1]
    name = tournament.player(alone.first_id)
    assert name is not None
    content = str(render_tournament(play_round(tournament), {}, GAMES).text_embed_json)
    assert name.name in content
    assert announcement_text(play_round(tournament), GAMES).startswith(f"🏆 **{name.name}** ")
