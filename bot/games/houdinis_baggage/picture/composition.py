"""Mr. Houdini's Baggage as a picture: the open cards and their values, what lies before everybody, and the row."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.latest import new_spot
from bot.games.houdinis_baggage.picture.open_cards import table_backdrop, table_marks
from bot.games.houdinis_baggage.picture.row import HEIGHT, row_backdrop, row_marks
from bot.games.houdinis_baggage.picture.seats import panels, seat_backdrop, seat_marks
from bot.games.houdinis_baggage.picture.signs import Possible
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.placement import bank_cards, placements, shifts
from bot.games.houdinis_baggage.reading import described
from bot.rules.game import Event
from bot.rules.picture import WIDTH, Picture, Rect

_TOP = 150


def picture(view: State, news: Sequence[Event]) -> Picture:
    """Make the picture that everybody sees."""
    rooms = panels(view.players, _TOP)
    row = Rect(16, rooms[-1].bottom + 10, WIDTH - 32, HEIGHT)
    can = _possible(view, news)
    seats = (seat_marks(view, seat, news, at, can) for seat, at in enumerate(rooms))
    return Picture(
        size=(WIDTH, row.bottom + 10),
        backdrop=(*table_backdrop(view), *seat_backdrop(view, rooms), *row_backdrop(row)),
        marks=(
            *table_marks(view, news, can.used),
            *chain.from_iterable(seats),
            *row_marks(view, row),
        ),
        description=described(view),
    )


def _possible(view: State, news: Sequence[Event]) -> Possible:
    """Return what can be done with cards and items, and what has just been."""
    nothing = Possible(new=new_spot(news))
    if view.mover is None or view.phase is Phase.CHOOSE:
        return nothing
    if view.phase is Phase.TWIN:
        return replace(nothing, used=frozenset(view.open))
    player, supply = view.players[view.mover], supply_of(view)
    places = placements(view.open, player.tasks, supply)
    spots = frozenset(place.spot for place in places)
    if view.phase is Phase.SEARCH:
        return replace(nothing, then=spots)
    moved = shifts(player.tasks, supply)
    return replace(
        nothing,
        used=frozenset(place.card for place in places),
        added=frozenset(each.card for each in bank_cards(view.open, player.bank)),
        now=spots.union({each.start for each in moved}, {each.end for each in moved}),
    )
