"""Pictures of tournaments: sound, legible on a phone, and true, with any number of players and any names."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bot.features.tournaments import actions
from bot.features.tournaments.bracket import last_rounds
from bot.features.tournaments.model import MOST_IN_ROUND_ROBIN, Format, Grounds, Stage, Tournament
from bot.features.tournaments.pairing import champions
from bot.features.tournaments.picture import tournament_picture
from bot.pictures.fonts import text_mask_of
from bot.pictures.shaping import to_units, typeface_of
from bot.rules.picture import MIN_TEXT_SIZE, Box, ColourRole, Label, Picture, Sprite
from bot.tables.shown.links import drawn_name
from bot.tools.contract.picture_checks import find_illegible_labels
from bot.tools.gallery_tournaments import play_games, start_tournament
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

HIGHEST = 1250
"""As high as a shared card: 375 pixels on a phone."""

SIXTEEN_LETTERS = "Maximiliane Hofe"
UNDRAWABLE = "美咲"
NAMES = (SIXTEEN_LETTERS, "שירה", "مريم", UNDRAWABLE, "W" * 32, "Zoë 🎲", "Robin", "Maximiliane von und zu Hohen")
TOURNAMENTS = [
    (kind, count)
    for kind in Format
    for count in (2, 3, 5, 8, 33, 64)
    if kind is not Format.ROUND_ROBIN or count <= MOST_IN_ROUND_ROBIN
]


def moments_of(tournament: Tournament) -> Iterator[Tournament]:
    """Yield a tournament at the beginning and in the middle of each round, with a withdrawal, and at the end."""
    while tournament.stage is Stage.RUNNING:
        yield tournament
        tournament = play_games(tournament, len(tournament.in_play) // 2)
        if tournament.round == 2 and len(tournament.players) > 4 and tournament.active == tournament.players:
            tournament = actions.withdraw(tournament, tournament.in_play[0].first_id)
        yield tournament
        tournament = play_games(tournament)
    yield tournament


def draw(tournament: Tournament) -> Picture:
    return tournament_picture(tournament, {})


def sprites_in(picture: Picture, name: str) -> int:
    return sum(isinstance(mark, Sprite) and mark.name == name for mark in picture.marks)


def numbers_after_plus(picture: Picture) -> list[int]:
    """Return the numbers of players, and of games, that are not shown."""
    texts = [mark.text for mark in picture.marks if isinstance(mark, Label)]
    return [int(text[1:]) for text in texts if text.startswith("+") and text[1:]]


@pytest.mark.parametrize(("kind", "count"), TOURNAMENTS)
def test_a_tournament_has_a_sound_picture_that_leaves_nobody_out_uncounted(kind: Format, count: int) -> None:
    names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES), count))][:count]
    for tournament in moments_of(start_tournament(kind, count, names)):
        picture = draw(tournament)
        labels = [mark for mark in picture.marks if isinstance(mark, Label)]
        assert [
            *find_flaws(picture),
            *find_illegible_labels(picture, {tournament.title, *map(drawn_name, names)}),
        ] == []
        assert picture.size[1] <= HIGHEST
        has_champion = tournament.stage is Stage.FINISHED and bool(champions(tournament))
        assert (sprites_in(picture, "crown") > 0) == has_champion
        needed = typeface_of(MIN_TEXT_SIZE, bold=True).shape(SIXTEEN_LETTERS).advance
        assert all(to_units(mark.at.width - 2) >= needed for mark in labels if mark.is_name), "sixteen letters fit"

        known = {drawn_name(player.name) or f"#{player.number}" for player in tournament.players}
        drawn = [mark.text for mark in labels if mark.text in known]
        if kind is Format.SWISS:
            games = sum(mark.text == ":" for mark in labels)
            rows = len(drawn) - 2 * games - (tournament.stage is Stage.FINISHED)
            hidden = [count - rows, len(tournament.in_play) - games]
            assert numbers_after_plus(picture) == [number for number in hidden if number]
        else:
            assert len(set(drawn)) + sum(numbers_after_plus(picture)) == count


@each_case("kind, count", [(Format.KNOCKOUT, 33), (Format.SWISS, 64)])
def test_the_whole_picture_has_every_player_and_every_game(kind: Format, count: int) -> None:
    names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES), count))]
    moments = list(moments_of(start_tournament(kind, count, names)))
    for tournament in (moments[1], moments[-1]):
        picture = tournament_picture(tournament, {}, is_whole=True)
        assert [
            *find_flaws(picture),
            *find_illegible_labels(picture, {tournament.title, *map(drawn_name, names)}),
        ] == []
        assert numbers_after_plus(picture) == []
        labels = Counter(mark.text for mark in picture.marks if isinstance(mark, Label))
        for player in tournament.players:
            games = sum(player.user_id in pairing.people for pairing in tournament.pairings)
            playing = sum(player.user_id in pairing.people for pairing in tournament.in_play)
            least = games if kind is Format.KNOCKOUT else 1 + playing
            assert labels[drawn_name(player.name) or f"#{player.number}"] >= least


@each_case("kind", Format)
def test_what_is_played_now_is_framed_and_told(kind: Format) -> None:
    (tournament, halfway, *_) = moments_of(start_tournament(kind, 8, [f"Player {number}" for number in range(8)]))
    for moment in (tournament, halfway):
        framed = [mark for mark in draw(moment).marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
        # A table shows each result of the round twice, once for either player.
        rows = 2 * 4 if kind is not Format.KNOCKOUT else 0
        assert len(framed) == rows + (0 if kind is Format.ROUND_ROBIN else len(moment.in_play))
        for pairing in moment.in_play:
            first, second = (moment.player(user_id) for user_id in pairing.people)
            assert first is not None
            assert second is not None
            assert f"{first.name} – {second.name}" in draw(moment).description


@each_case("kind", Format)
def test_the_description_tells_every_result_and_who_has_left(kind: Format) -> None:
    *_, ended = moments_of(start_tournament(kind, 7, [f"Player {number}" for number in range(7)]))
    told = draw(ended).description
    for player in ended.players:
        assert player.name in told
    for pairing in ended.pairings:
        if pairing.second_id is not None and pairing.grounds is Grounds.PLAYED:
            first, second = (ended.player(user_id) for user_id in pairing.people)
            assert first is not None
            assert second is not None
            assert f"{first.name} – {second.name} " in told
    (winner,) = champions(ended)
    assert told.count(winner.name) > sum(winner.user_id in pairing.people for pairing in ended.pairings)


def test_signs_stand_for_byes_withdrawals_and_names_that_cannot_be_drawn() -> None:
    five = start_tournament(Format.KNOCKOUT, 5, NAMES)
    assert sprites_in(draw(five), "pause") == 3
    left = actions.withdraw(five, five.in_play[0].first_id)
    assert sprites_in(draw(left), "cross") == 1
    assert {"+", "−"} <= {mark.text for mark in draw(left).marks if isinstance(mark, Label)}
    (unknown,) = [player for player in five.players if player.name == UNDRAWABLE]
    assert f"#{unknown.number}" in {mark.text for mark in draw(five).marks if isinstance(mark, Label)}
    assert f"#{unknown.number}" in draw(five).description
    resting = start_tournament(Format.ROUND_ROBIN, 5, NAMES)
    assert sprites_in(draw(resting), "pause") == 1


@each_case("count", [5, 8])
def test_winners_go_on_in_the_place_of_their_game(count: int) -> None:
    known = 0
    for moment in moments_of(start_tournament(Format.KNOCKOUT, count, NAMES)):
        meetings = {(meeting.round, meeting.board): meeting for meeting in last_rounds(moment)}
        for (number, board), meeting in meetings.items():
            for side, before in zip(meeting.sides, (2 * board - 1, 2 * board), strict=True):
                if number > 1 and side.player is not None:
                    assert side.player in {each.player for each in meetings[number - 1, before].sides}
                    known += 1
    assert known > 10


def test_a_right_to_left_name_starts_beside_the_result_like_any_other() -> None:
    picture = draw(start_tournament(Format.KNOCKOUT, 33, ["שירה", "Robin"]))
    names = [mark for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
    left = [mark for mark in names if mark.at.right < picture.size[0] // 2]
    assert {mark.text for mark in left} == {"שירה", "Robin"}
    for mark in left:
        drawn, letter = text_mask_of(mark), text_mask_of(mark._replace(text="ש"))
        assert mark.at.width - drawn.left - drawn.mask.width < letter.mask.width, "no letter has room beside it"
