"""Fortune's screen: the news, the dice, the stakes, the scores and the card."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.games.fortune.controls import build_controls
from bot.games.fortune.deck import CardKind
from bot.games.fortune.events import LineLost, Rolled, TurnEnded
from bot.games.fortune.guide import FACE_TEXTS, card_effect, card_name, describe_options, format_dice
from bot.games.fortune.pieces import Ending, Faces, State, Turn
from bot.games.fortune.recent_events import score_change_of
from bot.games.fortune.scoring import places_of, score_of, totals_of
from bot.games.fortune.stakes import format_signed, format_total, worth_lines
from bot.rules.game import Event, Seat
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import format_number, game_over_title, gettext as _, progress_bar, ranking_rows, score_row

_GAP = "\u200a"


def build_screen(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    if view.mover is None:
        return _end_screen(view, news, names)
    events, turn = events_of(news), view.turn
    lines = (*_news_lines(view, news, names), *_dice_lines(turn.faces), *worth_lines(turn))
    return Screen(
        title=_("Fortune · {name} to play").format(name=names[view.mover]),
        text="\n".join(lines),
        fields=(_scores_field(view, events, names), _card_field(turn)),
        controls=build_controls(view, draft),
        note=" · ".join(describe_options(view.options)),
        accent=view.mover,
    )


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and card."""
    dice = (Field(_("Dice"), format_dice(view.turn.faces)),) if view.turn.faces else ()
    return (*dice, _scores_field(replace(view, mover=None), (), names), _card_field(view.turn))


def _dice_lines(faces: Faces) -> tuple[str, ...]:
    """Return the dice as a heading: the largest size at which eight fit into a line on a phone."""
    return (f"## {_GAP.join(FACE_TEXTS[face].symbol for face in faces)}",) if faces else ()


def _card_field(turn: Turn) -> Field:
    """Return the card's effect, or why it no longer has one. Rule FO-C3."""
    effect = card_effect(turn.card)
    if turn.card.kind is CardKind.SORCERESS and not turn.spell:
        effect = _("no help on the Island.") if turn.island else _("already used this turn.")
    return Field(card_name(turn.card), effect)


def _news_lines(view: State, news: Sequence[News], names: Sequence[str]) -> Iterator[str]:
    """Yield the newest line first: the roll, then the end of the last turn."""
    newest = next((at for at in range(len(news) - 1, -1, -1) if isinstance(news[at].event, TurnEnded)), 0)
    latest = news[newest:]
    if rolls := [(event, then[event.seat]) for event, then in latest if isinstance(event, Rolled)]:
        yield _rolled_line(*rolls[-1])
    for event, then in latest:
        if isinstance(event, TurnEnded):
            yield _turn_ended_line(event, then[event.seat])
        if isinstance(event, LineLost):
            line = _("🏁 Nobody is above {target} any more, so play goes on.")
            yield line.format(target=format_number(view.options.target))
    if view.crosser is not None and view.mover is not None:
        line = _("🏁 Past {target}! Everyone but {name} gets one last turn.")
        yield line.format(name=names[view.crosser], target=format_number(view.options.target))


def _turn_ended_line(event: TurnEnded, name: str) -> str:
    dice = f"{format_dice(event.turn.faces)} ({card_name(event.turn.card)})"
    if event.ending is Ending.ISLAND:
        line = _("🏝️ **{name}** left the Island with {skulls} skulls, {dice}: every opponent loses **{toll}**.")
        return line.format(name=name, dice=dice, skulls=event.turn.skulls, toll=format_number(event.toll))
    if event.ending is Ending.STOPPED:
        line = _("✋ **{name}** stopped with {dice}: **{points}**.")
    elif event.turn.chest:
        line = _("💀 **{name}** busts with {dice}, but the chest saves **{points}**.")
    elif event.points:
        line = _("💀 **{name}** busts with {dice} and loses the battle: **{points}**.")
    else:
        line = _("💀 **{name}** busts with {dice}: no points.")
    return line.format(name=name, dice=dice, points=format_signed(event.points))


def _rolled_line(event: Rolled, name: str) -> str:
    landed = format_dice(tuple(event.faces[place - 1] for place in event.dice))
    if event.revived is not None:
        return _("🔮 The Sorceress freed a skull, and **{name}** rolled {landed}.").format(name=name, landed=landed)
    return _("🎲 **{name}** rolled {landed}.").format(name=name, landed=landed)


def _scores_field(view: State, news: Sequence[Event], names: Sequence[str]) -> Field:
    whole, brief = (
        [_score_line(view, seat, name, news, has_bar=has_bar) for seat, name in enumerate(names)]
        for has_bar in (True, False)
    )
    title = _("Race past {target}").format(target=format_number(view.options.target))
    return Field(title, "\n".join(whole), "\n".join(brief))


def _score_line(view: State, seat: Seat, name: str, news: Sequence[Event], *, has_bar: bool) -> str:
    score = totals_of(view)[seat]
    bar = progress_bar(score, view.options.target) if has_bar else ""
    line = score_row(seat, name, f"**{format_total(score)}**", has_turn=seat == view.mover, bar=bar)
    return f"{line}{_format_change(seat, news)}"


def _format_change(seat: Seat, news: Sequence[Event]) -> str:
    """Return the change of a seat's total in the last round, if there is one."""
    change = score_change_of(seat, news)
    return f" · {format_signed(change)}" if change else ""


def _end_screen(view: State, news: Sequence[News], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    places = places_of(view)
    lines = [*_news_lines(view, news, names), *_dice_lines(view.turn.faces)]
    if view.nine is not None:
        points = score_of(view.turn.card, view.turn.faces).total
        line = _("✨ Nine of a kind, **{points}**: **{name}** wins on the spot!")
        lines.append(line.format(points=format_signed(points), name=names[view.nine]))
    return Screen(
        title=game_over_title(_("Fortune"), [name for name, place in zip(names, places, strict=True) if place == 1]),
        text="\n".join(lines),
        fields=(_ranking_field(view, events_of(news), places, names), _card_field(view.turn)),
        accent=places.index(1),
    )


def _ranking_field(view: State, news: Sequence[Event], places: Sequence[int], names: Sequence[str]) -> Field:
    totals = enumerate(zip(names, totals_of(view), strict=True))
    texts = [f"{name} · **{format_total(total)}**{_format_change(seat, news)}" for seat, (name, total) in totals]
    title = _("Final scores · race past {target}").format(target=format_number(view.options.target))
    return Field(title, ranking_rows(places, texts))
