"""What can be pressed on Fortune's screen, what stands out, and what its picture marks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import NoReturn

import pytest
from discord import ButtonStyle

from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Result,
    Stage,
    card_note,
    first_roll_risk_of,
    is_stopping_enough,
    result_of,
    score_parts,
    stage_of,
    trace_of,
)
from bot.games.fortune.minds.evaluation import RaceEvaluator
from bot.games.fortune.pieces import Ending, GameEvent, Revive, Roll, State, TurnEnded
from bot.games.fortune.screen import STOP_TOKEN, build_abandoned_fields, build_screen
from bot.rules.content import BrokenTables
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, Tone, to_news
from bot.rules.study import find_clicks
from bot.tables.handlers.controls import find_offered_control
from bot.tables.handlers.ids import ControlId
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.refusals import Stale
from bot.tables.shown.message import render_private_table, screen_components
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table, derive_status
from bot.tools.contract.screen_checks import find_excess
from tests.games.fortune.positions import ALL, GAME, PACKAGE, at, make_positions, play, worth
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, make_table

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return PACKAGE.words.build_screen(GAME.view(state, None), to_news(events, names), names, draft)


def enabled(screen: Screen) -> list[Control]:
    return [each for each in screen.iter_controls() if not each.is_disabled]


def moves(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by the keys of their controls."""
    return {each.key: each.effect.move for each in enabled(screen) if isinstance(each.effect, Play)}


def toned(screen: Screen, tone: Tone) -> list[str]:
    return [each.key for each in screen.iter_controls() if each.tone is tone]


def playing(state: State) -> Table:
    """Return a table at its fourth step, in a position."""
    seats = map(partial(make_occupant, click_id=1), (ROBIN, WREN))
    table = make_table(*seats, status=Status.PLAYING, package=PACKAGE)
    return derive_status(replace(table, state=state), 4)


class TestControls:
    @each_case(
        "state, disabled",
        [
            (at("gold", "KGMMPPSK"), {1, 8}),
            (at("sorceress", "KGMMPPSK"), set()),
            (at("sorceress", "KGMMPPSK", spell=False), {1, 8}),
            (at("sorceress", "KKKMMPPD"), {1, 2, 3}),
        ],
    )
    def test_the_dice_are_in_two_rows_in_which_skulls_keep_their_places(self, state: State, disabled: set[int]) -> None:
        """FO-3 and FO-C3: only the Sorceress frees skulls, a third one unasked."""
        upper, lower = draw(state).controls[-2:]
        assert [each.key for each in (*upper, *lower)] == [f"die{place}" for place in range(1, 9)]
        assert len(upper) == len(lower)
        assert {place for place, each in enumerate((*upper, *lower), 1) if each.is_disabled} == disabled

    @each_case(
        "state, draft, wanted",
        [
            (at("gold"), (), {"all": ALL}),
            (at("gold", "KGMMPPSK"), (), {}),
            (at("gold", "KGMMPPSK"), (2,), {"roll": "roll 3 4 5 6 7"}),
            (at("gold", "KGMMPPSK"), (1, 2, 3), {"roll": "roll 4 5 6 7"}),
            (at("gold", "KGMMPPSK"), (2, 3, 4, 5, 6), {}),
            # What is picked goes into the chest (FO-C1).
            (at("treasure-chest", "KGGGDMPS"), (2, 3, 4, 5), {"roll": "roll 6 7 8 chest 2 3 4 5"}),
            (at("treasure-chest", "KGGGDMPS"), (2, 3, 4, 5, 6, 7, 8), {}),
            # The Sorceress rolls a skull alone or with others, once (FO-C3).
            (at("sorceress", "GKMMPPSD"), (1, 8), {"roll": "roll 3 4 5 6 7"}),
            (at("sorceress", "GKMMPPSD"), (1, 2, 8), {"roll": "sorceress 2 with 3 4 5 6 7"}),
            (at("sorceress", "GKMMPPSD"), (1, 2, 3, 4, 5, 6, 7, 8), {"roll": "sorceress 2"}),
            (at("sorceress", "KKGMPPSD", spell=False), (1, 3), {"roll": "roll 4 5 6 7 8"}),
            (at("sorceress", "KKKMMPPD"), (4, 5), {"roll": "sorceress 1 with 6 7 8"}),
            (at("captain", "KKKKMPGD", island=True), (5,), {}),
            (at("storm", "SSSMMMGK", rolls=2), (1,), {}),
        ],
    )
    def test_dice_are_picked_and_the_others_rolled(
        self, state: State, draft: tuple[int, ...], wanted: dict[str, str]
    ) -> None:
        """FO-2, FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
        found = moves(draw(state, draft=frozenset(draft)))
        assert {key: move for key, move in found.items() if key not in ("advised", "stop")} == wanted

    @each_case(
        "state",
        [
            at("gold", "KGMMPPSD"),
            at("sorceress", "KGMMPPSK"),
            at("sorceress", "KKKGMPPS"),
            at("captain", "KKKKMPGD", island=True),
        ],
    )
    def test_every_move_can_be_composed(self, state: State) -> None:
        """FO-2, FO-9 and FO-C3; equal dice are interchangeable. Rolling all is offered only where it is good."""
        drafts = chain([(STOP_TOKEN,)], *(combinations(range(1, 9), count) for count in range(9)))
        texts = {move for draft in drafts for move in moves(draw(state, draft=frozenset(draft))).values()}
        keys = {PACKAGE.mind.key_of(state, GAME.parse_move(text)) for text in texts}
        free = state.turn.free
        rest = [Revive(place, free) for place in range(1, 9) if state.turn.spell and place not in free] + [Roll(free)]
        others = {PACKAGE.mind.key_of(state, move) for move in GAME.legal_moves(state) if move not in rest}
        assert keys - {PACKAGE.mind.key_of(state, move) for move in rest} == others

    def test_a_picked_die_looks_picked(self) -> None:
        state = at("sorceress", "KGMMPPSK")
        before, after = (draw(state, draft=frozenset(draft)).controls for draft in ((), (1, 3)))
        dice = zip(chain(*before[-2:]), chain(*after[-2:]), strict=True)
        changed = [old.effect for old, new in dice if old.label != new.label]
        assert [effect.token for effect in changed if isinstance(effect, Toggle)] == [1, 3]

    def test_another_skull_is_freed_instead(self) -> None:
        """FO-C3: she frees one."""
        (skull,) = [each for each in enabled(draw(at("sorceress", "KGMMPPSK"))) if each.key == "die8"]
        assert isinstance(skull.effect, Toggle)
        assert skull.effect.apply(frozenset({1, 2})) == {2, 8}

    @each_case(
        "state, draft, next_step, best",
        [
            (at("gold"), (), "all", None),
            (at("gold", "KGMMPPSK"), (), "stop", None),
            (at("gold", "KGMMPPSK"), (2,), "roll", None),
            (at("gold", "KGMMPPSK"), (2, 3, 4, 5, 6), "stop", None),
            (at("captain", "GGGGDDKK"), (), None, "stop"),
            (at("captain", "GGGGDDKK"), (1, 2), "roll", None),
            (at("truce", "GGGGGGKM"), (), None, "stop"),
            (at("storm", "SSSMMMGK", rolls=2), (), "stop", None),
            # Stopping brings no more than a bust (FO-C3, FO-C4, FO-C9 and FO-9).
            (at("truce", "GGGGGGSM"), (), None, "advised"),
            (at("sea-battle-3-500", "SPPMMKKM"), (), "advised", None),
            (at("sorceress", "KKKGGGGD"), (), None, "advised"),
            (at("captain", "KKKKMPGD", island=True), (), None, "advised"),
            # In the last round (FO-E2).
            (at("gold", "KKGGGDSM", scores="7000/8400", crosser=1), (), "advised", None),
            (at("gold", "KKGGGDSM", scores="8000/8400", crosser=1), (), None, "stop"),
        ],
    )
    def test_one_control_is_the_next_step_or_clearly_best(
        self, state: State, draft: tuple[int, ...], next_step: str | None, best: str | None
    ) -> None:
        screen = draw(state, draft=frozenset(draft))
        wanted = ([next_step] if next_step else [], [best] if best else [])
        assert (toned(screen, Tone.CHOSEN), toned(screen, Tone.MAIN)) == wanted

    @each_case(
        "state, is_asked",
        [
            (at("gold", "KKGGGDSM", scores="7000/8400", crosser=1), True),
            (at("gold", "KKGGGDSM", scores="8000/8400", crosser=1), False),
            (at("sea-battle-3-500", "SPPMMKKM"), True),
            (at("sea-battle-3-500", "SSSPMKKM"), False),
            (at("storm", "SSSMMMGK", rolls=2, scores="0/8400", crosser=1), False),
            (at("captain", "KKKKMPGD", island=True), False),
        ],
    )
    def test_stopping_for_nothing_is_asked_once(self, state: State, is_asked: bool) -> None:
        """FO-C4 and FO-E2."""
        before, stop = draw(state), Play("stop")
        (first,) = [each.effect for each in before.iter_controls() if each.key == "stop"]
        assert (first != stop) is is_asked
        if isinstance(first, Toggle):
            after = draw(state, draft=first.apply(EMPTY_DRAFT))
            assert stop in [each.effect for each in after.iter_controls()]
            assert before.rule != after.rule in after.text

    @each_case("faces", ["SMMPPKGD", "SKMMMGPP", "SGGDDMPK"])
    def test_the_shortcut_keeps_one_of_two_swords(self, faces: str) -> None:
        """FO-C4."""
        assert "1" not in moves(draw(at("sea-battle-2-300", faces)))["advised"].split(" ")

    def test_a_skull_that_keeps_its_place_is_not_offered(self) -> None:
        """FO-3: neither by a button, which clients may press nevertheless, nor by a way to a lesson's move."""
        state = at("gold", "KGMMPPSK")
        table, screen = playing(state), partial(draw, state)
        assert find_offered_control(table, ROBIN, ControlId(table.id, 4, "die2", EMPTY_DRAFT), screen).effect == Toggle(
            2
        )
        with pytest.raises(Stale):
            find_offered_control(table, ROBIN, ControlId(table.id, 4, "die1", EMPTY_DRAFT), screen)
        assert find_clicks("roll 3 4", lambda draft: draw(state, draft=draft), frozenset({2}))
        assert not find_clicks("roll 1 3", lambda draft: draw(state, draft=draft), frozenset({2}))

    @each_case("is_beginner, colour", [(True, ButtonStyle.success), (False, ButtonStyle.primary)])
    def test_only_beginners_see_that_stopping_is_clearly_best(self, is_beginner: bool, colour: ButtonStyle) -> None:
        table = playing(at("captain", "GGGGDDKK"))
        rows, _menus = screen_components(screen_of(table), table, EMPTY_DRAFT, is_beginner=is_beginner)
        assert [each.style for row in rows for each in row if each.style is not ButtonStyle.secondary] == [colour]

    def test_a_private_table_shows_nobody_the_best_move(self) -> None:
        """Everyone has the same bag on such a day."""
        content = render_private_table(playing(at("captain", "GGGGDDKK")), EMPTY_DRAFT)
        styles = [each.style for row in content.rows for each in row]
        assert ButtonStyle.primary in styles
        assert ButtonStyle.success not in styles

    def test_the_shortcut_does_without_a_broken_race(self) -> None:
        """Whoever sees the table can play on, though no computer player can."""

        class Broken:
            def load(self, dtype: str, shapes: object) -> NoReturn:
                raise BrokenTables("data/fortune/race.npz can't be read.")

        state = at("gold", "GGGGGMPK")
        screen = build_screen(state, (), NAMES[:2], EMPTY_DRAFT, evaluate=RaceEvaluator(Broken()))
        assert moves(screen)["advised"] == moves(draw(state))["advised"]


FIVE_COINS = worth("captain", "GGGGGPPS")


@each_case(
    "state, is_enough",
    [
        (at("gold", "GGGDMPSK", scores="0/8000"), True),
        (at("captain", "GGGGGPPS", scores=f"{8399 - FIVE_COINS}/8400", crosser=1), False),
        (at("captain", "GGGGGPPS", scores=f"{8400 - FIVE_COINS}/8400", crosser=1), True),
        (at("captain", "GGGGGPPS", scores=f"{8400 - FIVE_COINS}/8400/8500", crosser=1), False),
        (at("captain", "KKKKMPGD", scores="6000/8400", crosser=1, island=True), False),
        (at("sorceress", "KKKGGGGG", scores="8000/8400", crosser=1), False),
    ],
)
def test_stopping_is_not_enough_behind_the_score_to_beat(state: State, is_enough: bool) -> None:
    """FO-E2 and FO-E3: equal totals share the win."""
    assert is_stopping_enough(state) is is_enough


LOST = worth("captain", "GGDKKKMP")


def ended(seat: int, points: int, toll: int = 0, faces: str = "GGMMPPSD") -> TurnEnded:
    state = at("captain", faces)
    ending = Ending.ISLAND if toll else Ending.STOPPED if points else Ending.DISQUALIFIED
    return TurnEnded(seat, state.turn, ending, points, toll)


@each_case(
    "mover, faces, events, traces",
    [
        (0, "", (), [(None, 0), (None, 0)]),
        (0, "", (ended(0, 400), ended(1, 700)), [(400, 0), (700, 0)]),
        # Whoever rolls again starts anew.
        (0, "GGMMPPSD", (ended(0, 400), ended(1, 700)), [(None, 0), (700, 0)]),
        (0, "", (ended(0, 900), ended(1, 700), ended(0, 400), ended(1, 100)), [(400, 0), (100, 0)]),
        # Tolls are in the way of nothing.
        (0, "", (ended(0, 400), ended(1, 0, toll=600)), [(400, 0), (0, 0)]),
        (0, "", (ended(0, 0, faces="MMPPSSKK"), ended(1, 0, toll=600)), [(-600, 0), (0, 0)]),
        (1, "", (ended(0, 0, toll=400),), [(0, 0), (-400, 0)]),
        # A bust takes two coins and a diamond, which count double.
        (0, "", (ended(0, 0, faces="GGDKKKMP"), ended(1, 700)), [(None, LOST), (700, 0)]),
        (0, "", (ended(0, 0, faces="GGDKKKMP"), ended(1, 0, toll=400)), [(None, LOST), (0, 0)]),
    ],
)
def test_what_the_last_turn_of_a_seat_brought_stays_until_it_rolls_again(
    mover: int, faces: str, events: tuple[GameEvent, ...], traces: list[tuple[int | None, int]]
) -> None:
    """FO-3, FO-5, FO-6 and FO-9."""
    view = at("gold", faces, mover=mover)
    assert [trace_of(view, seat, events) for seat in (0, 1)] == traces


def test_an_abandoned_game_marks_no_turn() -> None:
    view = at("gold", "GGMMPPSD", scores="700/-200", mover=1)
    _, scores, _ = build_abandoned_fields(view, NAMES[:2])
    assert ("▶" in draw(view).fields[0].text, "▶" in scores.text) == (True, False)


def test_the_longest_names_fit_when_all_share_the_win() -> None:
    state, _ = play(at("captain", "MMPPSSKK", scores="8100/8100/8100/8100", mover=3, crosser=0), "stop")
    assert list(find_excess(PACKAGE.words.build_screen(state, (), ("\\*" * 32,) * 4, EMPTY_DRAFT))) == []


def test_no_screen_is_too_long() -> None:
    for name, position in make_positions().items():
        assert list(find_excess(draw(position.state, position.events, position.draft))) == [], name


def test_the_named_positions_have_facts_of_every_kind() -> None:
    """So golden files have words for each of them on the screen, in the reading, in the news and in the picture."""
    positions = make_positions().values()
    turns = [position.state.turn for position in positions if position.state.mover is not None]
    ends = [event for each in positions for event in each.events if isinstance(event, TurnEnded)]
    lying = [turn for turn in turns if turn.faces]
    assert {part.kind for turn in lying for part in score_parts(turn)} == {*Part}
    assert {stage_of(turn) for turn in turns} == {*Stage}
    assert {card_note(turn) for turn in turns} == {None, *CardNote}
    assert {first_roll_risk_of(turn)[0] for turn in turns if not turn.faces} == {*FirstRollRisk}
    assert {result_of(end)[0] for end in ends} == {*Result}
