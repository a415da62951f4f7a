"""Messages of tournaments, within Discord's limits."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.community.tournaments import actions
from bot.community.tournaments.model import Format, PairedTable, Player, Stage, Tournament
from bot.community.tournaments.rounds import advance
from bot.tables.model import Location, Person, Status
from bot.ui.render.tournament_panels import MOST_DECISIONS, render_organizing
from bot.ui.render.tournament_words import format_points_won
from bot.ui.render.tournaments import announcement_text, render_list, render_tournament
from tests.support.each_case import each_case

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
LONGEST_NAME = "*_" * 16
HOST = Person(1, LONGEST_NAME)
MOST_IN_EMBED, MOST_IN_MESSAGE, MOST_ROWS = 6000, 2000, 5


def make_largest(kind: Format) -> Tournament:
    count = 8 if kind is Format.ROUND_ROBIN else 32
    players = tuple(Player(2**62 + number, LONGEST_NAME, number) for number in range(count))
    location = Location(2**62, 2**62)
    opened = Tournament(10**9, "_" * 60, "magpie", "{}", location, HOST, NOON, 168, kind, players=players)
    return replace(actions.start(opened, HOST, is_moderator=False, seed="s", blocks=()), due_at=NOON, message_id=2**62)


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
    for each in (replace(tournament, stage=Stage.JOINING), tournament, replace(tournament, is_late=True)):
        content = render_tournament(each, tables_of(each), "Mr. Houdini's Baggage", "Create Public Threads")
        assert length_of(dict(content.text_embed_json)) <= MOST_IN_EMBED
    finished = {part: replace(table, status=Status.FINISHED) for part, table in tables_of(tournament).items()}
    if kind is not Format.KNOCKOUT:
        # All games are draws, so that all share the first place.
        while tournament.stage is Stage.RUNNING:
            finished = {
                each.part: replace(next(iter(finished.values())), part=each.part) for each in tournament.in_play
            }
            tournament = advance(tournament, finished, ())
        assert len(announcement_text(tournament)) <= MOST_IN_MESSAGE
    listed = render_list([tournament] * 10, ["Mr. Houdini's Baggage"] * 10)
    assert len(str(listed.text_embed_json["description"])) <= 4096


def test_the_organizers_panel_fits_into_a_message() -> None:
    tournament = replace(make_largest(Format.SWISS), is_late=True)
    content = render_organizing(tournament, dict.fromkeys(tournament.in_play[:MOST_DECISIONS], ()))
    assert len(content.rows) <= MOST_ROWS
    assert all(len(button.label) <= 80 for row in content.rows for button in row)
    assert "… and 12 more" in str(content.text_embed_json["description"])


def test_before_the_first_result_nobody_leads() -> None:
    content = render_tournament(make_largest(Format.SWISS), {}, "Magpie")
    assert "🥇" not in str(content.text_embed_json)


@each_case(
    "halves, text",
    [(0, "**0** points"), (1, "**½** point"), (2, "**1** point"), (3, "**1½** points"), (8, "**4** points")],
)
def test_points_are_shown_in_halves(halves: int, text: str) -> None:
    assert format_points_won(halves) == text
