"""Which turn is the newest, of events and of news."""

from bot.rules.game import Event, SeatEvent
from bot.rules.screen import to_news
from bot.rules.story import newest_turn
from tests.support.each_case import each_case


class Rolled(SeatEvent):
    """What turns begin with."""


class Paid(SeatEvent):
    """What any seat does in any turn."""


SHUFFLED = Event()
"""What no seat does."""


@each_case(
    "kind, told, newest",
    [
        (Rolled, [Rolled(0), Paid(1), Rolled(1), Paid(0)], [Rolled(1), Paid(0)]),
        (Rolled, [Rolled(1), Rolled(0), Paid(1), Rolled(0), Paid(0)], [Rolled(0), Paid(1), Rolled(0), Paid(0)]),
        (Rolled, [Rolled(0), SHUFFLED, Rolled(1), SHUFFLED], [Rolled(1), SHUFFLED]),
        (Rolled, [Paid(0), Rolled(1)], [Rolled(1)]),
        (Rolled, [Paid(1), SHUFFLED], [Paid(1), SHUFFLED]),
        (SeatEvent, [Paid(0), Rolled(1), Paid(1)], [Rolled(1), Paid(1)]),
        (SeatEvent, [], []),
    ],
)
def test_the_newest_turn_begins_with_the_first_mark_of_its_seat(
    kind: type[SeatEvent], told: list[Event], newest: list[Event]
) -> None:
    assert newest_turn(told, kind) == newest
    assert newest_turn(to_news(told, ("Ada", "Ben")), kind) == to_news(newest, ("Ada", "Ben"))
