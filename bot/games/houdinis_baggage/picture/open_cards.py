"""The open cards of Mr. Houdini's Baggage with the values that they give, and the baggage they come from."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.cards import Card, Trait, counts_of
from bot.games.houdinis_baggage.events import BankUsed, CardOpened
from bot.games.houdinis_baggage.latest import latest
from bot.games.houdinis_baggage.picture.signs import ART, plain_card, squared, trait_sign
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.ranking import places_of
from bot.rules.components import OUTSIDE, TIGHT, Brackets, can_be_done, just_changed, token
from bot.rules.game import Event
from bot.rules.picture import Align, Box, Ink, Label, Mark, Rect, Sprite
from bot.words import gettext as _

_CASE = Rect(22, 10, 76, 76)
_COUNT = Rect(40, 39, 40, 32)
"""The window of the case."""

_CARDS = Rect(118, 14, 862, 70)
_PLATES = Rect(16, 96, 968, 44)
_HAT = Rect(856, 14, 115, 69)

_RANKING = Rect(30, 12, 948, 126)
_MOST_SEATS = 4

_ROOMY = 14
"""From this gap on there is room for whole frames between the cards."""


def table_marks(view: State, news: Sequence[Event], usable: frozenset[Card]) -> Iterator[Mark]:
    """Yield what lies in the middle of the table: baggage, open cards and values, and at the end the ranking."""
    if view.mover is None:
        yield from _ranking(view)
        return
    yield Sprite(f"{ART}/case", _CASE)
    yield Label(str(sum(view.baggage)), _COUNT, Ink.TEXT, 30, bold=True)
    if view.phase is Phase.SEARCH:
        yield can_be_done(_CASE.inset(2), 12)
    yield from _cards(view, news, usable) if view.open else _no_cards(view)
    yield from _values(view)


def _no_cards(view: State) -> Iterator[Mark]:
    room = Rect(_CARDS.x, _CARDS.y, 640, _CARDS.height)
    yield Label(_("no card is open"), room, Ink.CHALK_FAINT, 34, Align.LEFT)
    if len(view.players) % 2 == 0:
        yield Sprite(f"{ART}/hat", _HAT)


def _cards(view: State, news: Sequence[Event], usable: frozenset[Card]) -> Iterator[Mark]:
    """Yield the open cards: what can be done with them, and which of them is new."""
    pitch = min(90, _CARDS.width // len(view.open))
    side = min(_CARDS.height, pitch - 10)
    outside = OUTSIDE if pitch - side >= _ROOMY else TIGHT
    new = _new_places(view, news)
    for place, card in enumerate(view.open):
        at = squared(Rect(_CARDS.x + pitch * place, _CARDS.y, side, _CARDS.height), side)
        yield from plain_card(card, at)
        if card in usable:
            yield can_be_done(at, at.width // 7, outside)
        if place in new:
            yield from just_changed(at, Brackets.USUAL if outside == OUTSIDE else Brackets.TIGHT)


def _new_places(view: State, news: Sequence[Event]) -> frozenset[int]:
    """Return the places of the card that was just opened or added; a twin has its double beside it."""
    match latest(news):
        case (CardOpened(card=card) | BankUsed(card=card),):
            return frozenset(place for place, each in enumerate(view.open) if each == card)
        case _:
            return frozenset()


def _ranking(view: State) -> Iterator[Mark]:
    """Yield everybody by their places, with a crown for whoever has won."""
    places = places_of(view.players)
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    for seat, room in zip(order, _RANKING.columns(_MOST_SEATS), strict=False):
        above, below = room.rows(2, 6)
        if places[seat] == 1:
            yield Sprite("crown", Rect(above.x, above.y, 80, 60))
        else:
            yield Label(f"{places[seat]}.", Rect(above.x, above.y, 90, above.height), Ink.CHALK_FAINT, 40)
        yield from token(seat, Rect(below.x + 6, below.y, below.height, below.height))
        score = Rect(below.x + 96, below.y, below.width - 96, below.height)
        yield Label(str(view.players[seat].score), score, Ink.CHALK, 52, Align.LEFT, bold=True)
    if len(order) % 2 == 0 and len(order) < _MOST_SEATS:
        yield Sprite(f"{ART}/hat", Rect(744, 20, 190, 114))


def table_backdrop(view: State) -> Iterator[Mark]:
    """Yield the plates of the eight values, as long as anything can have one."""
    if view.mover is None:
        return
    for trait, at in zip(Trait, _plates(), strict=True):
        yield Box(at, Ink.PAPER_SHADE, radius=10)
        yield trait_sign(trait, Rect(at.x + 10, at.y + 4, 36, 36))


def _values(view: State) -> Iterator[Mark]:
    """Yield the values; what is open at all stands on white."""
    for count, at in zip(counts_of(view.open), _plates(), strict=True):
        room = Rect(at.right - 58, at.y + 4, 54, at.height - 8)
        if count:
            yield Box(room, Ink.WHITE, radius=8)
        yield Label(str(count), room, Ink.TEXT if count else Ink.TEXT_FAINT, 36, bold=bool(count))


def _plates() -> tuple[Rect, ...]:
    return _PLATES.columns(len(Trait), 8)
