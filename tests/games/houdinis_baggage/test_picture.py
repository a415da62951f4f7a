"""The picture of Mr. Houdini's Baggage: the stage, the mover's assignments, and a line for everyone else."""

from collections.abc import Sequence
from string import ascii_letters

from babel import Locale

from bot.games.houdinis_baggage.cards import CARD_KEYS
from bot.games.houdinis_baggage.picture import HEIGHT, build_picture, find_motion, shows_step
from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageEnd,
    CardKept,
    CardOpened,
    CardPlaced,
    GameEvent,
    Phase,
    Spot,
    State,
    TurnPlayed,
)
from bot.games.houdinis_baggage.stage_picture import CARDS, STAGE
from bot.languages import ENGLISH, Language, speaking
from bot.rules.components import Nameplate
from bot.rules.direction import mirror_area
from bot.rules.motion import Played
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Picture, Rect, Sprite
from bot.tools.contract.picture_checks import find_illegible_labels
from tests.games.houdinis_baggage.positions import BOX, at, cards, play_move, player
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

ART = "houdinis_baggage/"
BELOW = Rect(0, STAGE.bottom, PICTURE_WIDTH, HEIGHT - STAGE.bottom)


def draw(state: State, events: Sequence[GameEvent] = (), names: Sequence[str] = ()) -> Picture:
    shown = build_picture(state, events, tuple(map(Nameplate, names)))
    assert list(find_flaws(shown)) == []
    assert list(find_illegible_labels(shown, names)) == []
    assert shown.size == (PICTURE_WIDTH, HEIGHT)
    return shown


def sprites(shown: Picture, *names: str, within: Rect | None = None) -> list[Sprite]:
    wanted = {ART + name for name in names or CARD_KEYS}
    found = [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name in wanted]
    return [mark for mark in found if within is None or within.contains(mark.at)]


def open_cards(shown: Picture) -> list[Sprite]:
    return sprites(shown, within=CARDS)


def texts(shown: Picture, within: Rect) -> list[str]:
    return [mark.text for mark in shown.iter_marks() if isinstance(mark, Label) and within.contains(mark.at)]


def texts_beside(shown: Picture, token: Rect) -> list[str]:
    """Return the texts from a token to the right: the name, the number of an assignment and what follows it."""
    labels = [mark for mark in shown.iter_marks() if isinstance(mark, Label) and mark.at.x >= token.right]
    beside = [mark for mark in labels if mark.at.y < token.bottom and token.y < mark.at.bottom]
    return [mark.text for mark in sorted(beside, key=lambda mark: mark.at.x)]


def frames(shown: Picture, ink: ColourRole = ColourRole.MARK) -> list[Rect]:
    return [mark.at for mark in shown.iter_marks() if isinstance(mark, Box) and mark.border is ink]


def is_framed(shown: Picture, at: Rect, ink: ColourRole = ColourRole.MARK) -> bool:
    """Tell whether a frame is just about something."""
    return any(frame.contains(at) and frame.width <= at.width + 300 for frame in frames(shown, ink))


def bracketed(shown: Picture) -> list[Rect]:
    """Return what stands in brackets."""
    corners = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name == "bracket"]
    return [
        Rect(each[0].x, each[0].y, each[2].right - each[0].x, each[2].bottom - each[0].y)
        for each in (corners[first : first + 4] for first in range(0, len(corners), 4))
    ]


def test_seats_run_to_the_left_in_hebrew() -> None:
    def tokens() -> list[Rect]:
        shown = draw(at(player("1; 2"), player("3; 4"), phase=Phase.PLACE), names=("Robin", "Wren"))
        return [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name.startswith("token-")]

    with speaking(Language("he", Locale("he"), ENGLISH.catalogue)):
        mirrored = tokens()
    assert mirrored == [mirror_area(token, Rect(0, 0, PICTURE_WIDTH, HEIGHT)) for token in tokens()] != []


class TestStage:
    @each_case("count", range(1, 17))
    def test_every_open_card_is_visible_and_up_to_eight_are_220_high(self, count: int) -> None:
        """HB-3."""
        shown = draw(at(player("1; 2"), opened=" ".join(CARD_KEYS[:count]), phase=Phase.SEARCH))
        assert [mark.name for mark in open_cards(shown)] == [ART + name for name in CARD_KEYS[:count]]
        heights = {
            mark.at.height
            for mark in shown.marks
            if isinstance(mark, Box) and mark.is_raised and CARDS.contains(mark.at)
        }
        assert len(heights) == 1
        assert (heights == {220}) is (count <= 8)

    def test_the_values_count_the_open_cards(self) -> None:
        """HB-2: the colours come first."""
        shown = draw(at(player("1; 2"), opened="red-star red-circle blue-star", phase=Phase.SEARCH))
        assert texts(shown, STAGE) == ["2", "0", "0", "1", "0", "0", "1", "2"]

    def test_the_newest_card_is_in_brackets_and_what_can_be_placed_and_filled_is_framed(self) -> None:
        """HB-3 and HB-6: while searching, what could be filled has another frame."""
        state, events = play_move(at(player("2"), opened="red-star", phase=Phase.SEARCH), "open", "green-circle")
        searching = draw(state, events)
        assert [any(each.contains(mark.at) for each in bracketed(searching)) for mark in open_cards(searching)] == [
            False,
            True,
        ]
        placing = draw(play_move(state, "stop")[0])
        assert [is_framed(placing, mark.at) for mark in open_cards(placing)] == [True, False]
        (star,) = sprites(placing, "star", within=BELOW)
        assert is_framed(placing, star.at)
        assert not is_framed(searching, star.at)
        assert is_framed(searching, star.at, ColourRole.GOOD)

    @each_case("others", range(9))
    def test_twins_stand_above_the_movers_assignments_and_cards_that_can_be_kept_are_framed(self, others: int) -> None:
        """HB-4."""
        opened = " ".join((*CARD_KEYS[: others + 1], CARD_KEYS[0]))
        for seats in (2, 3, 4):
            players = [player("1; 2"), *[player("3")] * (seats - 1)]
            shown = draw(at(*players, opened=opened, phase=Phase.TWIN))
            twins, large = sprites(shown, CARD_KEYS[0]), [mark for mark in shown.marks if isinstance(mark, Box)]
            assert len(twins) == 2
            assert all(is_framed(shown, mark.at) for mark in sprites(shown, *CARD_KEYS[: others + 1]))
            assert max(mark.at.height for mark in large if mark.fill is ColourRole.PAPER) > 130
            # Only the mover's second assignment asks for a star.
            assert len(sprites(shown, "star")) == 1
            assert any(isinstance(mark, Sprite) and mark.name == ART + "rays" for mark in shown.backdrop)

    def test_what_a_twin_cost_is_on_the_stage_until_the_next_card(self) -> None:
        """HB-4."""
        opened = "red-triangle green-star red-triangle"
        twins = at(player("1; 2"), player("3; 4"), opened=opened, phase=Phase.TWIN)
        state, events = play_move(twins, "keep green-star")
        assert events == (CardKept(0, cards("green-star")[0], cards("red-triangle red-triangle")),)
        searching = at(player("1; 2"), opened="red-triangle green-star", phase=Phase.SEARCH)
        _, opening = play_move(searching, "open", "red-triangle")
        shown = draw(state, (*opening, *events))
        assert [mark.name for mark in sprites(shown, within=STAGE)] == [
            ART + name for name in ("red-triangle", "red-triangle", "green-star")
        ]
        assert texts(shown, STAGE) == ["+1", "−2"]
        state, opening = play_move(state, "open", "blue-star")
        assert texts(draw(state, (*events, *opening)), STAGE)[:1] == ["0"]

    def test_completed_assignments_are_stamped_first_where_they_lay_then_on_the_stage(self) -> None:
        """HB-9 and HB-10."""
        state, done = play_move(at(player("4 red-circle blue-star; 2", "14"), player("3; 9")), "done")
        choosing = draw(state, done)
        (stamp,) = sprites(choosing, "stamp")
        assert BELOW.contains(stamp.at)
        assert "+1" in texts(choosing, BELOW)
        (chip,) = bracketed(choosing)
        assert sprites(choosing, "red", "green", within=chip), "its bonus is new"
        state, taken = play_move(state, f"take {state.row[0].number}", 0)
        shown = draw(state, done + taken)
        (stamp,) = sprites(shown, "stamp")
        assert STAGE.contains(stamp.at)
        assert "+1" in texts(shown, STAGE)
        state, opening = play_move(state, "open", "blue-star")
        assert sprites(draw(state, done + taken + opening), "stamp") == []

    def test_the_assignment_that_starts_the_last_round_comes_with_a_flag_and_the_points_to_beat(self) -> None:
        """HB-E1: nobody takes an assignment any more."""
        state, done = play_move(at(player("4 red-circle blue-star; 2", "14 15"), player("3; 9"), target=12), "done")
        shown = draw(state, done)
        assert any(isinstance(mark, Sprite) and mark.name == "flag" for mark in shown.marks)
        assert [text for text in texts(shown, STAGE) if text in ("+1", "13")] == ["+1", "13"]

    @each_case("seats", [2, 3, 4])
    def test_the_assignments_on_offer_are_shown_as_posters_while_one_is_chosen(self, seats: int) -> None:
        """HB-10."""
        players = [player("1"), *(player("3; 4") for _ in range(seats - 1))]
        state = at(*players, phase=Phase.CHOOSE)
        choosing, placing = draw(state), draw(state._replace(phase=Phase.PLACE))
        posters = [mark.at for mark in sprites(choosing, "poster")]
        assert len(posters) == 5
        assert all(is_framed(choosing, poster.inset(6)) for poster in posters)
        numbers = [str(each.number) for each in state.row]
        assert [texts(choosing, poster)[0] for poster in posters] == numbers
        assert sprites(placing, "poster") == []


class TestSeats:
    @each_case("seats", [2, 3, 4])
    def test_the_mover_has_both_assignments_and_the_others_what_they_have_nearly_done(self, seats: int) -> None:
        """HB-3: of equal ones the more valuable."""
        others = [player("3 blue-square - -; 5"), player("2; 9"), player("1")]
        state = at(player("7; 13"), *others[: seats - 1], opened="red-star", phase=Phase.SEARCH)
        shown = draw(state, names=("Robin", "Wren", "Jay", "Linnet")[:seats])
        own, *tokens = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name.startswith("token")]
        panel = next(frame for frame in frames(shown) if frame.contains(own))
        assert {"7", "13"} <= set(texts(shown, panel))
        assert [texts_beside(shown, token)[1] for token in tokens] == ["3", "2", "4"][: seats - 1]

    def test_an_empty_place_of_an_assignment_is_outlined(self) -> None:
        """HB-10: the last ones are taken."""
        one, two = (draw(at(player(tasks), opened="red-star")) for tasks in ("1", "1; 2"))
        assert len(frames(one, ColourRole.SURFACE_LINE)) == len(frames(two, ColourRole.SURFACE_LINE)) + 1

    def test_baggage_that_can_be_moved_is_framed_with_its_destinations_and_then_in_brackets(self) -> None:
        """HB-B4."""
        start = at(player("4; 9 - - red-circle", "12"))
        (lying,) = sprites(draw(start), "red-circle", within=BELOW)
        assert is_framed(draw(start), lying.at)
        (fixed,) = sprites(draw(at(player("9 red-circle - -"))), "red-circle", within=BELOW)
        assert not is_framed(draw(at(player("9 red-circle - -"))), fixed.at)
        moved = draw(*play_move(start, "move 9c to 4a with 12"))
        assert [place.contains(sprites(moved, "red-circle", within=BELOW)[0].at) for place in bracketed(moved)] == [
            True
        ]

    @each_case("seats", [2, 3, 4])
    def test_every_bonus_of_a_long_game_has_room(self, seats: int) -> None:
        """HB-12: a spent one is struck through."""
        bonuses = "4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"
        shown = draw(at(*(player("1; 2", bonuses) for _ in range(seats)), spent=(4, 19)))
        assert len(sprites(shown, "spent")) == 1, "the oldest are counted"
        assert "+4" in texts(shown, BELOW)
        assert texts(shown, BELOW).count("16") == seats - 1

    def test_the_bank_is_shown_its_usable_cards_are_framed_and_those_of_others_counted(self) -> None:
        """HB-7."""
        shown = draw(at(player("1; 2", bank="red-star blue-star"), player("3", bank="red-star"), opened="blue-star"))
        bank = sprites(shown, within=BELOW)
        assert [(mark.name, is_framed(shown, mark.at)) for mark in bank] == [
            (ART + "red-star", True),
            (ART + "blue-star", False),
        ]
        many = draw(at(player("1; 2", bank=" ".join(CARD_KEYS))))
        assert f"+{len(CARD_KEYS) - len(sprites(many, within=BELOW))}" in texts(many, BELOW)

    def test_a_card_that_was_just_kept_is_marked(self) -> None:
        """HB-4."""
        twins = at(player("1; 2"), player("3; 4"), opened="red-star red-star", phase=Phase.TWIN)
        shown = draw(*play_move(twins, "keep red-star"))
        (plate,) = (
            mark.at
            for mark in shown.marks
            if isinstance(mark, Box) and mark.fill is ColourRole.NEW and BELOW.contains(mark.at)
        )
        assert texts(shown, plate.inset(-20)) == ["1"]

    @each_case("completed, winners", [(("14", "15 1"), 1), (("14", "15 1", "17", "18 2"), 1), (("14",) * 4, 4)])
    def test_at_the_end_the_winners_have_a_plaque_with_their_score(
        self, completed: Sequence[str], winners: int
    ) -> None:
        """HB-E2: it names one, and those who tie have their names in their lines alone."""
        names = ascii_letters[: len(completed)]
        state = at(*(player("5", each) for each in completed), end=BaggageEnd.TARGET_REACHED)._replace(mover=None)
        shown = draw(state, names=list(names))
        labels = [mark for mark in shown.marks if isinstance(mark, Label)]
        best, *others = sorted((mark for mark in labels if not mark.is_name), key=lambda mark: -mark.size)
        assert best.text == str(max(each.score for each in state.players))
        assert best.size > 2 * others[0].size
        tokens = [mark for mark in shown.marks if isinstance(mark, Sprite) and mark.name.startswith("token")]
        assert len(tokens) == len(completed) + winners
        assert sum(mark.is_name for mark in labels) == len(completed) + (winners == 1)
        assert sum(isinstance(mark, Sprite) and mark.name == "crown" for mark in shown.marks) == 1


@each_case("card, is_twin", [("green-circle", False), ("red-star", True)])
def test_a_card_that_turns_over_shows_what_it_is_at_rest_alone(card: str, is_twin: bool) -> None:
    before = at(player("2"), player("3"), opened="red-star", phase=Phase.SEARCH)
    after, events = play_move(before, "open", card)
    motion = find_motion(Played(before, (), after, events))
    assert motion is not None
    (piece,) = motion.pieces
    assert not any(isinstance(mark, Sprite) for look in piece.looks for mark in look)
    assert [mark.name for mark in piece.rest if isinstance(mark, Sprite)] == [ART + card]
    # The cards that lie there make room, and a twin is framed before its own picture follows.
    assert [each.name for each in open_cards(motion.before)] == [f"{ART}red-star"]
    assert len(motion.staging) == motion.is_moment == is_twin
    for staged in motion.staging:
        assert len(frames(staged, ColourRole.BAD)) == 2


def test_cards_that_were_opened_unseen_turn_over_in_their_order() -> None:
    before = at(player("2"), player("3"), opened="red-star", phase=Phase.SEARCH)
    middle, unseen = play_move(before, "open", "green-circle")
    after, newest = play_move(middle, "open", "red-star")
    motion = find_motion(Played(before, (), after, (*unseen, *newest)))
    assert motion is not None
    faces = [mark.name for piece in motion.pieces for mark in piece.rest if isinstance(mark, Sprite)]
    assert faces == [f"{ART}green-circle", f"{ART}red-star"]
    assert [each.name for each in open_cards(motion.before)] == [f"{ART}red-star"]
    assert [len(piece.looks) for piece in motion.pieces] == [2, 4], "the last one turns over slowly"
    assert motion.in_turn
    assert motion.is_moment


@each_case(
    "turn, following, is_seen",
    [
        ("open", "open", False),
        ("open open", "stop", True),
        ("open", "keep", True),
        ("open stop", "place", False),
        ("open stop", "done", False),
        ("open stop place", "place", False),
        ("open stop place", "done", True),
        ("open stop place done", "take", False),
    ],
)
def test_of_a_computer_players_turn_people_see_what_it_found_and_what_it_packed(
    turn: str, following: str, *, is_seen: bool
) -> None:
    card = 0
    events: dict[str, tuple[GameEvent, ...]] = {
        "open": (CardOpened(0, card, is_reshuffled=False),),
        "stop": (),
        "keep": (CardKept(0, card, ()),),
        "place": (CardPlaced(0, card, Spot(1, 0), ()),),
        "done": (TurnPlayed(0, (), ()),),
        "take": (AssignmentTaken(0, BOX[0]),),
    }
    assert shows_step([events[move] for move in turn.split()], events[following]) is is_seen


def stamped(shown: Picture) -> list[Rect]:
    return [mark.at for mark in sprites(shown, "stamp")]


@each_case("filled", ["4 red-circle blue-star; 2", "4 red-circle blue-star; 5 blue-star red-circle"])
def test_what_is_done_is_stamped_and_then_its_bonus_flies_to_the_others(filled: str) -> None:
    """HB-9: until then an assignment has ticks alone, since its baggage may still move."""
    before = at(player(filled, "14"), player("3; 9"))
    after, events = play_move(before, "done")
    motion = find_motion(Played(before, (), after, events))
    assert motion is not None
    assert motion.is_moment
    assert stamped(draw(before)) == stamped(motion.before) == []
    imprints = [mark.at for piece in motion.pieces for mark in piece.rest]
    assert len(imprints) == filled.count("red-circle")
    places, ways = bracketed(draw(after, events)), list[list[int]]()
    for staged in motion.staging:
        assert stamped(staged) == imprints
        flying = [mark.at for mark in staged.marks[len(motion.before.marks) :] if isinstance(mark, Box)]
        ways.append([abs(chip.x - place.x) for chip, place in zip(flying, places, strict=True)])
    assert all(far > near for far, near in zip(*ways, strict=True))


def test_a_turn_that_completes_nothing_ends_without_motion() -> None:
    before = at(player("4 red-circle -; 2"), player("3; 9"))
    assert find_motion(Played(before, (), *play_move(before, "done"))) is None
