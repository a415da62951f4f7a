"""Change's events as text, and what is worth noticing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.games.change.board import Board, CornerAction, Space, SpaceKind
from bot.games.change.facts import added_points, changes_by_space, changes_in_order, changes_of, latest_drawn_cards
from bot.games.change.pieces import (
    CHALLENGE_TARGET,
    CardPlayed,
    CardsDrawn,
    CardsLost,
    CardsReplaced,
    CardsSeen,
    Challenged,
    Chosen,
    GameEvent,
    Hand,
    Landed,
    MarkerPlaced,
    Moved,
    PublicState,
    Received,
    Released,
    SpaceSkipped,
    TrackRolled,
    View,
)
from bot.games.change.words import card_name, format_dice, roll_off_line, space_name
from bot.rules.game import Seat, find_newest
from bot.rules.screen import News, events_of
from bot.rules.story import MAX_BRIEF_LENGTH, Highlight, Narration, heaviest, newest_turn
from bot.words import (
    N_,
    format_signed,
    forward_arrow,
    gettext as _,
    join_groups,
    join_items,
    list_facts,
    ngettext,
    pgettext,
)

_BIG_RELEASE, _HUGE_RELEASE = 18, 30

_SHOWN_SPACES = 2

SHOWN_MOVES = 18
"""A round rarely has more moves, including those of seats asked at a corner."""

_TOLD_TOGETHER = (Released, CardsReplaced)
"""What seats do one after another at Humility and some corners."""


def _tell(view: View, event: GameEvent, names: Sequence[str]) -> str:
    if isinstance(event, Landed):
        line = _("💳 {space}: {changes}.")
        return line.format(space=name_space(view.public, event.space), changes=format_changes(event, names))
    return event_line(view.public, event, names)


def summarize_turn(view: View, news: Sequence[News[GameEvent]]) -> str:
    """Tell the newest turn: where a seat went, the challenges, the markers, and how the credits changed in all."""
    news = newest_turn(news, TrackRolled)
    told = events_of(news)
    rolls = ((event.seat, names) for event, names in news if isinstance(event, TrackRolled))
    seat, names = next(rolls, (None, ()))
    if seat is None:
        return " ".join(news_lines(view.public, news))
    changes = changes_of(told, len(names))
    line = " ".join([f"🎲 **{names[seat]}**", *_steps(view.public, told, names)])
    others = [other for other in range(len(names)) if other != seat]
    changed = [f"{names[each]} **{format_signed(changes[each])}**" for each in (seat, *others) if changes[each]]
    return line + " " + _("💳 Credits: {changes}").format(changes=list_facts(changed)) if changed else line


def _tell_briefly(view: View, news: Sequence[News[GameEvent]]) -> str:
    """Tell as many facts as fit of what the newest turn did last and how it changed the credits.

    Several changes of the seat's own credits are added up: −30 +15 = −15.
    """
    public, turn = view.public, events_of(newest_turn(news, TrackRolled))
    roll = find_newest(TrackRolled, turn)
    if roll is None:
        return ""
    own = _public_events_of(roll.seat, turn)
    deeds = (_deed(public, own, at) for at in reversed(range(len(own))))
    deed = next(filter(None, deeds))
    place = _last_place(public, own)
    changes = changes_in_order(roll.seat, turn)
    total = format_signed(sum(changes)) if changes else ""
    account = f"{' '.join(map(format_signed, changes))} = {total}" if len(changes) > 1 else total
    others = _change_of_others(public, roll.seat, turn)
    named = (
        ngettext("{changes} credit", "{changes} credits", abs(sum(changes))).format(changes=account) if changes else ""
    )
    short = _("full set") if any(isinstance(event, MarkerPlaced) and event.fills_set for event in own) else deed
    told = (
        (deed, named, others),
        (deed, account, others),
        (deed, account),
        (short, account, others),
        (short, account),
        (deed, total, others),
        (deed, total),
        (place, total),
    )
    return next((text for text in map(list_facts, told) if len(text) <= MAX_BRIEF_LENGTH), deed)


def _public_events_of(seat: Seat, turn: Sequence[GameEvent]) -> list[GameEvent]:
    return [event for event in turn if event.seat == seat and event.audience is None]


def _last_place(public: PublicState, own: Sequence[GameEvent]) -> str:
    """Return the space to which a turn led in the end."""
    *_earlier, place = (each.space for each in own if isinstance(each, TrackRolled | Moved | Landed))
    return name_space(public, place)


def _change_of_others(public: PublicState, seat: Seat, turn: Sequence[GameEvent]) -> str:
    """Return how a seat's turn changed the others' credits: by the same each, or else in all."""
    found = [change for other, change in enumerate(changes_of(turn, len(public.credits))) if other != seat and change]
    if not found:
        return ""
    line = ngettext("rival {change}", "rivals {change}", len(public.credits) - 1)
    if len({*found}) > 1:
        line = _("rivals {change} in all")
    return line.format(change=format_signed(sum(found) if len({*found}) > 1 else found[0]))


def _tell_change(view: View, news: Sequence[News[GameEvent]]) -> str:
    """Tell in one or two numbers how the newest turn changed the credits, or what it did instead."""
    turn = events_of(newest_turn(news, TrackRolled))
    roll = find_newest(TrackRolled, turn)
    if roll is None:
        return ""
    change = sum(changes_in_order(roll.seat, turn))
    others = _change_of_others(view.public, roll.seat, turn)
    told = list_facts((format_signed(change) if change else "", others))
    return told or _short_deed(view.public, _public_events_of(roll.seat, turn))


def _short_deed(public: PublicState, own: Sequence[GameEvent]) -> str:
    """Return in a word or two what a seat did in a turn that changed no credits."""
    if any(isinstance(event, TrackRolled) and event.is_double for event in own):
        return _("doubles")
    if markers := [event for event in own if isinstance(event, MarkerPlaced)]:
        return _("full set") if any(event.fills_set for event in markers) else _("marked")
    if drawn := sum(event.count for event in own if isinstance(event, CardsDrawn)):
        return ngettext("one card", "{count} cards", drawn).format(count=drawn)
    if any(isinstance(event, SpaceSkipped) for event in own):
        return pgettext("brought by a turn", "nothing")
    return _last_place(public, own)


def _deed(public: PublicState, own: Sequence[GameEvent], at: int) -> str:
    """Return in a few words what an event of a seat did in its turn; empty if another event says it."""
    event, before = own[at], own[max(0, at - 2) : at]
    came = (each.space for each in own[: at + 1] if isinstance(each, TrackRolled | Moved | Landed))
    *earlier, space = [name_space(public, each) for each, _same in groupby(came)]
    text = ""
    match event:
        case MarkerPlaced():
            text = _marker_deed(public, event, before)
        case Challenged() if not event.has_succeeded:
            text = _("missed {space}")
        case Landed() if isinstance(before[-1], CardPlayed):
            text = _("card to {space}")
        case SpaceSkipped():
            text = _("{space}, nothing happens")
        case TrackRolled() | Landed() | Moved():
            text = _("{start} to {space}") if earlier else "{space}"
        case CardPlayed(card=card):
            text = _("{card}, still {count} short").format(
                card=card_name(public.board, card), count=_missing_after(public.board, own[: at + 1])
            )
        case CardsReplaced() | CardsLost() | CardsDrawn() | Chosen():
            text = _card_deed(public, event, own, at)
        case _:
            pass
    return text.format(start=earlier[-1] if earlier else "", space=space)


def _marker_deed(public: PublicState, event: MarkerPlaced, before: Sequence[GameEvent]) -> str:
    line, card = _("marked {space}"), ""
    match before:
        case _ if event.fills_set:
            line = _("full set with {space}")
        case [*_others, CardPlayed() as played]:
            line, card = _("{card} marks {space}"), card_name(public.board, played.card)
        case [CardPlayed(), Landed()]:
            line = _("card marks {space}")
        case _:
            pass
    return line.format(card=card, space=name_space(public, event.space))


def _missing_after(board: Board, own: Sequence[GameEvent]) -> int:
    """Return the points that a challenge still lacks after the Add cards that were played. Rule CH-7."""
    *_others, (at, total) = ((at, event.total) for at, event in enumerate(own) if isinstance(event, Challenged))
    return CHALLENGE_TARGET - total - sum(added_points(board, own[at + 1 :]))


def _card_deed(
    public: PublicState, event: CardsReplaced | CardsLost | CardsDrawn | Chosen, own: Sequence[GameEvent], at: int
) -> str:
    """Return in a few words how the number of a seat's message cards changed."""
    before, count = own[at - 1], 0 if isinstance(event, Chosen) else event.count
    *_earlier, roll = (each for each in own if isinstance(each, TrackRolled))
    line = _("{space}, a new card")
    match event:
        case CardsReplaced() if isinstance(before, CardPlayed):
            line = ngettext("replaced a card", "replaced {count} cards", count)
        case CardsLost():
            line = ngettext("{space}, a card lost", "{space}, {count} cards lost", count)
        case Chosen():
            count = sum(each.count for each in own[at:] if isinstance(each, CardsDrawn))
            line = ngettext("gave {space} away, {count} card", "gave {space} away, {count} cards", count)
            line = line if count else _("gave {space} away")
        case CardsDrawn() if not isinstance(before, TrackRolled | Moved):
            return ""  # A corner was given away for them.
        case CardsDrawn() if roll.is_double:
            return _("doubles, a card at Start") if count else _("doubles, back to Start")
        case CardsDrawn(count=0):
            line = "{space}"
        case _:
            pass
    return line.format(space=name_space(public, roll.space), count=count)


def _steps(public: PublicState, turn: Sequence[GameEvent], names: Sequence[str]) -> Iterator[str]:
    """Yield the spaces, challenges and markers of a turn in order, as signs with a word each."""
    where, mover = None, next(event.seat for event in turn if isinstance(event, TrackRolled))
    for at, event in enumerate(turn):
        match event:
            case TrackRolled() | Moved() | Landed() if event.seat == mover and event.space != where:
                where = event.space
                # Doubles say why the roll leads to Start. Rule CH-4.
                is_double = isinstance(event, TrackRolled) and event.is_double
                space = name_space(public, where)
                yield _("→ doubles, back to {space}").format(space=space) if is_double else f"{forward_arrow()} {space}"
            case Challenged():
                points = (event.total, *added_points(public.board, turn[at + 1 :]))
                has_succeeded = sum(points) >= CHALLENGE_TARGET
                line = _("🎯 **{total}** succeeded") if has_succeeded else _("🎯 **{total}** failed")
                yield line.format(total=" + ".join(map(str, points)))
            case MarkerPlaced(seat=seat):
                if seat != mover:
                    line = _("({name} ☑️ {space})")
                    yield line.format(name=names[seat], space=name_space(public, event.space))
                else:
                    yield _("☑️ marked")
            case _:
                pass


def _find_highlight(event: GameEvent) -> Highlight | None:
    match event:
        case MarkerPlaced(fills_set=True):
            return Highlight(_("Set complete!"), "×2", 3)
        case TrackRolled() if event.is_double:
            return Highlight(_("Doubles!"), " + ".join(map(str, event.dice)), 2, is_good=False)
        case Landed():
            return _release_highlight(-event.changes[event.seat])
        case Released():
            return _release_highlight(event.count)
        case _:
            return None


def _release_highlight(released: int) -> Highlight | None:
    """Return a highlight if the seat released many credits at once."""
    if released < _BIG_RELEASE:
        return None
    return Highlight(_("Released!"), f"−{released}", 2 if released < _HUGE_RELEASE else 3)


def _change_of(view: View, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return how the credits of a seat changed, and the spaces that changed them most."""
    changes = changes_by_space(seat, events)
    if not (change := changes.total()):
        return ""
    spaces = [name_space(view.public, space) for space in sorted(changes, key=lambda each: -abs(changes[each]))]
    shown = spaces
    if len(spaces) > _SHOWN_SPACES + 1:
        more = len(spaces) - _SHOWN_SPACES
        shown = [*spaces[:_SHOWN_SPACES], ngettext("{count} more", "{count} more", more).format(count=more)]
    return _("**{change}** at {spaces}").format(change=format_signed(change), spaces=join_items(shown))


NARRATION = Narration(
    tell=_tell,
    summarize=summarize_turn,
    highlight=lambda _view, move: heaviest(map(_find_highlight, move)),
    brief=_tell_briefly,
    brief_change=_tell_change,
    needs_a_look=lambda move: any(isinstance(event, CardPlayed) for event in move),
    change_of=_change_of,
    opening=lambda view: roll_off_line(view.public),
)


def news_lines(public: PublicState, news: Sequence[News[GameEvent]]) -> list[str]:
    """Return the lines of the newest turn in order."""
    return list(_tell_all(public, newest_turn(news, TrackRolled)))


def _tell_all(public: PublicState, news: Iterable[News[GameEvent]]) -> Iterator[str]:
    """Yield the lines of a turn; landing on another space than the one rolled is told as a move.

    What several seats do one after another is told once.
    """
    where: Space | None = None
    for event, names in _merge_alike(news):
        if isinstance(event, Landed) and event.space != where:
            yield _moved_line(public, event, names)
        if isinstance(event, TrackRolled | Moved | Landed):
            where = event.space
        if line := event_line(public, event, names):
            yield line


def _merge_alike(news: Iterable[News[GameEvent]]) -> Iterator[News[GameEvent]]:
    """Yield news, with what seats did alike in a row as one event, whose seat has all of their names."""

    def seatless(each: News[GameEvent]) -> GameEvent | None:
        return replace(each.event, seat=0) if isinstance(each.event, _TOLD_TOGETHER) else None

    for shared, group in groupby(news, seatless):
        alike = list(group)
        if shared is None or len(alike) == 1:
            yield from alike
            continue
        names, seats = alike[0].names, [each.event.seat for each in alike]
        together = join_items([names[seat] for seat in seats])
        yield News(alike[0].event, (*names[: seats[0]], together, *names[seats[0] + 1 :]))


def event_line(public: PublicState, event: GameEvent, names: Sequence[str]) -> str:
    """Return the line of an event, or an empty text."""
    name = names[event.seat]
    match event:
        case TrackRolled():
            line = _("🎲 **{name}** rolled {dice} → **{space}**.")
            if event.is_double:  # Rule CH-4.
                line = _("🎲 Doubles {dice}! **{name}** goes back to {space}.")
            return line.format(name=name, dice=format_dice(event.dice), space=name_space(public, event.space))
        case Challenged():
            dice = " ".join(format_dice(sorted(dice, reverse=True)) for dice in event.rolls)
            line = _("🎯 Challenge {dice}: **{total}**, too low.")
            if event.has_succeeded:
                line = _("🎯 Challenge {dice}: **{total}**, success!")
            return line.format(dice=dice, total=event.total)
        case Released() | Received():
            change = sum(event.dice) if isinstance(event, Received) else -event.count
            changed = _change_text(name, change)
            if event.dice:
                changed = list_facts((format_dice(event.dice), changed))
            return _(_CAUSES.get(public.board.spaces[event.space].kind, _CHANGES)).format(changes=changed)
        case Landed():
            return _(_CHANGES).format(changes=format_changes(event, names))
        case MarkerPlaced() | Moved() | Chosen() | SpaceSkipped():
            return _place_line(public, event, names)
        case _:
            return _card_line(public.board, event, name)


_CHANGES: Final = N_("💳 {changes}.")

_CAUSES: Final[Mapping[SpaceKind, str]] = {
    SpaceKind.HUMILITY: N_("💳 Most credits: {changes}."),
    SpaceKind.ARROGANCE: N_("💳 Fewest credits: {changes}."),
}
"""Whom the spaces concern that choose a seat by its credits. Rules CH-S4 and CH-S5."""

_SKIPPED_LINES: Final[Mapping[CornerAction | None, str]] = {
    CornerAction.REPLACE: N_("💤 {space}: no one had a message card, so nothing happened."),
    CornerAction.RETURN: N_("💤 {space}: no one had a marker on the board, so nothing happened."),
    CornerAction.PLACE: N_("💤 {space}: no one had a marker left, so nothing happened."),
    None: N_("💤 {space}: {name} had no message card to lose, so nothing happened."),
}
"""Why no one can follow a corner, or Backslide; corners with other actions can always be followed."""


def _place_line(public: PublicState, event: MarkerPlaced | Moved | Chosen | SpaceSkipped, names: Sequence[str]) -> str:
    """Return the line of a marker, or of a seat that came to a space or a corner."""
    name = names[event.seat]
    match event:
        case MarkerPlaced():
            line = _("☑️ {name} marked **{space}**.").format(name=name, space=name_space(public, event.space))
            return line + " " + _("Set complete! Releases are doubled.") if event.fills_set else line
        case Moved():
            return _moved_line(public, event, names)
        case Chosen():
            others = join_items([names[seat] for seat in event.seats])
            return _("🤝 {name} gave the bonus to {others}.").format(name=name, others=others)
        case SpaceSkipped():
            space = public.board.spaces[event.space]
            return _(_SKIPPED_LINES[space.action]).format(space=name_space(public, event.space), name=name)


def _card_line(board: Board, event: GameEvent, name: str) -> str:
    """Return the line of message cards."""
    match event:
        case CardPlayed(card=card):
            return _("🎴 {name} played **{card}**.").format(name=name, card=card_name(board, card))
        case CardsReplaced(count=count):
            line = ngettext("🔄 {name}: one card replaced.", "🔄 {name}: {count} cards replaced.", count)
        case CardsLost(count=count):
            line = ngettext("📉 {name} lost one card.", "📉 {name} lost {count} cards.", count)
        case CardsDrawn(count=0):
            return _("🎴 {name} already had five cards and drew none.").format(name=name)
        case CardsDrawn(count=count):
            line = ngettext("🎴 {name} drew a message card.", "🎴 {name} drew {count} message cards.", count)
        case CardsSeen(cards=cards):
            return _("🎴 Drawn: {cards}.").format(cards=join_items([card_name(board, card) for card in cards]))
        case _:
            return ""
    return line.format(name=name, count=count)


def _moved_line(public: PublicState, event: Moved | Landed, names: Sequence[str]) -> str:
    return _("🏃 {name} → {space}.").format(name=names[event.seat], space=name_space(public, event.space))


def name_space(public: PublicState, space: int) -> str:
    """Return the name of a space."""
    return space_name(public.board.spaces[space])


def format_changes(event: Landed, names: Sequence[str]) -> str:
    """Return what all seats receive and release; those with the same change are named together."""
    groups = dict[int, list[str]]()
    for seat, change in enumerate(event.changes):
        if change:
            groups.setdefault(change, []).append(names[seat])
    return join_groups(_change_text(join_items(group), change) for change, group in groups.items())


def _change_text(name: str, change: int) -> str:
    return f"{name} **{format_signed(change)}**"


def new_card_lines(public: PublicState, events: Sequence[GameEvent], seat: Seat, hand: Hand) -> list[str]:
    """Return a line with the cards that a seat drew last and still has, or nothing."""
    names = [card_name(public.board, card) for card in latest_drawn_cards(events, seat) if card in hand]
    return [_("New: {cards}.").format(cards=join_items(names))] if names else []
