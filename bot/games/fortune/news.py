"""Fortune's events as text."""

from collections.abc import Sequence

from bot.games.fortune.events import LineCrossed, LineLost, Rolled, Sailed, TurnEnded
from bot.games.fortune.guide import card_name, format_dice
from bot.games.fortune.pieces import Ending, State, Turn
from bot.games.fortune.recent_events import score_change_of
from bot.games.fortune.scoring import score_of
from bot.games.fortune.stakes import format_signed
from bot.rules.game import Event, Seat
from bot.rules.screen import News
from bot.rules.story import Highlight, Narration, heaviest
from bot.words import format_number, gettext as _, ngettext

_BIG_TURN, _HUGE_TURN = 1000, 2000
"""About one turn in ten, and one in fifty, brings as many points."""


def tell(view: State, event: Event, names: Sequence[str]) -> str:
    """Tell an event in one line."""
    match event:
        case Rolled():
            return rolled_line(event, names[event.seat])
        case Sailed():
            return _("🏝️ **{name}** sailed to the Island of Skulls.").format(name=names[event.seat])
        case TurnEnded():
            return turn_ended_line(event, names[event.seat])
        case LineCrossed():
            line = _("🏁 **{name}** passed {target}.")
            return line.format(name=names[event.seat], target=format_number(view.options.target))
        case LineLost():
            line = _("🏁 Nobody was above {target} any more, so play went on.")
            return line.format(target=format_number(view.options.target))
        case _:
            return ""


def summarize_turn(_view: State, news: Sequence[News]) -> str:
    """Tell a turn in one line: how it ended, or else its newest roll."""
    for event, names in reversed(news):
        match event:
            case TurnEnded():
                return turn_ended_line(event, names[event.seat], is_short=True)
            case Rolled():
                return rolled_line(event, names[event.seat])
            case _:
                continue
    return ""


def turn_ended_line(event: TurnEnded, name: str, *, is_short: bool = False) -> str:
    """Tell how a turn ended; a short line counts the rolls and leaves out the dice, which the picture shows."""
    how = _end_of_short_turn(event) if is_short else _("with {dice}").format(dice=format_dice(event.turn.faces))
    card = card_name(event.turn.card)
    if event.ending is Ending.ISLAND:
        line = _("🏝️ **{name}** left the Island ({card}) {how}, {skulls} skulls: everyone else lost **{toll}**.")
        if is_short:
            line = _("🏝️ **{name}** left the Island ({card}) with {skulls} skulls: everyone else lost **{toll}**.")
        toll = format_number(event.toll)
        return line.format(name=name, how=how, card=card, skulls=event.turn.skulls, toll=toll)
    if event.ending is Ending.STOPPED:
        line = _("✋ **{name}** stopped {how} ({card}): **{points}**.")
    elif event.turn.chest:
        line = _("💀 **{name}** bust {how} ({card}), but the chest saved **{points}**.")
    elif event.points:
        line = _("💀 **{name}** bust {how} ({card}) and lost the battle: **{points}**.")
    elif lost := _lost_points(event.turn):
        line = _("💀 **{name}** bust {how} ({card}) and lost **{lost}**.")
        return line.format(name=name, how=how, card=card, lost=format_number(lost))
    else:
        line = _("💀 **{name}** bust {how} ({card}): no points.")
    return line.format(name=name, how=how, card=card, points=format_signed(event.points))


def _end_of_short_turn(event: TurnEnded) -> str:
    """Return at which roll a turn ended."""
    rolls = event.turn.rolls
    if event.ending is Ending.STOPPED:
        return ngettext("after one roll", "after {rolls} rolls", rolls).format(rolls=rolls)
    return _("on roll {rolls}").format(rolls=rolls)


def _lost_points(turn: Turn) -> int:
    """Return what the dice would have brought without the skulls."""
    return max(0, score_of(turn.card, turn.faces).total)


def rolled_line(event: Rolled, name: str) -> str:
    """Tell a roll."""
    landed = format_dice(tuple(event.faces[place - 1] for place in event.dice))
    if event.revived is not None:
        return _("🔮 The Sorceress freed a skull, and **{name}** rolled {landed}.").format(name=name, landed=landed)
    return _("🎲 **{name}** rolled {landed}.").format(name=name, landed=landed)


def _highlight(_view: State, events: Sequence[Event]) -> Highlight | None:
    return heaviest(map(_event_highlight, events))


def _event_highlight(event: Event) -> Highlight | None:
    match event:
        case LineCrossed():
            return Highlight(_("Last round!"), "", 3)
        case Sailed():
            return Highlight(_("Island of Skulls"), "", 2)
        case TurnEnded():
            return _turn_highlight(event)
        case _:
            return None


def _turn_highlight(event: TurnEnded) -> Highlight | None:
    """Return what makes a turn's end worth noticing."""
    if event.ending is Ending.ISLAND:
        return Highlight(_("Everyone else"), f"−{format_number(event.toll)}", 3) if event.toll else None
    if event.ending is Ending.DISQUALIFIED and event.points <= 0:
        lost = _lost_points(event.turn) - event.points
        number = f"−{format_number(lost)}" if lost else ""
        return Highlight(_("Bust!"), number, 3 if lost >= _BIG_TURN else 2, is_good=False)
    if event.points >= _BIG_TURN:
        word = _("Big turn!") if event.points < _HUGE_TURN else _("Huge turn!")
        return Highlight(word, format_signed(event.points), 2 if event.points < _HUGE_TURN else 3)
    return None


def _change_of(seat: Seat, events: Sequence[Event]) -> str:
    """Sum up what a seat lost to others' Islands. Rule FO-9."""
    others = [event for event in events if not (isinstance(event, TurnEnded) and event.seat == seat)]
    change = score_change_of(seat, others)
    return format_signed(change) if change else ""


NARRATION = Narration(tell, summarize_turn, _highlight, _change_of)
