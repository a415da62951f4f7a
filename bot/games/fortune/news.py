"""Fortune's events in words, and the highlights among them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.fortune.dice_picture import die_marks
from bot.games.fortune.facts import BIG_TURN, Result, lost_points, result_of, score_change_of
from bot.games.fortune.pieces import (
    DICE_COUNT,
    Ending,
    Face,
    GameEvent,
    LineCrossed,
    LineLost,
    Rolled,
    Sailed,
    State,
    Turn,
    TurnEnded,
    faces_at,
)
from bot.games.fortune.scoring import points_of
from bot.games.fortune.words import CARD_TEXTS, FACE_TEXTS, describe_face_count, format_dice, word_result
from bot.rules.game import Seat, find_newest
from bot.rules.screen import News, events_of
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration, heaviest
from bot.words import N_, format_number, format_signed, gettext as _, list_facts, ngettext

SHOWN_MOVES = 24
"""Four turns rarely have more moves: what each seat's last turn brought stays in sight."""

_HUGE_TURN = 2000
"""About one turn in fifty brings as many points."""

_LINES = {
    Result.POINTS: N_("✋ **{name}** stopped with {dice} ({card}): **{points}**."),
    Result.TOLL: N_("🏝️ **{name}** left the Island ({card}) with {dice}, 💀 × {skulls}: everyone else lost **{toll}**."),
    Result.CHEST_SAVED: N_("💀 **{name}** bust with {dice} ({card}), but the chest saved **{points}**."),
    Result.BATTLE_LOST: N_("💀 **{name}** bust with {dice} ({card}) and lost the battle: **{points}**."),
    Result.DICE_LOST: N_("💀 **{name}** bust with {dice} ({card}): **{lost}** gone."),
    Result.NOTHING: N_("💀 **{name}** bust with {dice} ({card}): no points."),
}
"""How a turn ended, with its dice."""

_BRIEFLY = {
    Result.POINTS: "{points}",
    Result.TOLL: N_("Island, others lose {toll}"),
    Result.CHEST_SAVED: N_("bust, the chest saves {saved}"),
    Result.BATTLE_LOST: N_("bust, battle lost, {points}"),
    # Translators: {lost} is always a multiple of 100.
    Result.DICE_LOST: N_("bust! {lost} points slip away"),
    Result.NOTHING: N_("bust, no points"),
}
"""What it brought, in a few words."""


def tell(view: State, event: GameEvent, names: Sequence[str]) -> str:
    """Tell an event in one line."""
    match event:
        case Rolled():
            line = _("🎲 **{name}** rolled {landed}.")
            if event.revived is not None:
                line = _("🔮 The Sorceress freed a skull, and **{name}** rolled {landed}.")
            return line.format(name=names[event.seat], landed=format_dice(faces_at(event.faces, event.dice)))
        case Sailed():
            return _("🏝️ **{name}** sailed to the Island of Skulls.").format(name=names[event.seat])
        case TurnEnded():
            return word_result(event, names[event.seat], _LINES)
        case LineCrossed():
            line = _("🏁 **{name}** passed {target}.")
            return line.format(name=names[event.seat], target=format_number(view.options.target))
        case LineLost():
            line = _("🏁 No one was above {target} any more, so play went on.")
            return line.format(target=format_number(view.options.target))
        case _:
            return ""


def summarize_turn(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell the newest turn that has ended: its card, its rolls, and what it brought; or else its newest roll."""
    turn = _newest_ended_turn(news)
    for event, names in reversed(turn):
        match event:
            case TurnEnded():
                steps = [
                    _(CARD_TEXTS[event.turn.card.kind].name),
                    *_word_rerolls([each.event for each in turn]),
                    _word_briefly(event),
                ]
                icon = {Ending.STOPPED: "✋", Ending.DISQUALIFIED: "💀", Ending.ISLAND: "🏝️"}[event.ending]
                line = _("{who}: {brief}.")
                return line.format(who=f"{icon} **{names[event.seat]}**", brief=list_facts(steps))
            case Rolled():
                return tell(view, event, names)
            case _:
                continue
    return ""


def _newest_ended_turn(news: Sequence[News[GameEvent]]) -> Sequence[News[GameEvent]]:
    """Return the news of the newest turn that has ended, or else of the present one, from its first roll on."""
    ends = [at for at, each in enumerate(news, 1) if isinstance(each.event, TurnEnded)]
    return news[ends[-2] if len(ends) > 1 else 0 : ends[-1] if ends else len(news)]


def _word_rerolls(turn: Sequence[GameEvent]) -> Iterator[str]:
    """Yield how often dice were rolled again, and that the Sorceress freed a skull."""
    rolls = [event for event in turn if isinstance(event, Rolled)]
    count = len(rolls) - any(len(roll.dice) == DICE_COUNT and roll.revived is None for roll in rolls[:1])
    if count:
        yield ngettext("{count} re-roll", "{count} re-rolls", count).format(count=count)
    if any(roll.revived is not None for roll in rolls):
        yield _("a skull freed")


def _tell_briefly(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell what a turn brought or cost, or else its newest roll."""
    for event in reversed(events_of(news)):
        match event:
            case TurnEnded(ending=Ending.STOPPED):
                return list_facts((_(CARD_TEXTS[event.turn.card.kind].name), _word_briefly(event)))
            case TurnEnded():
                return _word_briefly(event)
            case Sailed():
                line = ngettext("{count} skull, to the Island", "{count} skulls, to the Island", event.skulls)
                return line.format(count=event.skulls)
            case Rolled():
                return _tell_roll(view, event)
            case _:
                continue
    return ""


def _tell_change(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell what the Island took from the others, or that the turn was a bust, which its points alone do not say.

    Of a turn that goes on, tell the skulls alone.
    """
    ended, rolled = find_newest(TurnEnded, events_of(news)), find_newest(Rolled, events_of(news))
    if ended is None:
        return _count_skulls(view, rolled) if rolled is not None else ""
    match result_of(ended):
        case Result.TOLL, _amount:
            return _("Island, −{points} each").format(points=format_number(ended.toll))
        case Result.POINTS, amount:
            return "" if amount else _("no points")
        case _:
            # Translators: as short as "no points", because it stands after a name where there is little room.
            return list_facts((_("bust"), format_signed(ended.points) if ended.points else ""))


def _word_briefly(end: TurnEnded) -> str:
    """Return what a turn brought or cost."""
    return word_result(end, "", _BRIEFLY) if result_of(end) != (Result.POINTS, 0) else _("no points")


def _tell_roll(view: State, roll: Rolled) -> str:
    """Tell how many skulls lie there after the newest roll, and what the dice are worth."""
    turn, told = view.turn, _count_skulls(view, roll)
    if turn.faces != roll.faces or turn.island:
        return told
    if turn.is_in_doubt:
        return _("a third skull, {points} at stake").format(points=format_number(points_of(turn, Ending.STOPPED)))
    return _("{skulls}, {points} so far").format(skulls=told, points=format_number(points_of(turn, Ending.STOPPED)))


def _count_skulls(view: State, roll: Rolled) -> str:
    is_newest = view.turn.faces == roll.faces
    skulls = view.turn.skulls if is_newest else faces_at(roll.faces, roll.dice).count(Face.SKULL)
    return (
        ngettext("one skull", "{count} skulls", skulls).format(count=format_number(skulls)) if skulls else _("no skull")
    )


def _highlight(view: State, events: Sequence[GameEvent]) -> Highlight | None:
    return heaviest(_event_highlight(view, event, find_newest(TurnEnded, events)) for event in events)


def _event_highlight(view: State, event: GameEvent, ended: TurnEnded | None) -> Highlight | None:
    """Return the highlight of an event; a crossed line shows dice of the turn that crossed it."""
    match event:
        case LineCrossed():
            score = format_number(max(view.scores))
            dice = _largest_set(ended.turn) if ended else ()
            return Highlight(_("Last round!"), _("beat {score}").format(score=score), 3, pieces=dice)
        case Sailed():
            skulls = describe_face_count(Face.SKULL, event.skulls)
            return Highlight(_("To the Island!"), skulls, 2, pieces=_equal_dice(Face.SKULL, event.skulls))
        case TurnEnded():
            return _turn_highlight(event)
        case _:
            return None


def _turn_highlight(event: TurnEnded) -> Highlight | None:
    """Return the highlight of the end of a turn."""
    skulls = _equal_dice(Face.SKULL, event.turn.faces.count(Face.SKULL))
    result, amount = result_of(event)
    match result:
        case Result.TOLL:
            return Highlight(_("Everyone else"), f"−{format_number(amount)}", 3, pieces=skulls) if amount else None
        case Result.POINTS | Result.CHEST_SAVED:
            if amount < BIG_TURN:
                return None
            word, weight = (_("Big turn!"), 2) if amount < _HUGE_TURN else (_("Huge turn!"), 3)
            return Highlight(word, format_signed(amount), weight, pieces=_largest_set(event.turn))
        case Result.DICE_LOST:
            # A minus is for what is taken from the score.
            number = _("{lost} gone").format(lost=format_number(amount))
        case Result.BATTLE_LOST:
            number = format_signed(amount)
        case _:
            number = "+0"
    weight = 3 if lost_points(event.turn) - event.points >= BIG_TURN else 2
    return Highlight(_("Bust!"), number, weight, is_good=False, pieces=skulls)


def _largest_set(turn: Turn) -> tuple[HighlightPiece, ...]:
    """Return the dice of the most common face but the skull."""
    counts = Counter(face for face in turn.faces if face is not Face.SKULL)
    return _equal_dice(*counts.most_common(1)[0]) if counts else ()


def _equal_dice(face: Face, count: int) -> tuple[HighlightPiece, ...]:
    return (HighlightPiece(_(FACE_TEXTS[face].name), die_marks(face, PIECE_AREA)),) * count


def _change_of(_view: State, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Sum up what a seat lost to others' Islands. Rule FO-9."""
    others = [event for event in events if not (isinstance(event, TurnEnded) and event.seat == seat)]
    change = score_change_of(seat, others)
    return f"**{format_signed(change)}**" if change else ""


NARRATION = Narration(tell, summarize_turn, _tell_briefly, _highlight, brief_change=_tell_change, change_of=_change_of)
