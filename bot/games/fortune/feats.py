"""The closest and the costliest busts of Fortune."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.events import GameEvent, Rolled, TurnEnded
from bot.games.fortune.narration import lost_points
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import Ending, State
from bot.rules.feats import Feat, FeatKind
from bot.words import format_number, gettext as _

_COSTLY = 500


def find_feats(before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Feat]:
    """Yield a roll that did not bust, by its odds, and a bust that cost much."""
    end = next((event for event in events if isinstance(event, TurnEnded)), None)
    is_bust = end is not None and end.ending is Ending.DISQUALIFIED
    for event in events:
        if isinstance(event, Rolled) and not before.turn.island and not is_bust:
            odds = odds_of(before.turn, len(event.dice), revives=event.revived is not None)
            yield Feat(FeatKind.ESCAPE, event.seat, odds.bust)
    if end is not None and is_bust and (lost := lost_points(end.turn) - end.points) >= _COSTLY:
        yield Feat(FeatKind.BUST, end.seat, lost, _("{points} lost").format(points=format_number(lost)))
