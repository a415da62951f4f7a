"""What can be pressed on Fortune's screen, what stands out, and what its picture marks."""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations

from bot.games.fortune.dice_picture import FACE_ART, skull_marks
from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Result,
    Stage,
    card_note,
    first_roll_risk_of,
    result_of,
    score_parts,
    stage_of,
)
from bot.games.fortune.minds.evaluation import evaluate_points
from bot.games.fortune.picture import build_picture, card_marks, pile_marks
from bot.games.fortune.pieces import CardKind, Face, FortuneOptions, GameEvent, State, TurnEnded
from bot.games.fortune.screen import build_abandoned_fields, build_screen
from bot.games.fortune.words import CARD_TEXTS
from bot.rules.chance import ScriptedChance
from bot.rules.evaluation import BestMove
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, Tone, to_news
from bot.tools.contract.screen_checks import find_excess
from bot.words import gettext as _
from tests.games.fortune.positions import ALL, CARDS, GAME, PACKAGE, POSITIONS, at, play
from tests.support.each_case import each_case
from tests.support.named_positions import NamedPosition
from tests.support.picture_checks import find_flaws

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return build_screen(GAME.view(state, None), to_news(events, names), names, draft)


def moves(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by the keys of their controls."""
    return {each.key: each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)}


def highlighted(screen: Screen) -> list[str]:
    return [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN]


def picked(screen: Screen) -> list[int]:
    """Return the places of the dice that are picked."""
    chosen = [each.effect for each in screen.iter_controls() if each.tone is Tone.CHOSEN]
    return [effect.token for effect in chosen if isinstance(effect, Toggle)]


class TestControls:
    def test_the_dice_are_in_two_rows_without_the_skulls(self) -> None:
        """FO-3."""
        rows = draw(at("gold", "KGMMPPSK")).controls
        assert [[each.key for each in row] for row in rows[:2]] == [["die2", "die3", "die4"], ["die5", "die6", "die7"]]

    @each_case(
        "state, draft, wanted",
        [
            (at("gold"), (), {"all": ALL}),
            (at("gold", "KGMMPPSK"), (), {"roll_rest": "roll 2 3 4 5 6 7"}),
            (at("gold", "KGMMPPSK"), (2,), {"roll_rest": "roll 3 4 5 6 7"}),
            (at("gold", "KGMMPPSK"), (2, 3), {"roll_rest": "roll 4 5 6 7", "roll_picked": "roll 2 3"}),
            (at("gold", "KGMMPPSK"), (2, 3, 4, 5, 6, 7), {"roll_picked": "roll 2 3 4 5 6 7"}),
            # A close choice picks nothing; what is picked goes into the chest (FO-C1).
            (
                at("treasure-chest", "KGGGDMPS", rolls=2, chest="234"),
                (),
                {"roll_rest": "roll 2 3 4 5 6 7 8"},
            ),
            (
                at("treasure-chest", "KGGGDMPS", rolls=2, chest="234"),
                (2, 3, 4, 5),
                {"roll_rest": "roll 6 7 8 chest 2 3 4 5"},
            ),
            (at("treasure-chest", "KGGGDMPS"), (2, 3, 4, 5, 6, 7, 8), {}),
            # The Sorceress rolls a skull alone or with others, once (FO-C3).
            (
                at("sorceress", "GKMMPPSD"),
                (1, 8),
                {
                    "roll_rest": "roll 3 4 5 6 7",
                    "roll_picked": "roll 1 8",
                    "spell": "sorceress 2",
                    "spell_rest": "sorceress 2 with 3 4 5 6 7",
                    "spell_picked": "sorceress 2 with 1 8",
                },
            ),
            (at("sorceress", "GGMMPPSD"), (), {"roll_rest": ALL}),
            (at("sorceress", "KKGMPPSD", spell=False), (), {"roll_rest": "roll 3 4 5 6 7 8"}),
            (at("sorceress", "KKKMMPPD"), (), {"spell": "sorceress 1", "spell_rest": "sorceress 1 with 4 5 6 7 8"}),
            (at("captain", "KKKKMPGD", island=True), (), {"roll_rest": "roll 5 6 7 8"}),
            (at("storm", "SSSMMMGK", rolls=2), (), {}),
        ],
    )
    def test_dice_are_picked_and_these_or_the_others_rolled(
        self, state: State, draft: tuple[int, ...], wanted: dict[str, str]
    ) -> None:
        """FO-2, FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
        found = moves(draw(state, draft=frozenset(draft)))
        stop = {"stop": "stop"} if state.turn.faces else {}
        assert {key: move for key, move in found.items() if key != "advised"} == wanted | stop

    def test_every_roll_can_be_composed(self) -> None:
        """FO-2."""
        state = at("gold", "KGMMPPSD")
        drafts = chain.from_iterable(combinations(range(2, 9), count) for count in range(8))
        found = {move for draft in drafts for move in moves(draw(state, draft=frozenset(draft))).values()}
        assert found == {str(move) for move in GAME.legal_moves(state)}

    def test_a_picked_die_and_a_composed_roll_look_chosen(self) -> None:
        before, after = (draw(at("gold", "KGMMPPSD"), draft=draft) for draft in (EMPTY_DRAFT, frozenset({2})))
        (die, *_), (again, *_) = (screen.controls[0] for screen in (before, after))
        assert (die.effect, die.tone, again.effect, again.tone) == (Toggle(2), Tone.QUIET, Toggle(2), Tone.CHOSEN)
        assert die.label != again.label, "colour alone does not tell"
        assert [each.tone for each in after.iter_controls() if each.key == "roll_rest"] == [Tone.CHOSEN]

    @each_case(
        "state, wanted",
        [
            (at("gold", "MMMGPPSK"), "roll 5 6 7"),
            (at("monkey-business", "MMPSSKKG"), "roll 4 5"),
            (at("sea-battle-3-500", "SPPMMKKM"), "roll 2 3"),
            (at("storm", "SSSMMMGK"), "roll 1 2 3 4 5 6"),
            (at("sorceress", "MMMMGPSK", spell=False), "roll 6 7"),
            (at("treasure-chest", "KGMMPPSD"), "roll 3 4 chest 2 5 6 7 8"),
        ],
    )
    def test_a_close_choice_is_one_button_that_does_not_stand_out(self, state: State, wanted: str) -> None:
        """FO-2, FO-5, FO-6, FO-C1, FO-C4, FO-C6 and FO-C8."""
        screen = draw(state)
        assert moves(screen)["advised"] == wanted
        assert (highlighted(screen), picked(screen)) == ([], [])

    @each_case(
        "state, key, dice",
        [
            (at("gold"), "all", []),
            (at("gold", "GGGGGMPK"), "roll_rest", [1, 2, 3, 4, 5]),
            (at("gold", "GGMPGGGK", rolls=2), "roll_rest", [1, 2, 5, 6, 7]),
            (at("gold", "GGMKPPSD", rolls=2), None, []),
            (at("truce", "GGGGGGSM"), "roll_rest", [1, 2, 3, 4, 5, 6]),
            (at("truce", "GGGGGGKM"), "stop", []),
            (at("captain", "GGGGDDKK"), "stop", []),
            (at("captain", "GGGGDDKK", scores="5400/0"), "stop", []),
            (at("sorceress", "KKKGGGGD"), "spell", [4, 5, 6, 7, 8]),
            (at("captain", "KKKKMPGD", island=True), "roll_rest", []),
            (at("storm", "SSSMMMGK", rolls=2), "stop", []),
            # Near the line and in the last round hints know better (FO-E1).
            (at("captain", "GGGGDDKK", scores="5500/0"), None, []),
            (at("captain", "GGGGDDKK", scores="7900/0"), None, []),
            (at("captain", "GGGGDDKK", scores="0/8100", crosser=1), None, []),
        ],
    )
    def test_the_clearly_best_move_stands_out_with_its_dice_picked(
        self, state: State, key: str | None, dice: list[int]
    ) -> None:
        """FO-C9 among others: under a Truce no gold piece is rolled again."""
        screen = draw(state)
        assert (highlighted(screen), picked(screen)) == ([key] if key else [], dice)

    @each_case("faces", ["SMMPPKGD", "SKMMMGPP", "SGGDDMPK"])
    def test_neither_highlight_nor_advice_rolls_one_of_two_swords(self, faces: str) -> None:
        """FO-C4: it was, with the dice that bring points kept instead."""
        screen = draw(at("sea-battle-2-300", faces))
        offered = [moves(screen)[key] for key in (*highlighted(screen), "advised") if key in moves(screen)]
        assert offered
        assert not any("1" in move.split(" ") for move in offered)

    @each_case("faces", ["GGDDMPPK", "GGDDDMMP", "GDMMPPPK", "GDMPPKKM", "GGGGDDDD"])
    def test_with_none_of_three_swords_no_jewels_are_picked_to_be_kept(self, faces: str) -> None:
        """FO-C4: the choice is close, so the computer player's is one button, and nothing is picked for it."""
        state = at("sea-battle-3-500", faces)
        screen = draw(state)
        assert (highlighted(screen), picked(screen)) == ([], [])
        best = BestMove(evaluate_points)(state, GAME.legal_moves(state), ScriptedChance(()))
        assert moves(screen)["advised"] == str(best)


def test_an_abandoned_game_marks_no_turn() -> None:
    view = at("gold", "GGMMPPSD", scores="700/-200", mover=1)
    _, scores, _ = build_abandoned_fields(view, NAMES[:2])
    assert ("▶" in draw(view).fields[0].text, "▶" in scores.text) == (True, False)


def test_the_longest_names_fit_when_all_share_the_win() -> None:
    state, _ = play(at("captain", "MMPPSSKK", scores="8100/8100/8100/8100", mover=3, crosser=0), "stop")
    assert list(find_excess(build_screen(state, (), ("\\*" * 32,) * 4, EMPTY_DRAFT))) == []


# The pictures of rare positions beside those that are named.
RARE = (
    at("skulls-2", "KKKKKKKK", rolls=2, island=True),
    at("sorceress", "KKKKMPGD", spell=False, island=True),
    at("captain", "GGGMPSKK", scores="-300/1200/19900/0", options=FortuneOptions(target=20_000)),
)


@each_case("position", [*POSITIONS.values(), *map(NamedPosition, RARE)])
def test_nothing_overlaps_in_a_picture_and_no_screen_is_too_long(position: NamedPosition) -> None:
    """FO-3 to FO-9 and FO-C1 to FO-C9."""
    assert list(find_flaws(build_picture(position.state, position.events))) == []
    assert list(find_excess(draw(position.state, position.events, position.draft))) == []


def test_the_named_positions_have_facts_of_every_kind() -> None:
    """So golden files have words for each of them on the screen, in the reading, in the news and in the picture."""
    turns = [position.state.turn for position in POSITIONS.values() if position.state.mover is not None]
    ends = [event for each in POSITIONS.values() for event in each.events if isinstance(event, TurnEnded)]
    lying = [turn for turn in turns if turn.faces]
    assert {part.kind for turn in lying for part in score_parts(turn)} == {*Part}
    assert {stage_of(turn) for turn in turns} == {*Stage}
    assert {card_note(turn) for turn in turns} == {None, *CardNote}
    assert {first_roll_risk_of(turn)[0] for turn in turns if not turn.faces} == {*FirstRollRisk}
    assert {result_of(end)[0] for end in ends} == {*Result}


def test_a_page_of_the_guide_shows_and_names_each_card() -> None:
    """FO-C1 to FO-C9."""
    pages = [
        (page.text, sprites(page.build_picture().iter_marks()))
        for page in PACKAGE.study.guide.build_pages(FortuneOptions())
    ]
    missing = [
        kind
        for kind in CardKind
        if not any(
            _(CARD_TEXTS[kind].name) in text
            and any(sprites(card_marks(at(name).turn, Rect(0, 0, 254, 336))) <= drawn for name in names_of(kind))
            for text, drawn in pages
        )
    ]
    assert missing == []


def names_of(kind: CardKind) -> list[str]:
    return [name for name, card in CARDS.items() if card.kind is kind]


def sprites(marks: Iterable[Mark]) -> set[str]:
    return {mark.name for mark in marks if isinstance(mark, Sprite)}


def dice(drawn: Picture) -> list[Rect]:
    """Return the areas of the rolled dice, which are the largest, in the order of their places."""
    bodies = [mark.at for mark in drawn.iter_marks() if isinstance(mark, Sprite) and "/die" in mark.name]
    return sorted(sorted(bodies, key=lambda at: -at.width)[:8], key=lambda at: (at.y, at.x))


def places_with(drawn: Picture, *names: str) -> list[int]:
    """Return the places of the dice on which there is art."""
    art = [mark.at for mark in drawn.iter_marks() if isinstance(mark, Sprite) and mark.name in names]
    return [place for place, die in enumerate(dice(drawn), 1) if any(die.inset(-10).contains(at) for at in art)]


def places_in_trays(drawn: Picture) -> list[int]:
    trays = [mark.at for mark in drawn.iter_marks() if isinstance(mark, Box) and mark.fill is ColourRole.VIOLET]
    return [place for place, die in enumerate(dice(drawn), 1) if any(tray.contains(die) for tray in trays)]


def numbers_in_colour(drawn: Picture) -> list[int]:
    """Return the numbers in the colour of what can be done."""
    plates = [mark.at for mark in drawn.iter_marks() if isinstance(mark, Box) and mark.fill is ColourRole.MARK]
    labels = [mark for mark in drawn.iter_marks() if isinstance(mark, Label)]
    return [int(label.text) for label in labels if any(plate.contains(label.at) for plate in plates)]


class TestPicture:
    def test_each_die_shows_its_face_at_its_place(self) -> None:
        drawn = build_picture(at("gold", "KMPSGDDK"), ())
        assert {face: places_with(drawn, art) for face, art in FACE_ART.items()} == {
            Face.SKULL: [1, 8],
            Face.MONKEY: [2],
            Face.PARROT: [3],
            Face.SWORD: [4],
            Face.GOLD: [5],
            Face.DIAMOND: [6, 7],
        }

    def test_rolled_dice_have_brackets_kept_dice_anchors_and_those_in_the_chest_a_tray(self) -> None:
        """FO-C1."""
        before = at("treasure-chest", "KGGGDMPS")
        drawn = build_picture(*play(before, "roll 6 7 chest 2 3 5", "MM"))
        assert (places_with(drawn, "bracket"), places_in_trays(drawn)) == ([6, 7], [2, 3, 5])
        # Dice 4 and 8 were kept outside the chest.
        assert [mark.name for mark in drawn.iter_marks() if isinstance(mark, Sprite)].count("fortune/anchor") == 2
        quiet = build_picture(before, ())
        assert (places_with(quiet, "bracket"), places_in_trays(quiet)) == ([], [])

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
    def test_the_numbers_of_dice_that_can_be_rolled_stand_out(self, state: State, places: list[int]) -> None:
        """FO-2, FO-4, FO-9, FO-C3 and FO-C8."""
        assert numbers_in_colour(build_picture(state, ())) == places

    @each_case("unseen, layers", [(34, 3), (13, 2), (12, 1), (1, 1), (0, 0)])
    def test_the_pile_under_the_card_gets_lower(self, unseen: int, layers: int) -> None:
        """FO-1."""
        assert len(list(pile_marks(unseen, Rect(0, 0, 254, 336)))) == layers

    @each_case(
        "state, places, skulls",
        [
            (at("gold"), 3, 0),
            (at("skulls-2"), 3, 2),
            (at("skulls-1", "KGMMPPSD"), 3, 2),
            (at("sorceress", "KKKMMPPD"), 3, 3),
            (at("gold", "KKKKMPGD", island=True), 4, 4),
            (at("skulls-2", "KKKKKKKK", island=True), 10, 10),
        ],
    )
    def test_skulls_of_card_and_dice_are_in_a_row_with_words_that_can_be_read(
        self, state: State, places: int, skulls: int
    ) -> None:
        """FO-3, FO-9 and FO-C7: on the Island's light sand the words lie on a plate."""
        marks = skull_marks(state, Rect(304, 306, 670, 54))
        boxes = [mark.at for mark in marks if isinstance(mark, Box)]
        found = [mark.at for mark in marks if isinstance(mark, Sprite)]
        (words,) = [mark.at for mark in marks if isinstance(mark, Label)]
        assert (len(boxes), len(found)) == (places + state.turn.island, skulls)
        assert all(any(box.contains(skull) for box in boxes) for skull in found)
        assert any(box.contains(words) for box in boxes) == state.turn.island

    def test_no_two_kinds_of_cards_look_the_same(self) -> None:
        looks = {card: card_marks(at(card).turn, Rect(0, 0, 254, 336)) for card in CARDS}
        art = {tuple(mark for mark in marks if isinstance(mark, Sprite)) for marks in looks.values()}
        assert len(art) == len({card.partition("-battle")[0] for card in CARDS})

    @each_case(
        "state, badge, seat",
        [
            (at("gold", "GGMMPPSD", scores="0/8100/0", crosser=1), "flag", 1),
            (at("gold", "GGMMPPSD", scores="8200/8100/0", crosser=1)._replace(mover=None), "crown", 0),
            (at("gold", "GGGGGGGG", scores="0/8100/0")._replace(mover=None, nine=2), "crown", 2),
        ],
    )
    def test_who_crossed_the_line_has_a_flag_and_who_won_a_crown(self, state: State, badge: str, seat: int) -> None:
        """FO-8, FO-E1 and FO-E2."""
        drawn = [mark for mark in build_picture(state, ()).iter_marks() if isinstance(mark, Sprite)]
        rows = [mark.at.y for mark in drawn if mark.name.startswith("token-")][-len(state.scores) :]
        worn = [mark.at.y for mark in drawn if mark.name == badge][-1]
        assert min(range(3), key=lambda row: abs(rows[row] - worn)) == seat
