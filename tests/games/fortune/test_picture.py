"""What Fortune's picture shows."""

from collections.abc import Sequence

from bot.games.fortune.picture.composition import build_picture
from bot.games.fortune.pieces import FortuneOptions, State
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import Badge
from tests.games.fortune.positions import ALL, CARDS, NINE_WINS, at, play
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

OBJECTS = {"K": "skull", "M": "monkey", "P": "parrot", "S": "sword", "G": "gold", "D": "diamond"}
SHORTEST_SIDE = 100
"""The dice of the roll are larger than this, and all other dice are smaller."""


def sprites(drawn: Picture, *names: str) -> list[Sprite]:
    return [mark for mark in drawn.iter_marks() if isinstance(mark, Sprite) and mark.name in names]


def dice(drawn: Picture) -> list[Rect]:
    """Return the areas of the rolled dice, in the order of their places."""
    bodies = [die.at for die in sprites(drawn, "fortune/die", "fortune/die-skull") if die.at.width > SHORTEST_SIDE]
    return sorted(bodies, key=lambda at: (at.y, at.x))


def shown_faces(drawn: Picture) -> str:
    """Return what the dice of the roll show, as letters; a dot for a die that shows nothing."""
    on_dice = [
        next(
            (
                letter
                for letter, name in OBJECTS.items()
                for each in sprites(drawn, f"fortune/{name}")
                if die.contains(each.at)
            ),
            ".",
        )
        for die in dice(drawn)
    ]
    return "".join(on_dice)


def marked_places(drawn: Picture, marks: Sequence[Mark], reach: int) -> list[int]:
    """Return the places of the dice that have one of the marks within reach."""
    near = [die.inset(-reach) for die in dice(drawn)]
    return [place for place, room in enumerate(near, 1) if any(room.contains(mark.at) for mark in marks)]


def bracketed_places(drawn: Picture) -> list[int]:
    return marked_places(drawn, sprites(drawn, "bracket"), 10)


def chest_places(drawn: Picture) -> list[int]:
    trays = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.fill is ColourRole.VIOLET]
    return marked_places(drawn, trays, 8)


def ready_numbers(drawn: Picture) -> list[int]:
    """Return the numbers on plates in the colour of what can be done."""
    plates = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.fill is ColourRole.MARK]
    return [int(text.text) for text in labels(drawn) if any(plate.contains(text.at) for plate in plates)]


def labels(drawn: Picture) -> list[Label]:
    return [mark for mark in drawn.iter_marks() if isinstance(mark, Label)]


def texts(drawn: Picture) -> list[str]:
    return [label.text for label in labels(drawn)]


def texts_beside(drawn: Picture, name: str) -> list[str]:
    """Return what is written to the right of a piece of art, on the same plate."""
    places = [sprite.at for sprite in sprites(drawn, name)]
    return [
        text.text
        for text in labels(drawn)
        for place in places
        if 0 <= text.at.x - place.right < 20 and text.at.y < place.bottom and place.y < text.at.bottom
    ]


def skull_row(drawn: Picture) -> tuple[int, int]:
    """Return the number of places for skulls, and of skulls in them."""
    skulls = [sprite.at for sprite in sprites(drawn, "fortune/skull") if sprite.at.width == 40]
    places = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.at.height == 54 and mark.radius == 10]
    assert all(any(place.contains(skull) for place in places) for skull in skulls)
    return len(places), len(skulls)


def draw_after(state: State, move: str, rolled: str = "", then: str | None = None) -> Picture:
    drawn = build_picture(*play(state, move, rolled, then))
    assert list(find_flaws(drawn)) == []
    return drawn


class TestDice:
    def test_they_are_in_the_order_of_their_buttons(self) -> None:
        assert shown_faces(build_picture(at("gold", "KMPSGDDK"), ())) == "KMPSGDDK"

    def test_rolled_dice_have_brackets_and_kept_dice_anchors(self) -> None:
        drawn = draw_after(at("gold", "GGKMPPSD"), "roll 4 5 6", "KSS")
        assert bracketed_places(drawn) == [4, 5, 6]
        anchors = [anchor.at.x for anchor in sprites(drawn, "fortune/anchor")]
        kept = [dice(drawn)[place - 1].right + 14 for place in (1, 2, 7, 8)]
        assert anchors == kept

    @each_case("unseen, layers", [(34, 3), (13, 2), (1, 1), (0, 0)])
    def test_fo_1_the_pile_under_the_card_gets_lower_and_says_how_many_are_left(self, unseen: int, layers: int) -> None:
        """FO-1."""
        state = at("gold", "GGKMPPSD")
        pile = (*state.unseen, *state.returned)
        drawn = build_picture(state._replace(unseen=pile[:unseen], returned=pile[unseen:]), ())
        assert list(find_flaws(drawn)) == []
        backs = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.PAPER]
        assert len([back for back in backs if back.at.height > 300]) == layers
        (back,) = sprites(drawn, "fortune/card-back")
        (count,) = [mark for mark in drawn.marks if isinstance(mark, Label) and mark.at.y == back.at.y - 5]
        assert count.text == str(unseen)

    def test_without_the_news_nothing_is_new(self) -> None:
        drawn = build_picture(at("gold", "GGKMPPSD"), ())
        assert (bracketed_places(drawn), sprites(drawn, "fortune/anchor")) == ([], [])

    def test_fo_c1_dice_in_the_chest_have_a_tray(self) -> None:
        """FO-C1."""
        drawn = draw_after(at("treasure-chest", "KGGGDMPS"), "roll 6 7 8 chest 2 3 5", "KMM")
        assert chest_places(drawn) == [2, 3, 5]
        assert texts_beside(drawn, "fortune/anchor") == []
        assert "the chest saves" in texts(drawn)

    @each_case(
        "state, places",
        [
            (at("gold", "KGMMPPSK"), [2, 3, 4, 5, 6, 7]),
            (at("sorceress", "KGMMPPSK"), [1, 2, 3, 4, 5, 6, 7, 8]),
            (at("sorceress", "KGMMPPSK", spell=False), [2, 3, 4, 5, 6, 7]),
            (at("storm", "KGMMPPSD", rolls=2), []),
            (at("captain", "KKKKMPGD", island=True), [5, 6, 7, 8]),
            (at("captain", "KKKKKKKD", island=True), []),
        ],
    )
    def test_fo_2_the_numbers_of_free_dice_are_highlighted(self, state: State, places: list[int]) -> None:
        """FO-2, FO-4, FO-9, FO-C3 and FO-C8."""
        assert ready_numbers(build_picture(state, ())) == places


class TestSkulls:
    @each_case(
        "state, row",
        [
            (at("gold"), (3, 0)),
            (at("skulls-2"), (3, 2)),
            (at("skulls-1", "KGMMPPSD"), (3, 2)),
            (at("sorceress", "KKKMMPPD"), (3, 3)),
            (at("skulls-2", "KKKKKKGD", rolls=2, island=True), (8, 8)),
            (at("skulls-2", "KKKKKKKK", rolls=2, island=True), (10, 10)),
        ],
    )
    def test_fo_3_those_of_card_and_dice_are_in_a_row(self, state: State, row: tuple[int, int]) -> None:
        """FO-3, FO-9 and FO-C7."""
        drawn = build_picture(state, ())
        assert skull_row(drawn) == row
        assert list(find_flaws(drawn)) == []

    @each_case("skulls", range(4, 9))
    def test_fo_9_the_words_beside_them_have_a_plate_on_the_sand(self, skulls: int) -> None:
        """FO-9."""
        drawn = build_picture(at("skulls-2", "K" * skulls + "G" * (8 - skulls), rolls=2, island=True), ())
        (words,) = [label for label in labels(drawn) if label.text == "on the Island"]
        plates = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.at.contains(words.at)]
        assert [plate.fill for plate in plates] == [ColourRole.SURFACE_SHADE]


class TestCard:
    def test_no_two_kinds_of_cards_look_the_same(self) -> None:
        art = []
        for card in CARDS:
            drawn = [mark for mark in build_picture(at(card), ()).marks if isinstance(mark, Sprite)]
            art.append(
                frozenset((mark.name, mark.at) for mark in drawn if mark.at.right < 280 and mark.at.bottom < 270)
            )
        assert len(set(art)) == len({card.partition("-battle")[0] for card in CARDS})

    def test_fo_c3_a_used_sorceress_is_marked(self) -> None:
        """FO-C3."""
        assert "she has helped:" in texts(build_picture(at("sorceress", "KGMMPPSK", spell=False), ()))
        there = build_picture(at("sorceress", "KKKKMPGD", spell=False, island=True), ())
        assert "she is no help" in texts(there)
        assert list(find_flaws(there)) == []


class TestPointsShown:
    @each_case(
        "card, faces, shown",
        [
            ("gold", "GGMMPPSD", ["+500", "a bust brings", "0"]),
            ("captain", "GGGMPSKK", ["+800", "2 x", "0"]),
            ("sea-battle-2-300", "MMMMGGSS", ["+1,200", "a bust brings", "−300"]),
            ("sea-battle-4-1000", "MMMMGGSS", ["−1,000", "2 of 4", "a bust brings"]),
            ("truce", "SSMMMMGG", ["−2,000", "a bust brings", "0"]),
            ("sorceress", "MMPPSSKK", ["a bust brings", "0"]),
            ("treasure-chest", "GMMPPSSD", ["+200", "the chest saves", "0"]),
            ("diamond", "DDDDDDDD", ["+5,400", "4,000", "900", "500"]),
        ],
    )
    def test_fo_5_the_plates_show_the_stakes(self, card: str, faces: str, shown: list[str]) -> None:
        """FO-3 to FO-7 and FO-C1 to FO-C9."""
        drawn = build_picture(at(card, faces), ())
        assert [part for part in shown if part not in texts(drawn)] == []
        assert list(find_flaws(drawn)) == []

    def test_fo_c8_a_storm_ends_with_the_second_roll(self) -> None:
        """FO-C8."""
        assert "both rolls made" in texts(build_picture(at("storm", "GGMMPPSD", rolls=2), ()))
        assert "both rolls made" not in texts(build_picture(at("storm", "GGMMPPSD", rolls=1), ()))

    def test_fo_7_every_part_of_the_points_has_its_sign(self) -> None:
        """FO-5 to FO-7 and FO-C4."""
        drawn = build_picture(at("sea-battle-2-300", "MMMMGGSS"), ())
        parts = {name: texts_beside(drawn, f"fortune/{name}") for name in ("treasure", "chest", "ship")}
        assert parts == {"treasure": ["200"], "chest": ["500"], "ship": ["300"]}
        assert "200" in texts_beside(drawn, "fortune/monkey")


def badges(drawn: Picture) -> list[tuple[str, int]]:
    """Return the badges with the seats that wear them."""
    tokens = sorted(
        (
            mark
            for mark in drawn.marks
            if isinstance(mark, Sprite) and mark.name.startswith("token-") and mark.at.width == 44
        ),
        key=lambda token: token.at.y,
    )
    middle = [token.at.y + token.at.height // 2 for token in tokens]
    worn = [sprite for sprite in sprites(drawn, *(badge.value for badge in Badge)) if sprite.at.y > 450]
    return [(mark.name, middle.index(mark.at.y + mark.at.height // 2)) for mark in worn]


class TestRace:
    @each_case("seats", [2, 3, 4])
    def test_every_seat_has_its_total_and_the_one_to_play_a_frame(self, seats: int) -> None:
        scores = "-300/1200/19900/0".rsplit("/", 4 - seats)[0]
        drawn = build_picture(at("gold", "GGMMPPSD", scores=scores, mover=1), ())
        assert [total for total in ("−300", "1,200", "19,900", "0")[:seats] if total not in texts(drawn)] == []
        (frame,) = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
        framed = [label.text for label in labels(drawn) if frame.at.contains(label.at)]
        assert framed == ["2", "1,200"]
        assert drawn.size[1] <= 750

    def test_fo_e1_the_crosser_has_the_flag_and_the_last_round_is_named(self) -> None:
        """FO-E1."""
        drawn = build_picture(at("gold", "GGMMPPSD", scores="0/8100/0", crosser=1), ())
        assert badges(drawn) == [("flag", 1)]
        assert "last round: highest above 8,000 wins" in texts(drawn)
        assert "race past 3,000" in texts(build_picture(at("gold", options=FortuneOptions(target=3000)), ()))

    def test_fo_e2_the_winner_has_the_crown_and_nothing_can_be_done(self) -> None:
        """FO-E2."""
        drawn = draw_after(at("captain", "GGGGMMPK", scores="7000/8100/-300", mover=0, crosser=1), "stop")
        assert badges(drawn) == [("crown", 0)]
        assert "wins with 8,200" in texts(drawn)
        assert ready_numbers(drawn) == []
        assert not any(isinstance(mark, Box) and mark.border is ColourRole.MARK for mark in drawn.marks)

    def test_fo_8_nine_of_a_kind_is_named(self) -> None:
        """FO-8."""
        drawn = draw_after(at("gold", scores="0/7000", options=NINE_WINS), ALL, "GGGGGGGG")
        assert badges(drawn) == [("crown", 0)]
        assert "wins with nine of a kind" in texts(drawn)
        assert "5,400" in texts(drawn)
