"""What the gallery shows of tournaments: a picture of each kind, from tournaments with made-up results."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from bot.features.tournaments import actions
from bot.features.tournaments.model import Format, PairedTable, Player, Tournament
from bot.features.tournaments.picture import tournament_picture
from bot.features.tournaments.rounds import begin_first_round, settle_round
from bot.platform.places import Location, Person
from bot.rules.picture import Picture
from bot.tables.model import Status

_NAMES: Final = (
    *("Robin", "Wren", "Jay", "Sedge Warbler", "דוכיפת", "هدهد", "Linnet", "Black-tailed Godwit", "Heron", "Siskin"),
    *("Dunlin", "Curlew", "Yellow Wagtail", "Merlin", "Osprey", "Kestrel", "Avocet", "Teal", "Smew", "Pipit", "Swift"),
    *("Egret", "Bittern", "Plover", "Knot", "Ruff", "Snipe", "Gadwall", "Wigeon", "Pintail", "Crane", "Lark", "Dipper"),
)
_OPENER: Final = Person(1, _NAMES[0])
_PLACES: Final = ((1, 2), (2, 1), (1, 2), (1, 1), (2, 1))
"""The places of the first and the second seat, game after game."""


def draw_tournaments() -> Iterator[tuple[str, Picture]]:
    """Yield the names and pictures of tournaments."""
    knockout = start_tournament(Format.KNOCKOUT, 8)
    semifinal = play_games(_withdraw(play_games(knockout, 3)))
    yield "tournament-bracket", _draw(play_games(semifinal, 1))
    yield "tournament-champion", _draw(_play_rounds(start_tournament(Format.KNOCKOUT, 5), 3))
    yield "tournament-early-round", _draw(play_games(_play_rounds(start_tournament(Format.KNOCKOUT, 33), 1), 6))
    robin = _play_rounds(start_tournament(Format.ROUND_ROBIN, 7), 3)
    yield "tournament-cross-table", _draw(play_games(_withdraw(robin), 1))
    swiss = _play_rounds(start_tournament(Format.SWISS, 33), 2)
    yield "tournament-swiss", _draw(play_games(swiss, 9))


def start_tournament(kind: Format, count: int, names: Sequence[str] = _NAMES) -> Tournament:
    """Return a tournament in its first round; the names are used again and again."""
    players = tuple(Player(number, names[number % len(names)], number) for number in range(1, count + 1))
    opened_at = datetime(2026, 5, 1, 12, tzinfo=UTC)
    opened = Tournament(
        1, "Birdcage Cup", "magpie", "{}", Location(1, 1), _OPENER, opened_at, 72, kind, players=players
    )
    return begin_first_round(opened, "gallery", ())


def play_games(tournament: Tournament, count: int | None = None) -> Tournament:
    """Return a tournament after some games of the present round, or after all of them."""
    ended = {}
    for number, pairing in enumerate(tournament.in_play[:count]):
        places = _PLACES[(number + tournament.round) % len(_PLACES)]
        if tournament.format is Format.KNOCKOUT and places == (1, 1):
            places = (1, 2)
        ended[pairing.part] = PairedTable(pairing.part, 1, Status.FINISHED, 1, None, places)
    return settle_round(tournament, ended, ())


def _play_rounds(tournament: Tournament, count: int) -> Tournament:
    for _ in range(count):
        tournament = play_games(tournament)
    return tournament


def _withdraw(tournament: Tournament) -> Tournament:
    """Return a tournament after the first player in play has withdrawn."""
    return actions.withdraw(tournament, tournament.in_play[0].first_id)


def _draw(tournament: Tournament) -> Picture:
    return tournament_picture(tournament, {})
