"""All texts of the showcases of a game, of one whole game, and of the positions that its tests name.

What a package says is asked for in `PackageTexts` alone.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from bot.rules.chance import FairChance
from bot.rules.evaluation import Unit
from bot.rules.game import Seat, visible_events
from bot.rules.picture import Box, Label, Sprite
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, to_news
from bot.rules.story import narrate
from bot.rules.study import rank_moves
from bot.tables.registry import AnyPackage
from bot.tools.showcase_search import choose_move, find_moments, picture_of
from bot.tools.showcases import SHOWCASE_NAMES, ShownState, list_showcases
from tests.support.games import load_games_once
from tests.support.named_positions import named_positions

MOST_MOVES = 24
"""How many of the legal moves are described: as many as fit on a page, from all kinds of moves."""


def texts_of_showcases(key: str) -> str:
    """Return what a game says in each of its showcases, and in one whole game."""
    package = load_games_once()[key]
    moments = find_moments(package, list_showcases(package.game.info.key))
    parts = [
        _describe(showcase.name, PackageTexts(package, moments[showcase.name], showcase.seats, showcase.hand_seat))
        for showcase in list_showcases(package.game.info.key)
    ]
    return "\n".join(["\n".join(part) + "\n" for part in (*parts, _tell_game(package))])


def texts_of_positions(key: str) -> str:
    """Return what a game says in each of the positions that its tests name: each line where it is said first."""
    package, told = load_games_once()[key], set[str]()
    parts = list[str]()
    for name, position in named_positions(key).items():
        moment = ShownState(position.state, position.events, package.game.seat_to_move(position.state))
        texts = PackageTexts(package, moment, position.seats, position.hand_seat, position.draft)
        parts.append("\n".join(_describe(name, texts, position.parts.split(), told)) + "\n")
        told.update(parts[-1].splitlines())
    return "\n".join(parts)


class PackageTexts:
    """The texts of a game at a moment: on the table, or in the hand of a seat."""

    def __init__(
        self,
        package: AnyPackage,
        moment: ShownState[Any, Any],
        seats: int,
        hand_seat: Seat | None,
        draft: Draft = EMPTY_DRAFT,
    ) -> None:
        self._package = package
        self.moment = moment
        self.draft = draft
        self.names = SHOWCASE_NAMES[:seats]
        self._hand_seat = hand_seat
        self._view = package.game.view(moment.state, hand_seat)
        self._events = visible_events(hand_seat, moment.events)

    def screen(self, draft: Draft) -> Screen:
        """Return the screen of the table, or of the hand."""
        build = self._package.words.build_screen if self._hand_seat is None else self._package.words.build_hand_screen
        assert build is not None
        return build(self._view, to_news(self._events, self.names), self.names, draft)

    def reading(self) -> str:
        """Return the table in words."""
        build = self._package.words.build_reading
        return "" if build is None else build(self._view, self.names)

    def picture(self) -> Iterator[str]:
        """Yield the alternative text of the picture, what is written in it, and how often it has each thing."""
        picture = picture_of(self._package, self.moment, self._hand_seat)
        if picture is None:
            return
        yield picture.description
        yield f"written: {' | '.join(mark.text for mark in picture.iter_marks() if isinstance(mark, Label))}"
        drawn = Counter(_name_mark(mark) for mark in picture.iter_marks() if not isinstance(mark, Label))
        yield f"drawn: {', '.join(f'{count} {name}' for name, count in sorted(drawn.items()))}"

    def news(self) -> Iterator[str]:
        """Yield how the newest moves are told: in summary, briefly, what they changed for each seat, by event."""
        narration = self._package.words.narration
        if narration is None:
            return
        yield from narrate(narration, self._view, to_news(self._events, self.names))
        yield from (narration.change_of(self._view, seat, self._events) for seat in range(len(self.names)))
        if highlight := narration.highlight(self._view, self._events):
            pieces = ", ".join(piece.name for piece in highlight.pieces)
            yield f"highlight: {highlight.word} | {highlight.number} | weight {highlight.weight} | {pieces}"

    def hint(self) -> Iterator[str]:
        """Yield the best moves with their values, the odds and the reason."""
        package, moves = self._package, self._moves()
        if (
            package.mind.evaluate is None
            or package.study.describe_move is None
            or package.study.hints is None
            or len(moves) < 2
        ):
            return
        view = package.game.view(self.moment.state, self.moment.mover)
        evaluation = package.mind.evaluate(view, moves)
        best = rank_moves(view, moves, evaluation, package.mind.key_of, package.study.describe_move)
        for each in best:
            is_share = evaluation.unit is Unit.WINS
            yield f"{each.text} | {f'{each.value:.3f}' if is_share else package.study.hints.format_points(each.value)}"
        explanation = package.study.hints.explain(view, best, evaluation)
        yield from (f"odds: {line}" for line in explanation.odds)
        yield f"reason: {explanation.reason}"

    def moves(self) -> Iterator[str]:
        """Yield some legal moves in notation and in words."""
        moves, describe = self._moves(), self._package.study.describe_move
        view = self._package.game.view(self.moment.state, self.moment.mover)
        for move in moves[:: -(-len(moves) // MOST_MOVES) or 1]:
            yield f"{move} | {describe(view, move) if describe else ''}"

    def tips(self) -> Iterator[str]:
        """Yield the tips for beginners."""
        if self._package.study.find_tips is not None and self._hand_seat is None:
            for tip in self._package.study.find_tips(self._view, self._events):
                yield f"{tip.key}{' (explains a piece)' * tip.is_explanation}: {tip.text}"

    def result(self) -> Iterator[str]:
        """Yield how the game ended."""
        outcome, package = self._package.game.outcome(self.moment.state), self._package
        if outcome is not None:
            scores = ", ".join(map(package.results.score_kind.format_score, outcome.scores))
            yield f"{scores} | places {outcome.places} | {outcome.reason}"
            if package.results.summarize is not None:
                yield package.results.summarize(self.moment.state)
        if package.words.build_abandoned_fields is not None:
            yield from (each.text for each in package.words.build_abandoned_fields(self._view, self.names))

    def _moves(self) -> Sequence[Any]:
        return [] if self.moment.mover is None else self._package.game.legal_moves(self.moment.state)


def _describe(name: str, texts: PackageTexts, wanted: Sequence[str] = (), told: Collection[str] = ()) -> Iterator[str]:
    """Yield the lines of the parts that are wanted, but for those already told."""
    mover, screen = texts.moment.mover, texts.screen(texts.draft)
    yield f"=== {name}: {len(texts.names)} seats, {'over' if mover is None else f'{texts.names[mover]} to move'}"
    parts: Mapping[str, Iterator[str]] = {
        "screen": _describe_screen(screen),
        "reading": iter([texts.reading()]),
        "picture": texts.picture(),
        "news": texts.news(),
        "hint": texts.hint(),
        "moves": texts.moves(),
        "tips": texts.tips(),
        "end": texts.result(),
    }
    for control in screen.iter_controls():
        if isinstance(control.effect, Toggle) and not control.is_disabled:
            drafted = texts.screen(control.effect.apply(texts.draft))
            parts = {**parts, f"screen with {control.label} picked": _describe_screen(drafted)}
            break
    said = set(_describe_screen(screen))
    for part in wanted or parts:
        lines = [line for text in parts[part] for line in (text.splitlines() if told else (text,))]
        if found := [line for line in lines if line and line not in told and (part == "screen" or line not in said)]:
            yield f"--- {part}"
            yield from found


def _name_mark(mark: Sprite | Box) -> str:
    """Return the name of a sprite, or the colours of a box: its fill and its border."""
    if isinstance(mark, Sprite):
        return mark.name
    return f"[{'/'.join('none' if colour is None else colour.name.lower() for colour in (mark.fill, mark.border))}]"


def _describe_screen(screen: Screen) -> Iterator[str]:
    yield f"# {screen.title}"
    yield screen.text
    for field in screen.fields:
        yield f"[{field.title}]{' (beside the picture)' * field.is_beside_picture}"
        yield field.text
    if screen.busy:
        yield f"busy: {screen.busy}"
    if screen.rule:
        yield f"rule: {screen.rule}"
    if screen.note:
        yield f"note: {screen.note}"
    if screen.verdict:
        yield f"verdict: {screen.verdict}"
    for menu in screen.menus:
        yield f"menu {menu.key}: {menu.label}"
        yield from (f"  {_describe_control(control)}" for control in menu.controls)
    for number, row in enumerate(screen.rows, 1):
        yield "shortcuts" if row is screen.shortcuts else f"row {number}"
        yield from (f"  {_describe_control(control)}" for control in row)
    seat = () if screen.accent is None else (f"colour of seat {screen.accent}",)
    hand = ("the next move is made from the hand",) if screen.waits_for_hand else ()
    yield ", ".join((*seat, *hand))


def _describe_control(control: Control) -> str:
    tone = "off" if control.is_disabled else control.tone.value
    words = (control.label, control.description, control.key, _describe_effect(control.effect), tone)
    return " | ".join(filter(None, words))


def _describe_effect(effect: Play | Toggle) -> str:
    if isinstance(effect, Play):
        return f"plays {effect.move!r}"
    instead = f" instead of {sorted(effect.instead_of)}" if effect.instead_of else ""
    return f"picks {effect.token}{instead}"


def _tell_game(package: AnyPackage) -> Iterator[str]:
    """Yield the moves of a whole game, how spectators are told of them, their feats, and the last position."""
    rules, describe, narration = package.game, package.study.describe_move, package.words.narration
    seats, chance = rules.info.least_seats, FairChance(b"golden", rules.info.key, 0)
    names = SHOWCASE_NAMES[:seats]
    yield f"=== a whole game: {seats} seats"
    state = rules.start(rules.info.options(), seats, chance)
    while (seat := rules.seat_to_move(state)) is not None:
        move = choose_move(package, state, seat, chance)
        yield f"{names[seat]}: {move} | {describe(rules.view(state, seat), move) if describe else ''}"
        before, (state, events) = state, rules.play(state, seat, move, chance)
        if narration is not None:
            view = rules.view(state, None)
            lines = (narration.tell(view, event, names) for event in visible_events(None, events))
            yield from (f"- {line}" for line in lines if line)
        feats = package.results.find_feats(before, events, state)
        yield from (
            f"- {each.kind.value} of {names[each.seat]}: {package.results.name_roll(each.rolled)}"
            for each in feats
            if each.rolled
        )
    yield rules.encode_position(state)
