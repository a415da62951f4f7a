"""Fortune's screen: the news, the dice, the stakes, the scores and the card."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.controls import build_controls
from bot.games.fortune.deck import CardKind
from bot.games.fortune.events import GameEvent, LineLost, Rolled, TurnEnded
from bot.games.fortune.guide import FACE_TEXTS, card_effect, card_name, describe_options, describe_pile, format_dice
from bot.games.fortune.narration import rolled_line, summarize_turn, tell, tell_briefly, turn_ended_line
from bot.games.fortune.pieces import Faces, State
from bot.games.fortune.recent_events import last_round, score_change_of
from bot.games.fortune.scoring import places_of, score_of
from bot.games.fortune.stakes import island_lines, worth_lines
from bot.rules.game import Seat
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import format_number, format_signed, game_over_title, gettext as _, progress_bar, ranking_rows, score_row

_GAP = "\u200a"


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    if view.mover is None:
        return _end_screen(view, news, names)
    events, turn = events_of(news), view.turn
    return Screen(
        title=_("Fortune · {name} to play").format(name=names[view.mover]),
        text="\n".join((*_news_lines(view, news, names), *_dice_lines(turn.faces), *worth_lines(turn))),
        fields=(_scores_field(view, events, names), _card_field(view)),
        controls=build_controls(view, draft),
        note=" · ".join(describe_options(view.options)),
        accent=view.mover,
        summary="\n".join(_summary_lines(view, news, names)),
    )


def _summary_lines(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Sequence[str]:
    """Return what is next to the picture: the steps of the last turn; after the first roll only what it brought."""
    stage = [*_stage_lines(view, news, names, is_short=True), *island_lines(view.turn)]
    if view.turn.faces:
        return stage or [tell_briefly(view, news)]
    return [*filter(None, (summarize_turn(view, news),)), *stage] or worth_lines(view.turn)


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and card."""
    dice = (Field(_("Dice"), format_dice(view.turn.faces)),) if view.turn.faces else ()
    return (*dice, _scores_field(view._replace(mover=None), (), names), _card_field(view))


def _dice_lines(faces: Faces) -> tuple[str, ...]:
    """Return the dice as a heading: the largest size at which eight fit into a line on a phone."""
    return (f"## {_GAP.join(FACE_TEXTS[face].symbol for face in faces)}",) if faces else ()


def _card_field(view: State) -> Field:
    """Return the card's effect, or why it no longer has one, and what is left of the pile. Rules FO-1 and FO-C3."""
    turn = view.turn
    effect = card_effect(turn.card)
    if turn.card.kind is CardKind.SORCERESS and not turn.spell:
        effect = _("no help on the Island.") if turn.island else _("already used this turn.")
    return Field(card_name(turn.card), f"{effect}\n{describe_pile(view)}")


def _news_lines(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Iterator[str]:
    """Yield the end of the last turn, then the newest roll."""
    latest = _latest_news(news)
    for event, then in latest:
        if isinstance(event, TurnEnded):
            yield turn_ended_line(event, then[event.seat])
    yield from _stage_lines(view, news, names)
    if rolls := [(event, then[event.seat]) for event, then in latest if isinstance(event, Rolled)]:
        yield rolled_line(*rolls[-1])


def _latest_news(news: Sequence[News[GameEvent]]) -> Sequence[News[GameEvent]]:
    """Return the news from the end of the last turn on."""
    return news[next((at for at in range(len(news) - 1, -1, -1) if isinstance(news[at].event, TurnEnded)), 0) :]


def _stage_lines(
    view: State, news: Sequence[News[GameEvent]], names: Sequence[str], *, is_short: bool = False
) -> Iterator[str]:
    """Yield the notice of the last round, or that play went on after it."""
    yield from (tell(view, *each) for each in _latest_news(news) if isinstance(each.event, LineLost))
    if view.crosser is not None and view.mover is not None:
        line = _("🏁 Past {target}! Everyone but {name} gets one last turn.")
        if is_short:
            line = _("🏁 Last round: beat **{score}**!")
        target, score = format_number(view.options.target), format_number(max(view.scores))
        yield line.format(name=names[view.crosser], target=target, score=score)


def _scores_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    latest = last_round(events, len(names))
    lines = [_score_line(view, seat, name, latest) for seat, name in enumerate(names)]
    title = _("Race past {target}").format(target=format_number(view.options.target))
    return Field(title, "\n".join(lines))


def _score_line(view: State, seat: Seat, name: str, events: Sequence[GameEvent]) -> str:
    score = view.scores[seat]
    bar = progress_bar(score, view.options.target)
    line = score_row(seat, name, f"**{format_number(score)}**", has_turn=seat == view.mover, bar=bar)
    return f"{line}{_format_change(seat, events)}"


def _format_change(seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return the change of a seat's total in the last round, if there is one."""
    change = score_change_of(seat, events)
    return f" · {format_signed(change)}" if change else ""


def _end_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    places = places_of(view)
    ending: list[str] = []
    if view.nine is not None:
        points = score_of(view.turn.card, view.turn.faces).total
        line = _("✨ Nine of a kind, **{points}**: **{name}** wins on the spot!")
        ending.append(line.format(points=format_signed(points), name=names[view.nine]))
    return Screen(
        title=game_over_title(_("Fortune"), [name for name, place in zip(names, places, strict=True) if place == 1]),
        text="\n".join((*_news_lines(view, news, names), *_dice_lines(view.turn.faces), *ending)),
        fields=(_ranking_field(view, events_of(news), places, names), _card_field(view)),
        accent=places.index(1),
        summary="\n".join(filter(None, (summarize_turn(view, news), *ending))) or None,
        verdict="\n".join(ending),
    )


def _ranking_field(view: State, events: Sequence[GameEvent], places: Sequence[int], names: Sequence[str]) -> Field:
    totals = enumerate(zip(names, view.scores, strict=True))
    latest = last_round(events, len(names))
    texts = [f"{name} · **{format_number(total)}**{_format_change(seat, latest)}" for seat, (name, total) in totals]
    title = _("Final scores · race past {target}").format(target=format_number(view.options.target))
    return Field(title, ranking_rows(places, texts))
