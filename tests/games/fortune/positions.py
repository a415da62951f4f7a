"""Fortune's positions and turns in its own notation, for tables of cases."""

from bot.games.fortune.pieces import (
    ALL_PLACES,
    FACE_LETTERS,
    FACES,
    Card,
    Faces,
    FortuneOptions,
    GameEvent,
    Places,
    State,
    Turn,
)
from bot.games.fortune.rules import Fortune
from bot.rules.chance import ScriptedChance
from tests.support.games import load_games_once

PACKAGE = load_games_once()["fortune"]
GAME = PACKAGE.game
assert isinstance(GAME, Fortune)

USUAL = FortuneOptions()
NINE_WINS = FortuneOptions(nine_wins=True)

_START = GAME.start(USUAL, 2, ScriptedChance([0, 0]))
DECK: tuple[Card, ...] = (_START.turn.card, *_START.unseen)
"""All 35 cards, those that are alike side by side."""

CARDS: dict[str, Card] = {str(card): card for card in DECK}
"""One of each."""


def dice(letters: str) -> Faces:
    """Read dice: `GGMPSKDD`, with spaces for the reader."""
    return tuple(FACES[FACE_LETTERS.index(letter)] for letter in letters if letter != " ")


def places(digits: str) -> Places:
    """Read places: `135`."""
    return tuple(map(int, digits))


def at(
    card: str,
    faces: str = "",
    *,
    rolls: int = 1,
    scores: str = "0/0",
    mover: int = 0,
    crosser: int | None = None,
    chest: str = "",
    spell: bool | None = None,
    island: bool = False,
    returned: str = "",
    options: FortuneOptions = USUAL,
) -> State:
    """Set up a position; a Sorceress can be asked unless it says otherwise, and cards not named are unseen."""
    lying = dice(faces)
    below = tuple(CARDS[name] for name in returned.split())
    unseen = list(DECK)
    for gone in (CARDS[card], *below):
        unseen.remove(gone)
    free = tuple(place for place, face in enumerate(lying, 1) if face) if lying else ALL_PLACES
    has_spell = card == "sorceress" if spell is None else spell
    turn = Turn(CARDS[card], lying, free, rolls if lying else 0, places(chest), has_spell, island)
    totals = tuple(map(int, scores.split("/")))
    return State(options, totals, mover, crosser, turn, tuple(unseen), below)


def script_chance(state: State, rolled: str, then: str | None) -> ScriptedChance:
    """Script dice, and after them the card of the next turn."""
    numbers: list[int] = list(map(int, dice(rolled)))
    if then is not None and state.unseen:
        numbers.append(state.unseen.index(CARDS[then]))
    return ScriptedChance(numbers)


def play(state: State, move: str, rolled: str = "", then: str | None = None) -> tuple[State, tuple[GameEvent, ...]]:
    """Make the move of the seat to move with scripted dice, and the next card if the turn ends; all must be used."""
    assert state.mover is not None
    with script_chance(state, rolled, then) as chance:
        after, events = GAME.play(state, state.mover, GAME.parse_move(move), chance)
    assert GAME.audit(after) == ()
    return after, events


def play_moves(state: State, *moves: tuple[str, str], then: str | None = None) -> State:
    """Make moves of one turn, the last of which ends it if a card is named."""
    *earlier, (move, rolled) = moves
    for text, faces in earlier:
        state, _ = play(state, text, faces)
    return play(state, move, rolled, then)[0]


ALL = "roll 1 2 3 4 5 6 7 8"
