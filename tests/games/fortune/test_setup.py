"""How a game of Fortune begins: rules FO-1 and FO-O1, and the deck."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.fortune.pieces import CardKind, Deck, FortuneContent, FortuneOptions
from bot.platform.content import DATA, BrokenContent, read_content
from bot.rules.chance import FairChance, ScriptedChance
from bot.rules.content import Origin
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from tests.games.fortune.positions import ALL, CARDS, DECK, GAME, PACKAGE, USUAL, at, play
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, make_table
from tests.support.responses import apply_text

CONTENT = read_content(FortuneContent, DATA / "fortune")

COPIES = {
    "treasure-chest": 3,
    "captain": 3,
    "sorceress": 3,
    "gold": 3,
    "diamond": 3,
    "monkey-business": 3,
    "skulls-1": 3,
    "skulls-2": 2,
    "sea-battle-2-300": 2,
    "sea-battle-3-500": 2,
    "sea-battle-4-1000": 2,
    "storm": 3,
    "truce": 3,
}


class TestDeck:
    def test_fo_1_35_cards(self) -> None:
        """FO-1."""
        assert Counter(map(str, DECK)) == COPIES
        assert len(DECK) == 35

    def test_each_entry_names_its_origin(self) -> None:
        """FO-1: the source names the kinds, and no figure and no number of copies."""
        counts = {str(entry.build_card()): (entry.card, entry.copies_from) for entry in CONTENT.deck.cards}
        ours = {name for name, (card, _copies) in counts.items() if card is Origin.OURS}
        assert ours == {name for name in COPIES if name.startswith(("skulls", "sea-battle"))}
        assert {copies for _card, copies in counts.values()} == {Origin.OURS}

    @each_case(
        "change, fault",
        [
            ({"copies": 4}, "35 cards, not 36"),
            ({"kind": "captain"}, "captain"),  # twice now, and no treasure chest
            ({"copies": 0}, "greater than"),
            ({"kind": "kraken"}, "kraken"),
            ({"card": "hearsay"}, "hearsay"),
            ({"skulls": 1}, "not permitted"),
        ],
    )
    def test_a_deck_that_can_not_be_played_with_is_refused(self, change: dict[str, Any], fault: str) -> None:
        """FO-1."""
        cards = [entry.model_dump(mode="json") for entry in CONTENT.deck.cards]
        assert cards[0]["kind"] == "treasure-chest"
        with pytest.raises(ValidationError, match=fault):
            Deck.model_validate({"cards": [cards[0] | change, *cards[1:]]})

    def test_a_kind_must_not_be_missing(self) -> None:
        """FO-1."""
        cards = [entry.model_dump(mode="json") for entry in CONTENT.deck.cards]
        with pytest.raises(ValidationError, match="no card of the kind treasure-chest"):
            Deck.model_validate({"cards": [cards[1] | {"copies": 6}, *cards[2:]]})

    def test_faults_of_the_file_are_named(self, tmp_path: Any) -> None:
        (tmp_path / "deck.toml").write_text('[[cards]]\nkind = "storm"\ncard = "source"\ncopies_from = "ours"\n')
        with pytest.raises(BrokenContent) as broken:
            read_content(FortuneContent, tmp_path)
        assert "copies" in str(broken.value)
        assert "deck.toml" in str(broken.value)


class TestStart:
    def test_fo_1_two_to_four_seats(self) -> None:
        """FO-1."""
        assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 4)

    @each_case("seats", [2, 3, 4])
    def test_fo_1_any_seat_may_start(self, seats: int) -> None:
        """FO-1."""
        for seat in range(seats):
            with ScriptedChance([seat, 0]) as chance:
                state = GAME.start(USUAL, seats, chance)
            assert (state.mover, state.scores) == (seat, (0,) * seats)
            assert GAME.audit(state) == ()

    def test_fo_1_every_card_may_come_first(self) -> None:
        """FO-1."""
        first = [GAME.start(USUAL, 2, ScriptedChance([0, at_])).turn.card for at_ in range(35)]
        assert Counter(first) == Counter(DECK)

    def test_fo_1_a_card_is_turned_up_and_nothing_is_rolled_yet(self) -> None:
        """FO-1 and FO-2."""
        state = GAME.start(USUAL, 2, ScriptedChance([1, 3]))
        assert str(state.turn.card) == "captain"
        assert (state.turn.faces, state.turn.rolls) == ((), 0)
        assert [str(move) for move in GAME.legal_moves(state)] == [ALL]


class TestPile:
    def test_fo_1_the_card_goes_to_the_bottom(self) -> None:
        """FO-1."""
        state, _ = play(at("captain", "GGMMPPSD", returned="truce gold"), "stop", then="storm")
        assert list(map(str, state.returned)) == ["truce", "gold", "captain"]
        assert str(state.turn.card) == "storm"
        assert CARDS["storm"] in state.unseen, "two more of them"

    def test_fo_1_the_pile_is_never_shuffled_again(self) -> None:
        """FO-1: once every card was seen they come round in the same order, without chance."""
        state = GAME.start(USUAL, 2, FairChance(b"\7" * 32, "", 0))
        seen = [state.turn.card]
        for turn in range(100):
            state, _ = GAME.play(
                state, state.mover or 0, GAME.parse_move(ALL), ScriptedChance([1, 1, 2, 2, 3, 3, 4, 5])
            )
            if state.mover is None or state.turn.faces == ():
                seen.append(state.turn.card)
                continue
            left = state.unseen
            chance = FairChance(b"\7" * 32, "", turn + 1) if left else ScriptedChance([])
            state, _ = GAME.play(state, state.mover, GAME.parse_move("stop"), chance)
            assert (len(state.unseen) < len(left)) == bool(left)
            seen.append(state.turn.card)
            if state.mover is None:
                break
        assert len(seen) > 70
        assert Counter(seen[:35]) == Counter(DECK)
        assert seen[35:70] == seen[:35]

    def test_fo_1_a_move_that_turned_up_a_card_is_final(self) -> None:
        """FO-1: not even once the pile comes round, when no chance is asked any more."""
        below = list(DECK)
        below.remove(CARDS["captain"])
        state = at("captain", "GGMMPPSD", returned=" ".join(map(str, below)))
        assert state.unseen == ()
        seats = (lobby_actions.make_occupant(ROBIN, 500), lobby_actions.make_occupant(WREN, 501))
        table = replace(make_table(*seats, package=PACKAGE, status=Status.PLAYING), state=state)
        stopped = apply_text(table, 0, "stop")
        assert (stopped.state.turn.card, stopped.numbers) == (below[0], ())
        assert stopped.take_back_state is None


class TestOptions:
    def test_fo_o1_defaults(self) -> None:
        """FO-O1."""
        assert FortuneOptions().model_dump() == {"target": 8000, "nine_wins": False}

    @each_case("target", [1000, 1001, 8000, 20_000])
    def test_fo_o1_targets_from_1000_to_20000(self, target: int) -> None:
        """FO-O1."""
        assert FortuneOptions.model_validate({"target": target}).target == target

    @each_case("target", [999, 20_001, 0, -8000, "many", None, 8000.5])
    def test_fo_o1_other_targets_are_refused(self, target: object) -> None:
        """FO-O1."""
        with pytest.raises(ValidationError):
            FortuneOptions.model_validate({"target": target})


def test_every_kind_is_in_the_deck() -> None:
    """FO-1."""
    assert {card.kind for card in DECK} == set(CardKind)
