"""The events of Mr. Houdini's Baggage as text, and what is worth noticing."""

from collections.abc import Sequence
from typing import Any

from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageMoved,
    BankUsed,
    CardKept,
    CardOpened,
    CardPlaced,
    GameEvent,
    LastRound,
    State,
    TurnPlayed,
)
from bot.games.houdinis_baggage.words import (
    LAST_ROUND_MESSAGES,
    card_symbols,
    format_card,
    format_uses,
    spot_name,
)
from bot.rules.game import Seat
from bot.rules.screen import News, events_of
from bot.rules.story import Highlight, Narration, heaviest, newest_turn
from bot.words import (
    format_points,
    format_signed,
    gettext as _,
    join_items,
    list_facts,
    ngettext,
    pgettext,
    with_label,
    with_note,
)

SHOWN_MOVES = 36
"""A turn rarely has more moves."""

_BIG_GAIN, _HUGE_GAIN = 5, 8
"""About one turn in fifteen, and one in a hundred, brings as many points."""


def news_lines(view: State, news: Sequence[News[GameEvent]]) -> list[str]:
    """Return the lines of the newest turn; an opened card is shown only while it is the newest event."""
    turn = newest_turn(news)
    lines = [tell(view, *each) for each in turn[:-1] if not _is_plain_opening(each.event)]
    return list(filter(None, (*lines, *(tell(view, *each) for each in turn[-1:]))))


def _is_plain_opening(event: GameEvent) -> bool:
    return isinstance(event, CardOpened) and not event.is_reshuffled


def tell(view: State, event: GameEvent, names: Sequence[str]) -> str:
    """Tell an event in one line."""
    match event:
        case LastRound(seat, reason):
            return _(LAST_ROUND_MESSAGES[reason]).format(name=names[seat], score=view.players[seat].score)
        case _:
            return _action_text(view, event, _format_seat(event.seat, names))


def summarize_turn(_view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell what was done in the newest turn, next to a picture that shows the cards and what was taken."""
    newest = newest_turn(news)
    turn = [event for event, _ in newest]
    has_placed = any(isinstance(event, CardPlaced) for event in turn)
    told = [event for event in turn if not (has_placed and isinstance(event, TurnPlayed) and not event.completed)]
    kinds = dict.fromkeys(map(type, told))
    steps = {kind: _step_text(kind, [event for event in turn if isinstance(event, kind)]) for kind in kinds}
    parts = {kind: step for kind, step in steps.items() if step}
    if len(parts) > 1:
        # What was done with the cards says more, and leaves the picture its room.
        parts.pop(CardOpened, None)
    if not parts:
        return ""
    event, names = newest[0]
    return _("{who}: {brief}.").format(who=_format_seat(event.seat, names), brief=list_facts(parts.values()))


def _step_text(kind: type[GameEvent], steps: Sequence[Any]) -> str:
    """Tell all that was done in one way; an empty text leaves it out."""
    count, text = len(steps), ""
    if issubclass(kind, CardOpened):
        text = ngettext("opened {count} card", "opened {count} cards", count)
    elif issubclass(kind, CardKept):
        text = _kept_text(steps[0], card_symbols(steps[0].card))
    elif issubclass(kind, BankUsed):
        text = ngettext("added {count} card from the bank", "added {count} cards from the bank", count)
    elif issubclass(kind, CardPlaced):
        text = ngettext("placed {count} card", "placed {count} cards", count)
    elif issubclass(kind, BaggageMoved):
        text = ngettext("moved {count} card", "moved {count} cards", count)
    elif issubclass(kind, TurnPlayed):
        nothing = _("placed nothing") if steps[-1].discarded else ""
        text = _completed_text(steps[-1]) if steps[-1].completed else nothing
    return text.format(count=count)


def _completed_text(event: TurnPlayed) -> str:
    """Tell completed assignments with the sum of their points."""
    numbers = join_items([f"#{each.number}" for each in event.completed])
    return _("completed {numbers} (**+{points}**)").format(numbers=numbers, points=event.points)


def _tell_briefly(_view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell what a turn brought: a twin, or how many cards were placed, and the points."""
    events = events_of(news)
    opened, placed = (sum(isinstance(event, kind) for event in events) for kind in (CardOpened, CardPlaced))
    points = sum(event.points for event in events if isinstance(event, TurnPlayed))
    if any(isinstance(event, CardKept) for event in events):
        return _("opened a twin")
    if placed:
        what = ngettext("placed one card", "placed {count} cards", placed).format(count=placed)
    elif any(isinstance(event, BaggageMoved) for event in events):
        what = _("moved baggage")
    elif points:
        what = _("completed an assignment")
    elif any(isinstance(event, TurnPlayed) for event in events):
        what = _("placed nothing")
    else:
        what = ngettext("opened one card", "opened {count} cards", opened).format(count=opened) if opened else ""
    return list_facts((what, format_signed(points) if points else ""))


def _tell_change(_view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell a turn that brought no points in a word or two; points alone say the rest."""
    events = events_of(news)
    if any(isinstance(event, TurnPlayed) and event.points for event in events):
        return ""
    if any(isinstance(event, CardKept) for event in events):
        return _("a twin")
    placed = sum(isinstance(event, CardPlaced) for event in events)
    if not placed:
        return pgettext("brought by a turn", "nothing")
    return ngettext("one card", "{count} cards", placed).format(count=placed)


def _action_text(view: State, event: GameEvent, who: str) -> str:
    """Return what a seat did."""
    text = ""
    match event:
        case CardOpened(is_reshuffled=True):
            line = _("{who} shuffled the discards into a new deck and opened {card}")
            text = line.format(who=who, card=format_card(event.card))
        case CardOpened(card=card):
            text = _("{who} opened {card}").format(who=who, card=format_card(card))
        case CardKept():
            text = with_label(who, _kept_text(event, format_card(event.card)))
        case CardPlaced(card=card, spot=spot, uses=uses):
            line = _("{who} placed {card} on {item} with {bonuses}") if uses else _("{who} placed {card} on {item}")
            names = {"card": format_card(card), "item": spot_name(view, spot), "bonuses": format_uses(view, uses)}
            text = line.format(who=who, **names)
        case BankUsed(card=card):
            text = _("{who} added {card} from the bank").format(who=who, card=format_card(card))
        case BaggageMoved(card=card, start=start, end=end):
            line = _("{who} moved {card} from {start} to {end}")
            places = {"start": spot_name(view, start), "end": spot_name(view, end)}
            text = line.format(who=who, card=format_card(card), **places)
        case AssignmentTaken(assignment=assignment):
            line = _("{who} took #{number} ({points})")
            text = line.format(who=who, number=assignment.number, points=format_points(assignment.points))
        case TurnPlayed():
            text = _turn_played_text(event, who)
        case _:
            pass
    return text


def _kept_text(event: CardKept, card: str) -> str:
    """Tell which card of a twin was kept, and what was lost."""
    if event.lost == (event.card,):
        return _("opened a twin, kept one {card}, lost the other").format(card=card)
    return _("opened a twin, kept {card}, lost {lost}").format(card=card, lost=" ".join(map(card_symbols, event.lost)))


def _turn_played_text(event: TurnPlayed, who: str) -> str:
    if event.completed:
        completed = join_items([with_note(f"#{each.number}", format_points(each.points)) for each in event.completed])
        return _("{who} completed {assignments}").format(who=who, assignments=completed)
    discarded = " ".join(map(card_symbols, event.discarded))
    return _("{who} discarded {lost}").format(who=who, lost=discarded) if discarded else ""


def _format_seat(seat: Seat, names: Sequence[str]) -> str:
    return f"**{names[seat]}**"


def _highlight(view: State, move: Sequence[GameEvent]) -> Highlight | None:
    return heaviest(_event_highlight(view, event) for event in move)


def _event_highlight(view: State, event: GameEvent) -> Highlight | None:
    """Return what makes an event of a move worth noticing."""
    match event:
        case LastRound():
            best = max(player.score for player in view.players)
            return Highlight(_("Last round!"), _("beat {score}").format(score=best), 3)
        case CardKept(lost=lost):
            line = ngettext("−{count} card", "−{count} cards", len(lost))
            return Highlight(_("Twin!"), line.format(count=len(lost)), 2, is_good=False)
        case TurnPlayed() if event.points >= _BIG_GAIN:
            weight = 2 if event.points < _HUGE_GAIN else 3
            return Highlight(_("Completed!"), f"+{event.points}", weight)
        case _:
            return None


NARRATION = Narration(tell, summarize_turn, _tell_briefly, _highlight, brief_change=_tell_change)
