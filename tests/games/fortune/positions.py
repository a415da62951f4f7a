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
from bot.games.fortune.scoring import score_of
from bot.games.fortune.screen import STOP_TOKEN
from bot.rules.chance import ScriptedChance
from bot.tools.contract.audits import audit
from tests.support.games import load_games_once
from tests.support.named_positions import NamedPosition

PACKAGE = load_games_once()["fortune"]
GAME = PACKAGE.game
assert isinstance(GAME, Fortune)

USUAL = FortuneOptions(target=8000)
NINE_WINS = FortuneOptions(target=8000, nine_wins=True)

_START = GAME.start(USUAL, 2, ScriptedChance([0, 0]))
DECK: tuple[Card, ...] = (_START.turn.card, *_START.unseen)
"""All 35 cards, those that are alike side by side."""

CARDS: dict[str, Card] = {str(card): card for card in DECK}
"""One of each."""


def dice(letters: str) -> Faces:
    """Read dice: `GGMPSKDD`, with spaces for the reader."""
    return tuple(FACES[FACE_LETTERS.index(letter)] for letter in letters if letter != " ")


def worth(card: str, letters: str) -> int:
    """Return what dice bring who stops with them, which `test_scoring.py` proves."""
    return score_of(CARDS[card], dice(letters)).total


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
    assert audit(GAME, after) == ()
    return after, events


def play_moves(state: State, *moves: tuple[str, str], then: str | None = None) -> State:
    """Make moves of one turn, the last of which ends it if a card is named."""
    *earlier, (move, rolled) = moves
    for text, faces in earlier:
        state, _ = play(state, text, faces)
    return play(state, move, rolled, then)[0]


ALL = "roll 1 2 3 4 5 6 7 8"


def _after(state: State, *moves: str, then: str | None = None) -> NamedPosition:
    """Return a position after moves of one turn, such as `roll 7 8: KG`."""
    told: list[GameEvent] = []
    for number, move in enumerate(moves, 1):
        text, _, rolled = move.partition(": ")
        state, events = play(state, text, rolled, then if number == len(moves) else None)
        told += events
    return NamedPosition(state, tuple(told), len(state.scores), parts="screen reading picture news")


def _lying(state: State, *picked: int) -> NamedPosition:
    """Return a position, or only its screen with picked dice."""
    parts = "screen" if picked else "screen reading picture tips"
    return NamedPosition(state, seats=len(state.scores), draft=frozenset(picked), parts=parts)


def make_positions() -> dict[str, NamedPosition]:
    """Return positions whose texts no showcase has."""
    return {
        **{f"card {card}": _lying(at(card)) for card in CARDS},
        **{
            f"{card} {faces}": _lying(at(card, faces))
            for card, faces in (
                ("gold", "GGMMPPSD"),
                ("captain", "GGGMPSKK"),
                ("monkey-business", "MMPGGDDD"),
                ("sea-battle-2-300", "MMMMGGSS"),
                ("sea-battle-4-1000", "MMMMGGSS"),
                ("truce", "SSMMMMGG"),
                ("diamond", "DDDDDDDD"),
                ("captain", "MMPPSSKK"),
                ("treasure-chest", "GMMPPSSD"),
                ("sorceress", "KGMMPPSK"),
                ("sorceress", "KKKGGGGD"),
                ("storm", "GGMMPPSD"),
                ("skulls-1", "KGMMPPSD"),
            )
        },
        "dice in the chest": _lying(at("treasure-chest", "KGGGDMPS", rolls=2, chest="234")),
        "a used spell": _lying(at("sorceress", "KGMMPPSK", spell=False)),
        "a storm after both rolls": _lying(at("storm", "GGMMPPSD", rolls=2)),
        "two dice picked": _lying(at("gold", "KGMMPPSK"), 2, 3),
        "one kind picked": _lying(at("gold", "KGMMPPSK"), 3, 4),
        "five kinds picked": _lying(at("gold", "GGMMPPSD"), 1, 2, 3, 4, 5, 6, 7, 8),
        "dice picked for the chest": _lying(at("treasure-chest", "KGGGDMPS"), 2, 3, 4, 5),
        "dice picked beside the Sorceress": _lying(at("sorceress", "GKMMPPSD"), 1, 8),
        "the last round": _lying(at("gold", "GGMMPPSD", scores="0/8100/0", crosser=1)),
        "the last round before a roll": _lying(at("gold", scores="0/8100/0", crosser=1)),
        "stopping too early": _lying(at("gold", "GGMMPPSD", scores="0/8100/0", crosser=1), STOP_TOKEN),
        "stopping before a battle is won": _lying(at("sea-battle-3-500", "SPPMMKKM"), STOP_TOKEN),
        "options": _lying(at("gold", options=FortuneOptions(target=3000, nine_wins=True))),
        "the last card of the pile": _lying(at("gold")._replace(unseen=(CARDS["storm"],))),
        "first roll": _after(at("gold"), f"{ALL}: GGMMPPSD"),
        "kept dice": _after(at("gold", "GGKMPPSD"), "roll 4 5 6: KSS"),
        "a freed skull": _after(at("sorceress", "KGMMPPSD"), "sorceress 1: G"),
        "to the Island": _after(at("sorceress"), f"{ALL}: KKKKMPGD"),
        "off the Island": _after(at("captain", "KKKKMPGD", scores="0/300", island=True), "stop", then="storm"),
        "stopped": _after(
            at("captain"), f"{ALL}: GGGMPSKK", "roll 4 5: MM", "roll 4 5: SS", "stop", then="monkey-business"
        ),
        "stopped for nothing": _after(at("gold", "MMPPSSKK"), "roll 1 2: MM", "stop", then="gold"),
        "stopped with swords": _after(at("truce", "SSSMMPPK"), "stop", then="gold"),
        "bust with points": _after(at("gold", "KKMMMPSD"), "roll 7 8: KG", then="gold"),
        "bust without points": _after(at("captain", "KKMMPPSS"), "roll 7 8: KM", then="gold"),
        "bust on the first roll": _after(at("captain"), f"{ALL}: KKKMMPPS", then="gold"),
        "bust in a battle": _after(at("sea-battle-3-500", "KKSSSSGG"), "roll 7 8: KG", then="gold"),
        "bust with a chest": _after(
            at("treasure-chest", "KGGGDMPS"), "roll 6 7 8 chest 2 3 4 5: KKG", then="monkey-business"
        ),
        "bust with a chest worth nothing": _after(
            at("treasure-chest", "KGGGDMPS"), "roll 7 8 chest 6: KK", then="monkey-business"
        ),
        "bust after the spell": _after(at("sorceress", "KKKMMMGG"), "sorceress 1: G", "roll 1 7 8: KGG", then="gold"),
        "bust after the spell and a new roll of all eight": _after(
            at("sorceress"),
            f"{ALL}: KGMMPPSD",
            "sorceress 1: G",
            f"{ALL}: KKMMPPSD",
            "roll 7 8: KG",
            then="gold",
        ),
        "bust after a spell on all eight": _after(
            at("sorceress"), f"{ALL}: KGMMPPSD", "sorceress 1 with 2 3 4 5 6 7 8: KKMMPPSD", "roll 7 8: KG", then="gold"
        ),
        "past the line": _after(at("captain", "GMMPPSSK", scores="7900/0/0"), "stop", then="gold"),
        "back below the line": _after(
            at("gold", "KKKKMPGD", scores="100/8100", crosser=1, island=True), "stop", then="storm"
        ),
        "won": _after(at("captain", "GGGGMMPK", scores="7000/8100/-300", crosser=1), "stop"),
        "a shared win": _after(at("captain", "MMPPSSKK", scores="8100/8100", mover=1, crosser=0), "stop"),
        "nine of a kind": _after(at("gold", scores="0/7000", options=NINE_WINS), f"{ALL}: GGGGGGGG"),
        **{
            name: NamedPosition(state, parts="hint")
            for name, state in {
                "rolling brings more": at("gold", "KGMMPPSD"),
                "stopping brings more": at("captain", "GGGGGGKK"),
                "one die": at("sorceress", "KKKGGGGG"),
                "a third skull": at("sorceress", "KKGMMPPD"),
                "more skulls": at("captain", "KKKKMPGD", island=True),
                "near the line": at("gold", "KKGGGDSM", scores="7900/0"),
                "within reach of the line": at("gold", "KKGGGDSM", scores="7000/0"),
                "behind in the last round": at("gold", "KKGGGDSM", scores="7000/8400", crosser=1),
                "ahead in the last round": at("captain", "GGGGMMPK", scores="7500/8100", crosser=1),
                "nothing to roll": at("storm", "GGMMPPSD", rolls=2),
            }.items()
        },
    }
