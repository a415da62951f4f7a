"""Messages, lines and descriptions that are hard to reach by playing, rendered from made-up facts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import chain, product
from typing import Final, TypeAlias

from bot.features.badges.messages import award_lines, badge_line, render_badges
from bot.features.challenges.messages import result_lines
from bot.features.challenges.model import UNCOUNTED, Placing, Standing, Streak as DayStreak
from bot.features.help.messages import HelpId, HelpTopic, render_help
from bot.features.hints.messages import render_hint, render_hint_question
from bot.features.puzzles.messages import render_board, render_lost_answer, render_practice_answer, render_shared_answer
from bot.features.puzzles.model import DailyBoard, DailyStanding, Progress, Solver, Streak
from bot.features.results.messages import rating_line
from bot.features.results.milestones import Milestone, milestone_facts
from bot.features.results.ratings import NEW, NotRated, Rating, RatingChange, Strength
from bot.features.seasons.messages import render_season
from bot.features.set_up.messages import render_check, render_greeting
from bot.features.set_up.permissions import PermissionCheck
from bot.features.settings.messages import describe_change
from bot.features.settings.storage import SettingsChange
from bot.features.tournaments import actions
from bot.features.tournaments.messages import render_games, render_tournament
from bot.features.tournaments.model import CancelledBy
from bot.features.tournaments.notices import call_text, cancelled_text, rescheduled_text, start_text
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import Combination
from bot.platform.discord.content import Button, MessageContent
from bot.platform.places import day_of
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.picture import Picture
from bot.rules.puzzle import Difficulty
from bot.rules.rewards import Feat, FeatKind
from bot.rules.screen import EMPTY_DRAFT
from bot.rules.story import Highlight, HighlightPiece
from bot.rules.study import Explanation, Hint, RankedMove
from bot.sandbox import Message
from bot.sandbox.model.world import World
from bot.tables.kinds import Cadence, edition_on
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.shown.message import add_banner
from bot.tables.shown.result import shared_line
from bot.words import LEAST_STREAK
from tests.golden.message_text import MessageWriter
from tests.support.fakes import JAY, NOON, ROBIN, WREN, make_table
from tests.support.finished_games import finished_magpie
from tests.support.games import load_games_once
from tests.support.rendering import render_game
from tests.ui.render import (
    test_absences as absences,
    test_boards as boards,
    test_final_result as results,
    test_lobby as lobbies,
    test_profiles as badges,
    test_puzzles as puzzles,
    test_tournaments as tournaments,
)

Rendering: TypeAlias = tuple[str, MessageContent | str]

_WORLD: Final = World()
_NAMES: Final = ("Robin", "Wren", "Jay", "Linnet")


def renderings() -> str:
    """Return all renderings, each under its name."""
    return "\n".join(f"=== {name}\n{_describe(shown)}\n" for name, shown in render_all())


def render_all() -> Iterator[Rendering]:
    """Return all renderings with their names."""
    parts = (
        _absences,
        _badges,
        _challenges,
        _channels,
        _help,
        _hints,
        _pictures,
        _puzzles,
        _ratings,
        _results,
        _seasons,
        _set_up,
        _settings,
        _tournaments,
    )
    return chain.from_iterable(part() for part in parts)


def _describe(shown: MessageContent | str) -> str:
    if isinstance(shown, str):
        return shown
    message = Message(1, _WORLD.channels[0], _WORLD.bot, embeds=[dict(shown.text_embed_json)])
    message.components = list(shown.components())
    # No time here is the clock's, though it may be as late as one of them.
    return MessageWriter(_WORLD, bytes.decode, lambda: 0).text_of(message).partition("\n")[2]


def _absences() -> Iterator[Rendering]:
    yield "two resignations end a game", render_game(absences.with_resignation(1, 2), EMPTY_DRAFT)
    yield "two resigned players come last", render_game(absences.ended_by_four(1, 2), EMPTY_DRAFT)


def _badges() -> Iterator[Rendering]:
    first_game, first_win, snatched = "overall/first_game", "overall/first_win", "magpie/snatched"
    awarded = {
        "one badge": [(ROBIN, snatched)],
        "badges of two": [(ROBIN, first_win), (ROBIN, "magpie/full_nest"), (WREN, first_game)],
        "more badges": [
            *[(ROBIN, first_game), (ROBIN, first_win), (WREN, first_game), (JAY, first_game), (JAY, snatched)],
        ],
        "a badge of an older version": [(ROBIN, "magpie/gone"), (ROBIN, "gone/gone")],
    }
    yield from ((name, "\n".join(award_lines(badges.finished(*pairs)))) for name, pairs in awarded.items())
    newest = badges.show(first_game, "magpie/full_nest", "magpie/gone", snatched, "fortune/admiral")
    yield "the newest badges of a profile", badge_line(newest, load_games_once())
    yield "no badges", render_badges([], load_games_once(), ROBIN, is_own=False)


def _challenges() -> Iterator[Rendering]:
    table, now = finished_magpie([(41,)]), day_of(NOON)
    for name, cadence, standing in (
        ("too late", Cadence.DAILY, UNCOUNTED),
        ("the first one, in direct messages", Cadence.WEEKLY, Standing(None, None, None, DayStreak(1, 1))),
        ("alone in a server", Cadence.DAILY, Standing(41, Placing(1, 1), None, DayStreak(LEAST_STREAK, 9))),
        ("better than others", Cadence.DAILY, Standing(40, Placing(1, 2), 64, DayStreak(LEAST_STREAK - 1, 9))),
        ("better than others in a week", Cadence.WEEKLY, Standing(40, Placing(2, 3), 64, DayStreak(1, 9))),
    ):
        seat = replace(table.seats[0], contribution=str(edition_on(cadence, now)))
        yield f"challenge, {name}", "\n".join(result_lines(replace(table, seats=(seat,)), standing))


def _channels() -> Iterator[Rendering]:
    for name, (table, asker) in lobbies.CASES.items():
        yield f"no second table: {name}", lobbies.refusal_text(table, asker)


def _help() -> Iterator[Rendering]:
    yield "help in a direct message", render_help(list(load_games_once().values()), is_direct=True)


def _hints() -> Iterator[Rendering]:
    figures: Mapping[str, tuple[Unit, bool, tuple[float, float]]] = {
        "about, in wins": (Unit.WINS, False, (0.404, 0.302)),
        "hardly less": (Unit.WINS, False, (0.404, 0.396)),
        "exact": (Unit.WINS, True, (0.404, 0.4)),
        "just as good": (Unit.WINS, True, (0.5, 0.5)),
        "nearly certain": (Unit.WINS, False, (0.999, 0.96)),
        "in points": (Unit.POINTS, False, (5.22, -0.33)),
        "in points of the end": (Unit.FINAL_POINTS, False, (10.2, 9.4)),
    }
    assert MAGPIE.study.hints is not None
    for name, (unit, is_exact, values) in figures.items():
        moves = tuple(RankedMove(move, move, value) for move, value in zip("ab", values, strict=True))
        hint = Hint(moves, Evaluation(values, unit, is_exact), Explanation((), "It is best."))
        content = render_hint(make_table(), MAGPIE.study.hints, hint, is_rough=is_exact)
        yield f"hint: {name}", str(content.text_embed_json["description"])
    yield "hint: the question", render_hint_question(make_table(status=Status.PLAYING))


def _pictures() -> Iterator[Rendering]:
    bare = Picture((1000, 200), (), (), "A table.")
    for word, number, names in (
        ("Bust!", "+0", ["skull"] * 3),
        ("Twin!", "−2 cards", ["red circle", "red star"]),
        ("Full house", "+12", ["2", "2", "3"]),
        ("Takes the lead!", "45", [""]),
        ("Last round!", "beat 25", []),
    ):
        pieces = tuple(HighlightPiece(name, ()) for name in names)
        yield f"banner: {word}", add_banner(bare, Highlight(word, number, 2, pieces=pieces), 0).description


def _puzzles() -> Iterator[Rendering]:
    shown = puzzles.shown_puzzle("magpie")
    answer = puzzles.answer_to(shown, 0)
    for answered, solved in ((1, 0), (1, 1), (2, 0), (2, 1)):
        board = DailyBoard(puzzles.DAY, answered, solved, Streak())
        yield f"puzzle board: {solved} of {answered}", render_board(board, "Magpie", 12)
    solvers = (Solver(11, "Rob*in", 4), Solver(12, "Wren", 1))
    yield "puzzle board", render_board(DailyBoard(puzzles.DAY, 7, 5, Streak(4, 6), solvers), "Magpie", 12)
    for is_right in (True, False):
        lost = replace(answer, is_right=is_right, puzzle="00000000")
        standing = DailyStanding(Streak(3, 5), None, "0a1b2c3d")
        yield f"lost puzzle, {is_right}", render_lost_answer(shown.chosen, lost, standing, in_server=False)
    for is_right, streak in ((True, Streak(1, 1)), (True, Streak(4, 9)), (False, Streak(0, 9))):
        shared = render_shared_answer("Robin", "Magpie", Difficulty.MEDIUM, replace(answer, is_right=is_right), streak)
        yield f"shared puzzle, {is_right}, {streak.current}", shared
    for is_late in (True, False):
        content = render_practice_answer(shown, 0, Progress(1, 2, 365), is_late=is_late, in_server=False)
        yield f"practice{', too late' * is_late}", content


def _ratings() -> Iterator[Rendering]:
    change = boards.change
    for name, outcome in {
        "of two": (change(0, 1498, 1512), change(1, 1502, 1488)),
        "of few games": (change(0, 1000, 1000), change(2, 990, 1010, games=9)),
        "of four": tuple(change(seat, 1000, 1001 - seat) for seat in range(4)),
        "of the first game": (RatingChange(1, 0, 0, NEW, Rating(Strength(27.0, 8.0), 1)),),
    }.items():
        yield f"ratings {name}", rating_line(outcome, _NAMES, "")
    yield from ((f"not rated: {reason.name}", rating_line(reason, _NAMES, "Vesper (Strong)")) for reason in NotRated)


def _results() -> Iterator[Rendering]:
    led = finished_magpie(results.LED)
    turns = (results.best_turn(2, 2, 2, 3, 3, change=44), results.best_turn(1, 1, 1, 2, 2, change=21), None)
    with_turns = replace(led, best_turns=turns)
    feats = (Feat(FeatKind.LUCK, 0, 0.97, Combination.FULL_HOUSE), Feat(FeatKind.ESCAPE, 0, 0.6))
    computer = replace(led.seats[0], user_id=None, level="strong")
    milestones = (
        *(Milestone(0, 2, best_before=100), Milestone(0, 2, first_win_against="strong"), Milestone(0, 50)),
        *(Milestone(0, 2, streak=4), Milestone(0, 2, is_best_of_week=True)),
    )
    for name, table in {
        "the biggest turn": with_turns,
        "nothing special": led,
        "a shared win": finished_magpie([results.LED[0], (101, 101, 0)]),
        "luck": replace(with_turns, feats=feats),
        "an escape": replace(led, feats=feats[1:]),
        "a computer has won": replace(with_turns, seats=(computer, *led.seats[1:])),
        "a computer has beaten one": replace(with_turns, seats=(computer, led.seats[1], replace(computer, name="2"))),
        "hints of all": replace(with_turns, header=replace(led.header, hinted=frozenset({0, 1, 2}))),
    }.items():
        yield f"result: {name}", str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"])
        yield f"shared: {name}", shared_line(table)
    of_one = replace(led, seats=(led.seats[0], *(replace(computer, name=name) for name in ("Ada", "Ben"))))
    for at, (milestone, table) in enumerate(product(milestones, (led, of_one))):
        for fact in milestone_facts([milestone], table):
            yield f"milestone {at}: {fact.pride.name}", fact.text


def _seasons() -> Iterator[Rendering]:
    season, games = boards.WITH_CHAMPIONS, load_games_once()
    past = (season, *boards.PAST[1:])
    yield "a past season", render_season(season, "2026-Q3", past, games, asker_id=ROBIN.id, now=boards.ENDED)
    yield "no seasons", render_season(None, None, past, games, asker_id=ROBIN.id, now=boards.ENDED)


def _set_up() -> Iterator[Rendering]:
    play = Button("Play", str(HelpId(HelpTopic.PLAY)))
    yield "greeting", render_greeting(["Magpie", "Fortune"], play)
    lacking = {**dict.fromkeys(range(70, 92), ("Embed Links", "Attach Files")), 92: ("View Channel",)}
    checks = {
        "much is missing": PermissionCheck(lacking, 1, 3),
        "no channel": PermissionCheck({}, 0, 1),
        "no answer": None,
    }
    yield from ((f"check: {name}", render_check(check, play)) for name, check in checks.items())


def _settings() -> Iterator[Rendering]:
    for key, value in (
        *(("pictures", "off"), ("hints", "off"), ("channels", "70 81"), ("openers", ""), ("log", "")),
        *(("games", "fortune magpie"), ("options", '{"magpie": {}}'), ("gone_since", "*x*")),
    ):
        change = SettingsChange(None, NOON, key, value)
        yield f"change of {key}", describe_change(change, GameRegistry([MAGPIE, load_games_once()["fortune"]]))


def _tournaments() -> Iterator[Rendering]:
    games = load_games_once()
    four = replace(tournaments.make_joining(4), starts_at=NOON + timedelta(hours=2), check_in_minutes=30)
    opened = actions.check_in(actions.open_check_in(four), 2)
    begun = actions.start(actions.check_in(opened, 3), "s", ())
    yield "a tournament with a start time and a check-in", render_tournament(four, {}, games)
    yield "the check-in is open", render_tournament(opened, {}, games)
    yield "players are called", call_text(opened, games)
    yield "players are missing at the start", start_text(opened, begun, games)
    yield "the start was moved", rescheduled_text(four, games)
    yield "the start time was removed", rescheduled_text(replace(four, starts_at=None), games)
    for by in CancelledBy:
        yield f"cancelled: {by}", render_tournament(actions.cancel(four, by), {}, games)
    yield "cancelled, where the opening was announced", cancelled_text(four, games)
    yield "a page of the games of all rounds", render_games(begun, {}, games)
    yield "few have checked in", start_text(opened, actions.start_on_time(opened, "s", ()), games)
    alone = tournaments.make_joining(1)
    yield "few have joined", start_text(alone, actions.abandon(alone), games)
