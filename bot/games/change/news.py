"""Change's events as text, and what is worth noticing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, takewhile
from typing import Any, TypeAlias

from bot.games.change.board import SET_SIZE, Board, CardKind, CornerAction, Space, SpaceKind
from bot.games.change.board_picture import space_sprite
from bot.games.change.facts import changes_by_space, changes_of, latest_drawn_cards, latest_turn
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
from bot.games.change.words import card_name, format_dice, roll_off_line
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Sprite
from bot.rules.screen import News, events_of
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration, heaviest
from bot.words import N_, format_signed, gettext as _, join_items, ngettext, seat_emoji

_BIG_RELEASE, _HUGE_RELEASE = 18, 30

MANY_SEATS = 4
"""With more seats, what all did since a player's last turn leaves only a line for each turn, with tokens for names."""

_LINE_LENGTHS = {2: 60, 3: 60, 4: 44, 5: 32, 6: 32}
"""The most characters of a turn, by seats: two lines on a phone for three seats, and no second one from five on."""

_SHOWN_SPACES = 2

SHOWN_MOVES = 12
"""A turn rarely has more moves, including those of seats asked at a corner."""

_MOST_LETTERS = 190
"""The length of a turn next to a picture, which leaves the picture half of the message."""

_FEWEST_LINES = 3
"""How much of a turn is told in any case: where it began, and its newest steps."""

_TOLD_TOGETHER = (Released, CardsReplaced)
"""What seats do one after another at Humility and some corners."""


def _tell(view: View, event: GameEvent, names: Sequence[str]) -> str:
    if isinstance(event, Landed):
        line, space = _("💳 {space}: {changes}."), space_name(view.public, event.space)
        return line.format(space=space, changes=format_changes(event, names))
    return event_line(view.public, event, names)


def summarize_turn(view: View, news: Sequence[News[GameEvent]], *, is_brief: bool = False) -> str:
    """Tell the newest turn: where a seat went, the challenges, the markers, and how the credits changed in all.

    Args:
        view: A later view.
        news: The news of the turn, and perhaps of earlier ones.
        is_brief: Whether to leave out the challenges, and to shorten what does not fit into a line on a phone.
    """
    told = latest_turn(events_of(news))
    news = news[len(news) - len(told) :]
    rolls = ((event.seat, names) for event, names in news if isinstance(event, TrackRolled))
    seat, names = next(rolls, (None, ()))
    if seat is None:
        return short_news_text(view.public, news)
    steps = list(_steps(view.public, told, names, is_brief=is_brief))
    changes = changes_of(told, len(names))
    if is_brief:
        return _fit_turn(names, seat, steps, changes)
    line = " ".join([_("🎲 **{name}**").format(name=names[seat]), *steps])
    others = [other for other in range(len(names)) if other != seat]
    changed = [f"{names[each]} **{format_signed(changes[each])}**" for each in (seat, *others) if changes[each]]
    return _("{line} 💳 Credits: {changes}").format(line=line, changes=", ".join(changed)) if changed else line


def _steps(public: PublicState, turn: Sequence[GameEvent], names: Sequence[str], *, is_brief: bool) -> Iterator[str]:
    """Yield the spaces, challenges and markers of a turn in order: as signs with a word each, or if brief as signs."""
    where, mover = None, next(event.seat for event in turn if isinstance(event, TrackRolled))
    for at, event in enumerate(turn):
        match event:
            case TrackRolled() | Moved() | Landed() if event.seat == mover and event.space != where:
                where = event.space
                yield f"→ {_doubles(event)}{space_name(public, where)}"
            case Challenged() if not is_brief:
                yield _challenge_step(event.total, _added_points(public.board, turn[at + 1 :]))
            case MarkerPlaced(seat=seat):
                if seat != mover:
                    yield f"({names[seat]} ☑️ {space_name(public, event.space)})"
                else:
                    yield "☑️" if is_brief else _("☑️ marked")
            case _:
                pass


def _challenge_step(rolled: int, added: Sequence[int]) -> str:
    """Return the total of a challenge with the points of cards, and whether they suffice. Rules CH-6 and CH-7."""
    has_succeeded = rolled + sum(added) >= CHALLENGE_TARGET
    line = _("🎯 **{total}** succeeded") if has_succeeded else _("🎯 **{total}** failed")
    return line.format(total=" + ".join(map(str, (rolled, *added))))


def _added_points(board: Board, later: Sequence[GameEvent]) -> list[int]:
    """Return the points of the Add cards that were played before the next challenge. Rule CH-7."""
    until_next = takewhile(lambda event: not isinstance(event, Challenged), later)
    faces = [board.cards[event.card] for event in until_next if isinstance(event, CardPlayed)]
    return [face.amount for face in faces if face.kind is CardKind.ADD]


def _doubles(event: GameEvent) -> str:
    """Say why a roll leads to Start. Rule CH-4."""
    return _("doubles, ") if isinstance(event, TrackRolled) and event.is_double else ""


def _fit_turn(names: Sequence[str], seat: Seat, steps: Sequence[str], changes: Sequence[int]) -> str:
    """Return the longest form of a turn that fits into a line."""
    has_many = len(names) > MANY_SEATS
    own = [format_signed(changes[seat])] if changes[seat] else []
    others = {each: change for each, change in enumerate(changes) if change and each != seat}
    labels = (f" {seat_emoji(each)}" if has_many else f", {names[each]} " for each in others)
    told = "".join(map(str.__add__, labels, map(format_signed, others.values())))
    forms = [f"**{names[seat]}** {form}" for form in _forms(steps, own, told, tuple(others.values()))]
    return next((form for form in forms if len(form.replace("*", "")) <= _LINE_LENGTHS[len(names)]), forms[-1])


def _forms(steps: Sequence[str], own: Sequence[str], told: str, others: Sequence[int]) -> Iterator[str]:
    """Yield ever shorter forms: with the last space alone, the other seats added up, and then left out."""
    first = max((at for at, step in enumerate(steps) if step.startswith("→")), default=0)
    short = [f"… {steps[first].removeprefix('→ ')}", *steps[first + 1 :]] if first else steps
    line = " ".join((*short, *own))
    yield " ".join((*steps, *own)) + told
    yield line + told
    if len(others) > 1:
        change = format_signed(sum(others))
        yield _("{line}, {count} others {change}").format(line=line, count=len(others), change=change)
    if others:
        yield f"{line} …"


def _highlight(view: View, move: Sequence[GameEvent]) -> Highlight | None:
    return heaviest(_event_highlight(view.public.board, event) for event in move)


def _event_highlight(board: Board, event: GameEvent) -> Highlight | None:
    match event:
        case MarkerPlaced(fills_set=True):
            marker = HighlightPiece(_("marker"), (Sprite("change/marker", PIECE_AREA),))
            return Highlight(_("Set complete!"), "×2", 3, pieces=(marker,) * SET_SIZE)
        case TrackRolled() if event.is_double:
            dice = tuple(map(_die_piece, event.dice))
            return Highlight(_("Doubles!"), " + ".join(map(str, event.dice)), 2, is_good=False, pieces=dice)
        case Landed():
            art = (Sprite(f"change/marker-{event.seat + 1}", PIECE_AREA),)
            marker = HighlightPiece(_("marker of player {number}").format(number=event.seat + 1), art)
            return _release_highlight(-event.changes[event.seat], _space_piece(board, event.space), marker)
        case Released():
            rolled = [_die_piece(die) for die in event.dice]
            return _release_highlight(event.count, *(rolled or [_space_piece(board, event.space)]))
        case _:
            return None


def _die_piece(face: int) -> HighlightPiece:
    return HighlightPiece(_("die showing {face}").format(face=face), die_marks(face, PIECE_AREA))


def _space_piece(board: Board, space: Space) -> HighlightPiece:
    """Return the picture of a space."""
    entry = board.spaces[space]
    height = 48 if entry.kind is SpaceKind.CORNER else 64
    return HighlightPiece(entry.name, (space_sprite(entry, PIECE_AREA.center(64, height), ColourRole.TEXT),))


def _release_highlight(released: int, *pieces: HighlightPiece) -> Highlight | None:
    """Return a highlight if the seat released many credits at once."""
    if released < _BIG_RELEASE:
        return None
    return Highlight(_("Released!"), f"−{released}", 2 if released < _HUGE_RELEASE else 3, pieces=pieces)


def _change_of(view: View, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return how the credits of a seat changed, and the spaces that changed them most."""
    changes = changes_by_space(seat, events)
    if not (change := changes.total()):
        return ""
    spaces = [space_name(view.public, space) for space in sorted(changes, key=lambda each: -abs(changes[each]))]
    shown = spaces
    if len(spaces) > _SHOWN_SPACES + 1:
        more = _("{count} more").format(count=len(spaces) - _SHOWN_SPACES)
        shown = [*spaces[:_SHOWN_SPACES], more]
    return _("**{change}** at {spaces}").format(change=format_signed(change), spaces=", ".join(shown))


def _opening(view: View) -> str:
    return roll_off_line(view.public)


NARRATION = Narration(_tell, summarize_turn, _highlight, partial(summarize_turn, is_brief=True), _change_of, _opening)


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
        if isinstance(event, Landed) and event.space != where:
            yield _moved_line(public, event, names)
        if isinstance(event, TrackRolled | Moved | Landed):
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


def _marker_placed_line(public: PublicState, event: MarkerPlaced, names: Sequence[str]) -> str:
    line = _("☑️ {name} marked **{space}**.")
    placed = line.format(name=names[event.seat], space=space_name(public, event.space))
    return _("{placed} Set complete! Releases are doubled.").format(placed=placed) if event.fills_set else placed


def _moved_line(public: PublicState, event: Moved | Landed, names: Sequence[str]) -> str:
    line = _("🏃 {name} → {space}.")
    return line.format(name=names[event.seat], space=space_name(public, event.space))


def _chosen_line(_public: PublicState, event: Chosen, names: Sequence[str]) -> str:
    line = _("🤝 {name} gave the bonus to {others}.")
    return line.format(name=names[event.seat], others=join_items([names[seat] for seat in event.seats]))


def _card_played_line(public: PublicState, event: CardPlayed, names: Sequence[str]) -> str:
    return _("🎴 {name} played **{card}**.").format(name=names[event.seat], card=card_name(public.board, event.card))


def _cards_replaced_line(_public: PublicState, event: CardsReplaced, names: Sequence[str]) -> str:
    line = ngettext("🔄 {name} replaced one card.", "🔄 {name} replaced {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def _cards_lost_line(_public: PublicState, event: CardsLost, names: Sequence[str]) -> str:
    line = ngettext("📉 {name} lost one card.", "📉 {name} lost {count} cards.", event.count)
    return line.format(name=names[event.seat], count=event.count)


def space_name(public: PublicState, space: int) -> str:
    """Return the name of a space."""
    return public.board.spaces[space].name


def _track_rolled_line(public: PublicState, event: TrackRolled, names: Sequence[str]) -> str:
    dice, name = format_dice(event.dice), names[event.seat]
    if event.is_double:
        return _("🎲 **{name}** rolled {dice}. Doubles: back to Start!").format(name=name, dice=dice)
    line = _("🎲 **{name}** rolled {dice} → **{space}**.")
    return line.format(name=name, dice=dice, space=space_name(public, event.space))


def _short_track_rolled_line(public: PublicState, event: TrackRolled, names: Sequence[str]) -> str:
    line = _("🎲 **{name}**: doubles, back to Start!") if event.is_double else _("🎲 **{name}** → **{space}**.")
    return line.format(name=names[event.seat], space=space_name(public, event.space))


def _landed_line(_public: PublicState, event: Landed, names: Sequence[str]) -> str:
    """Return who receives and who releases on a space."""
    return _("💳 {changes}.").format(changes=format_changes(event, names))


def format_changes(event: Landed, names: Sequence[str]) -> str:
    """Return what all seats receive and release; those with the same change are named together."""
    groups = dict[int, list[str]]()
    for seat, change in enumerate(event.changes):
        if change:
            groups.setdefault(change, []).append(names[seat])
    return ", ".join(_change_text(join_items(group), change) for change, group in groups.items())


def _change_text(name: str, change: int) -> str:
    line = _("{name} received **{count}**") if change > 0 else _("{name} released **{count}**")
    return line.format(name=name, count=abs(change))


def _challenged_line(_public: PublicState, event: Challenged, _names: Sequence[str]) -> str:
    sets = " ".join(format_dice(sorted(dice, reverse=True)) for dice in event.rolls)
    line = (
        _("🎯 Challenge {dice}: **{total}**, success!")
        if event.total >= CHALLENGE_TARGET
        else _("🎯 Challenge {dice}: **{total}**, too low.")
    )
    return line.format(dice=sets, total=event.total)


def _short_challenged_line(_public: PublicState, event: Challenged, _names: Sequence[str]) -> str:
    has_won = event.total >= CHALLENGE_TARGET
    line = _("🎯 Challenge: **{total}**, success!") if has_won else _("🎯 Challenge: **{total}**, too low.")
    return line.format(total=event.total)


def _credits_changed_line(
    public: PublicState, event: Released | Received, names: Sequence[str], *, is_short: bool = False
) -> str:
    """Return what a seat releases or receives, with the dice and why it was this seat."""
    change = sum(event.dice) if isinstance(event, Received) else -event.count
    line = _CAUSES.get(public.board.spaces[event.space].kind, N_("💳 {changed}."))
    changed = _change_text(names[event.seat], change)
    if event.dice and not is_short:
        changed = _("{dice}, {changed}").format(dice=format_dice(event.dice), changed=changed)
    return _(line).format(changed=changed)


def _short_credits_changed_line(public: PublicState, event: Released | Received, names: Sequence[str]) -> str:
    return _credits_changed_line(public, event, names, is_short=True)


_CAUSES: Mapping[SpaceKind, str] = {
    SpaceKind.HUMILITY: N_("💳 Most credits: {changed}."),
    SpaceKind.ARROGANCE: N_("💳 Fewest credits: {changed}."),
}
"""Whom the spaces concern that choose a seat by its credits. Rules CH-S4 and CH-S5."""


def _cards_drawn_line(_public: PublicState, event: CardsDrawn, names: Sequence[str]) -> str:
    name = names[event.seat]
    if not event.count:
        return _("🎴 {name} already had five cards and drew none.").format(name=name)
    line = ngettext("🎴 {name} drew a message card.", "🎴 {name} drew {count} message cards.", event.count)
    return line.format(name=name, count=event.count)


def _cards_seen_line(public: PublicState, event: CardsSeen, _names: Sequence[str]) -> str:
    return _("🎴 Drawn: {cards}.").format(cards=join_items([card_name(public.board, card) for card in event.cards]))


_SKIPPED_TEXTS: Mapping[CornerAction | None, str] = {
    CornerAction.REPLACE: N_("💤 {space}: no one had a message card, so nothing happened."),
    CornerAction.RETURN: N_("💤 {space}: no one had a marker on the board, so nothing happened."),
    CornerAction.PLACE: N_("💤 {space}: no one had a marker left, so nothing happened."),
    None: N_("💤 {space}: {name} had no message card to lose, so nothing happened."),
}
"""Why no one can follow a corner, or Backslide; corners with other actions can always be followed."""


def _skipped_line(public: PublicState, event: SpaceSkipped, names: Sequence[str]) -> str:
    space = public.board.spaces[event.space]
    return _(_SKIPPED_TEXTS[space.action]).format(space=space.name, name=names[event.seat])


_LineBuilders: TypeAlias = Mapping[type[GameEvent], Callable[[PublicState, Any, Sequence[str]], str]]

_LINE_BUILDERS: _LineBuilders = {
    TrackRolled: _track_rolled_line,
    Landed: _landed_line,
    Challenged: _challenged_line,
    MarkerPlaced: _marker_placed_line,
    Moved: _moved_line,
    Chosen: _chosen_line,
    Released: _credits_changed_line,
    Received: _credits_changed_line,
    CardPlayed: _card_played_line,
    CardsReplaced: _cards_replaced_line,
    CardsLost: _cards_lost_line,
    CardsDrawn: _cards_drawn_line,
    CardsSeen: _cards_seen_line,
    SpaceSkipped: _skipped_line,
}

_SHORT_LINE_BUILDERS: _LineBuilders = {
    **_LINE_BUILDERS,
    TrackRolled: _short_track_rolled_line,
    Challenged: _short_challenged_line,
    Received: _short_credits_changed_line,
    Released: _short_credits_changed_line,
}


def new_card_lines(public: PublicState, events: Sequence[GameEvent], seat: Seat, hand: Hand) -> list[str]:
    """Return a line with the cards that a seat drew last and still has, or nothing."""
    names = [card_name(public.board, card) for card in latest_drawn_cards(events, seat) if card in hand]
    return [_("New: {cards}.").format(cards=join_items(names))] if names else []
