"""Recent events of Change as lines of text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeAlias

from bot.games.change import events
from bot.games.change.board import CornerAction, Space, SpaceKind
from bot.games.change.dice_text import format_dice
from bot.games.change.events import GameEvent
from bot.games.change.guide import card_name
from bot.games.change.pieces import CHALLENGE_TARGET, Hand, PublicState
from bot.games.change.recent_events import latest_drawn_cards, latest_turn
from bot.rules.game import Seat
from bot.rules.screen import News, events_of
from bot.words import N_, gettext as _, join_items, ngettext

SHOWN_MOVES = 12
"""A turn rarely has more moves, including those of seats asked at a corner."""

_MOST_LETTERS = 190
"""The length of a turn next to a picture, which leaves the picture half of the message."""

_FEWEST_LINES = 3
"""How much of a turn is told in any case: where it began, and its newest steps."""

_TOLD_TOGETHER = (events.Released, events.CardsReplaced)
"""What seats do one after another at Humility and some corners."""


def news_lines(public: PublicState, news: Sequence[News[GameEvent]]) -> list[str]:
    """Return the lines of the newest turn in order."""
    turn = latest_turn(events_of(news))
    return list(_tell_all(_LINE_BUILDERS, public, news[len(news) - len(turn) :]))


def short_news_text(public: PublicState, news: Sequence[News[GameEvent]]) -> str:
    """Return the newest turn as a paragraph without the dice, which the picture shows; a long one begins later."""
    turn = latest_turn(events_of(news))
    lines = list(_tell_all(_SHORT_LINE_BUILDERS, public, news[len(news) - len(turn) :]))
    dropped = 0
    while len(lines) > _FEWEST_LINES and sum(map(len, lines)) > _MOST_LETTERS:
        del lines[1]
        dropped += 1
    if dropped:
        more = ngettext("… {count} more step …", "… {count} more steps …", dropped).format(count=dropped)
        lines.insert(1, more)
    return " ".join(lines)


def _tell_all(builders: "_LineBuilders", public: PublicState, news: Iterable[News[GameEvent]]) -> Iterator[str]:
    """Yield the lines of a turn; landing on another space than the one rolled is told as a move.

    What several seats do one after another is told once.
    """
    where: Space | None = None
    for event, names in _merge_alike(news):
        if isinstance(event, events.Landed) and event.space != where:
            yield _moved_line(public, event, names)
        if isinstance(event, events.TrackRolled | events.Moved | events.Landed):
            where = event.space
        if line := _line(builders, public, event, names):
            yield line


def _merge_alike(news: Iterable[News[GameEvent]]) -> Iterator[News[GameEvent]]:
    """Yield news, with what seats did alike in a row as one event, whose seat has all of their names."""
    for key, group in groupby(news, lambda each: _key_of(each.event)):
        alike = list(group)
        if key is None or len(alike) == 1:
            yield from alike
            continue
        names, seats = alike[0].names, [each.event.seat for each in alike if isinstance(each.event, _TOLD_TOGETHER)]
        together = join_items([names[seat] for seat in seats])
        yield News(alike[0].event, (*names[: seats[0]], together, *names[seats[0] + 1 :]))


def _key_of(event: GameEvent) -> GameEvent | None:
    """Return what is the same for each seat that does so, or None."""
    return replace(event, seat=0) if isinstance(event, _TOLD_TOGETHER) else None


def event_line(public: PublicState, event: GameEvent, names: Sequence[str]) -> str:
    """Return the line of an event, or an empty text."""
    return _line(_LINE_BUILDERS, public, event, names)


def _line(builders: "_LineBuilders", public: PublicState, event: GameEvent, names: Sequence[str]) -> str:
    """Return the line of an event, or an empty text."""
    build_line = builders.get(type(event))
    return build_line(public, event, names) if build_line else ""


def _marker_placed_line(public: PublicState, event: events.MarkerPlaced, names: Sequence[str]) -> str:
    line = _("☑️ {name} marked **{space}**.")
    placed = line.format(name=names[event.seat], space=space_name(public, event.space))
    return _("{placed} Set complete! Releases are doubled.").format(placed=placed) if event.fills_set else placed


def _moved_line(public: PublicState, event: events.Moved | events.Landed, names: Sequence[str]) -> str:
    line = _("🏃 {name} → {space}.")
    return line.format(name=names[event.seat], space=space_name(public, event.space))


def _chosen_line(_public: PublicState, event: events.Chosen, names: Sequence[str]) -> str:
    line = _("🤝 {name} gave the bonus to {others}.")
    return line.format(name=names[event.seat], others=join_items([names[seat] for seat in event.seats]))


def _card_played_line(public: PublicState, event: events.CardPlayed, names: Sequence[str]) -> str:
    return _("🎴 {name} played **{card}**.").format(name=names[event.seat], card=card_name(public.board, event.card))


def _cards_replaced_line(_public: PublicState, event: events.CardsReplaced, names: Sequence[str]) -> str:
    line = ngettext("🔄 {name} replaced one card.", "🔄 {name} replaced {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def _cards_lost_line(_public: PublicState, event: events.CardsLost, names: Sequence[str]) -> str:
    line = ngettext("📉 {name} lost one card.", "📉 {name} lost {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def space_name(public: PublicState, space: int) -> str:
    """Return the name of a space."""
    return public.board.spaces[space].name


def _track_rolled_line(public: PublicState, event: events.TrackRolled, names: Sequence[str]) -> str:
    dice, name = format_dice(event.dice), names[event.seat]
    if event.is_double:
        return _("🎲 **{name}** rolled {dice}. Doubles: back to Start!").format(name=name, dice=dice)
    line = _("🎲 **{name}** rolled {dice} → **{space}**.")
    return line.format(name=name, dice=dice, space=space_name(public, event.space))


def _short_track_rolled_line(public: PublicState, event: events.TrackRolled, names: Sequence[str]) -> str:
    line = _("🎲 **{name}**: doubles, back to Start!") if event.is_double else _("🎲 **{name}** → **{space}**.")
    return line.format(name=names[event.seat], space=space_name(public, event.space))


def _landed_line(_public: PublicState, event: events.Landed, names: Sequence[str]) -> str:
    """Return who receives and who releases on a space."""
    return _("💳 {changes}.").format(changes=format_changes(event, names))


def format_changes(event: events.Landed, names: Sequence[str]) -> str:
    """Return what all seats receive and release; those with the same change are named together."""
    groups = dict[int, list[str]]()
    for seat, change in enumerate(event.changes):
        if change:
            groups.setdefault(change, []).append(names[seat])
    return ", ".join(_change_text(join_items(group), change) for change, group in groups.items())


def _change_text(name: str, change: int) -> str:
    line = _("{name} received **{count}**") if change > 0 else _("{name} released **{count}**")
    return line.format(name=name, count=abs(change))


def _challenged_line(_public: PublicState, event: events.Challenged, _names: Sequence[str]) -> str:
    sets = " ".join(format_dice(sorted(dice, reverse=True)) for dice in event.rolls)
    line = (
        _("🎯 Challenge {dice}: **{total}**, success!")
        if event.total >= CHALLENGE_TARGET
        else _("🎯 Challenge {dice}: **{total}**, too low.")
    )
    return line.format(dice=sets, total=event.total)


def _short_challenged_line(_public: PublicState, event: events.Challenged, _names: Sequence[str]) -> str:
    has_won = event.total >= CHALLENGE_TARGET
    line = _("🎯 Challenge: **{total}**, success!") if has_won else _("🎯 Challenge: **{total}**, too low.")
    return line.format(total=event.total)


def _credits_changed_line(
    public: PublicState, event: events.Released | events.Received, names: Sequence[str], *, is_short: bool = False
) -> str:
    """Return what a seat releases or receives, with the dice and why it was this seat."""
    change = sum(event.dice) if isinstance(event, events.Received) else -event.count
    line = _CAUSES.get(public.board.spaces[event.space].kind, N_("💳 {changed}."))
    changed = _change_text(names[event.seat], change)
    if event.dice and not is_short:
        changed = _("{dice}, {changed}").format(dice=format_dice(event.dice), changed=changed)
    return _(line).format(changed=changed)


def _short_credits_changed_line(
    public: PublicState, event: events.Released | events.Received, names: Sequence[str]
) -> str:
    return _credits_changed_line(public, event, names, is_short=True)


_CAUSES: Mapping[SpaceKind, str] = {
    SpaceKind.HUMILITY: N_("💳 Most credits: {changed}."),
    SpaceKind.ARROGANCE: N_("💳 Fewest credits: {changed}."),
}
"""Whom the spaces concern that choose a seat by its credits. Rules CH-S4 and CH-S5."""


def _cards_drawn_line(_public: PublicState, event: events.CardsDrawn, names: Sequence[str]) -> str:
    name = names[event.seat]
    if not event.count:
        return _("🎴 {name} already had five cards and drew none.").format(name=name)
    line = ngettext("🎴 {name} drew a message card.", "🎴 {name} drew {count} message cards.", event.count)
    return line.format(name=name, count=event.count)


def _cards_seen_line(public: PublicState, event: events.CardsSeen, _names: Sequence[str]) -> str:
    return _("🎴 Drawn: {cards}.").format(cards=join_items([card_name(public.board, card) for card in event.cards]))


_SKIPPED_TEXTS: Mapping[CornerAction | None, str] = {
    CornerAction.REPLACE: N_("💤 {space}: no one had a message card, so nothing happened."),
    CornerAction.RETURN: N_("💤 {space}: no one had a marker on the board, so nothing happened."),
    CornerAction.PLACE: N_("💤 {space}: no one had a marker left, so nothing happened."),
    None: N_("💤 {space}: {name} had no message card to lose, so nothing happened."),
}
"""Why no one can follow a corner, or Backslide; corners with other actions can always be followed."""


def _skipped_line(public: PublicState, event: events.SpaceSkipped, names: Sequence[str]) -> str:
    space = public.board.spaces[event.space]
    return _(_SKIPPED_TEXTS[space.action]).format(space=space.name, name=names[event.seat])


_LineBuilders: TypeAlias = Mapping[type[GameEvent], Callable[[PublicState, Any, Sequence[str]], str]]

_LINE_BUILDERS: _LineBuilders = {
    events.TrackRolled: _track_rolled_line,
    events.Landed: _landed_line,
    events.Challenged: _challenged_line,
    events.MarkerPlaced: _marker_placed_line,
    events.Moved: _moved_line,
    events.Chosen: _chosen_line,
    events.Released: _credits_changed_line,
    events.Received: _credits_changed_line,
    events.CardPlayed: _card_played_line,
    events.CardsReplaced: _cards_replaced_line,
    events.CardsLost: _cards_lost_line,
    events.CardsDrawn: _cards_drawn_line,
    events.CardsSeen: _cards_seen_line,
    events.SpaceSkipped: _skipped_line,
}

_SHORT_LINE_BUILDERS: _LineBuilders = {
    **_LINE_BUILDERS,
    events.TrackRolled: _short_track_rolled_line,
    events.Challenged: _short_challenged_line,
    events.Received: _short_credits_changed_line,
    events.Released: _short_credits_changed_line,
}


def new_card_lines(public: PublicState, events: Sequence[GameEvent], seat: Seat, hand: Hand) -> list[str]:
    """Return a line with the cards that a seat drew last and still has, or nothing."""
    names = [card_name(public.board, card) for card in latest_drawn_cards(events, seat) if card in hand]
    return [_("New: {cards}.").format(cards=join_items(names))] if names else []
