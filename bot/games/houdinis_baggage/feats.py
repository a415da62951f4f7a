"""The closest and the costliest twins of Mr. Houdini's Baggage."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.controls import TwinOdds
from bot.games.houdinis_baggage.events import CardKept, CardOpened, GameEvent
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.rules.feats import Feat, FeatKind
from bot.words import ngettext

_COSTLY = 4


def find_feats(before: State, events: Sequence[GameEvent], after: State) -> Iterator[Feat]:
    """Yield an opened card that was no twin, by the odds, and a twin that cost many cards. Rule HB-4."""
    for event in events:
        match event:
            case CardOpened(seat) if before.open and after.phase is not Phase.TWIN:
                odds = TwinOdds.from_state(before)
                yield Feat(FeatKind.ESCAPE, seat, odds.twins / odds.left)
            case CardKept(seat, lost=lost) if len(lost) >= _COSTLY:
                what = ngettext("{count} card lost", "{count} cards lost", len(lost)).format(count=len(lost))
                yield Feat(FeatKind.BUST, seat, len(lost), what)
            case _:
                pass
