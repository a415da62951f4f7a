"""Packages of the toy game, each with a fault: at least one for each check of the contract."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from bot.rules.chance import Chance
from bot.rules.components import Nameplate
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import Event
from bot.rules.guide import Guide, GuidePage
from bot.rules.motion import Motion, MovingPiece, Played
from bot.rules.picture import SYMBOL_AREA, Box, ColourRole, Label, Picture, Rect, Sprite, Symbol
from bot.rules.refusals import RefusalReason
from bot.rules.rewards import MEDAL_AREA, GameBadge
from bot.rules.screen import Control, Draft, Menu, News, Play, Screen, Toggle, Tone
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration
from bot.rules.study import Lesson, LessonStep, Tip
from bot.tables.registry import AnyPackage
from bot.tools.contract.contract import Check
from tests.rules.faulty_games import (
    CountsPositions,
    FailsOnNegatives,
    ForgetsSeat,
    ForgetsTosses,
    HasNoVersion,
    HidesMove,
    KeepsLists,
    KeepsSilentAfterwards,
    LetsAnybodyMove,
    LetsNegativesThrough,
    LosesOptions,
    LosesStones,
    MixesKinds,
    NeverEnds,
    OffersAfterwards,
    OffersLists,
    OffersNothing,
    OffersTooMuch,
    OffersTwice,
    PlaysAnything,
    RanksEarly,
    RanksNobody,
    ReadsAnything,
    ReadsOneMore,
    RefusesOtherwise,
    RollsBeforeLooking,
    RollsItsOwn,
    SaysTrue,
    Scribbles,
    SeatsNobody,
    SeatsTooMany,
    SeesDifferently,
    StartsAnywhere,
    Stumbles,
    StumblesOverMuch,
    TellsOneSeat,
    TurnsMovesRound,
    WritesLines,
)
from tests.rules.faulty_options import (
    AnyStones,
    BlankDescription,
    LongDescription,
    LongName,
    ReservedName,
    TooManyOptions,
    UnnamedValues,
    UntitledOption,
)
from tests.rules.heap_game import (
    PACKAGE,
    Heap,
    HeapOptions,
    HeapReason,
    Move,
    State,
    Take,
    Toss,
    build_screen,
    make_page,
)


def with_game(game: Heap) -> AnyPackage:
    return replace(PACKAGE, game=game)


def with_options(model: type[HeapOptions]) -> AnyPackage:
    game = Heap()
    game.info = replace(Heap.info, options=model)
    return with_game(game)


def with_screen_change(change: Callable[[Screen], Screen]) -> AnyPackage:
    def draw(view: State, news: Sequence[News[Event]], names: Sequence[str], draft: Draft) -> Screen:
        return change(build_screen(view, news, names, draft))

    return replace(PACKAGE, words=replace(PACKAGE.words, build_screen=draw))


def with_control(*controls: Control) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, controls=(*screen.controls, controls))


def with_menus(*menus: Menu) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, menus=menus)


def make_menu(key: str = "more", **changes: Any) -> Menu:
    return Menu(key, "More", (replace(Control(f"{key}_toss", "Toss", Play("toss")), **changes),))


def change_while_playing(change: Callable[[Screen], Screen]) -> Callable[[Screen], Screen]:
    return lambda screen: change(screen) if screen.controls else screen


def without_controls(screen: Screen) -> Screen:
    return replace(screen, controls=())


def without_single_stones(screen: Screen) -> Screen:
    return replace(screen, controls=screen.controls[1:]) if len(screen.controls[0]) == 1 else screen


def with_many_buttons(screen: Screen) -> Screen:
    row = tuple(Control(f"toss{at}", "Toss", Play("toss")) for at in range(4))
    more = (tuple(replace(each, key=f"{each.key}_{at}") for each in row) for at in range(2))
    return replace(screen, controls=(*screen.controls, *more))


def with_only_a_menu(screen: Screen) -> Screen:
    return replace(screen, controls=(), menus=(make_menu(),))


class Greedy:
    """A computer player that takes more than there is."""

    def __call__(self, view: State, moves: Sequence[Move], chance: Chance) -> Move:
        return Take(4)


def with_toss_highlighted(screen: Screen) -> Screen:
    def highlight(control: Control) -> Control:
        return replace(control, tone=Tone.MAIN if control.effect == Play("toss") else Tone.QUIET)

    return replace(screen, controls=tuple(tuple(map(highlight, row)) for row in screen.controls))


def highlight_all(screen: Screen) -> Screen:
    rows = (tuple(replace(control, key="same") for control in row) for row in screen.controls)
    return replace(screen, controls=tuple(rows))


UNKNOWN_FACT: dict[RefusalReason, str] = {**PACKAGE.words.error_messages, HeapReason.TOO_MANY: "Take at most {limit}."}
MISSING_SENTENCES: dict[RefusalReason, str] = {HeapReason.TOO_MANY: PACKAGE.words.error_messages[HeapReason.TOO_MANY]}


def draw_outside_picture(_view: State, _events: Sequence[Event], _nameplates: Sequence[Nameplate]) -> Picture:
    return _box()


def with_label(text: str, size: int = 37, *, is_name: bool = False) -> AnyPackage:
    """Return the toy game with a picture that consists of a label."""
    label = Label(text, Rect(10, 10, 380, 60), ColourRole.SURFACE_TEXT, size, is_name=is_name)
    picture = Picture((400, 80), (), (label,), "a label")
    return replace(PACKAGE, look=replace(PACKAGE.look, build_picture=lambda _view, _events, _names: picture))


def with_motion(*areas: Rect, tells: bool = False) -> AnyPackage:
    """Return the toy game with boxes that move in some areas, perhaps over a picture that tells the result."""
    after = Picture((400, 80), (), (), "nothing")

    def find_motion(played: Played[State, Event], _nameplates: Sequence[Nameplate]) -> Motion:
        width = 10 + len(repr(played.after)) if tells else 10
        before = replace(after, marks=(Box(Rect(0, 60, width, 10), ColourRole.GOLD),))
        looks = tuple((Box(Rect(0, 0, size, size), ColourRole.PAPER),) for size in (20, 30))
        return Motion(before, tuple(MovingPiece(area, looks, looks[0]) for area in areas))

    look = replace(PACKAGE.look, build_picture=lambda _view, _events, _names: after, find_motion=find_motion)
    return replace(PACKAGE, look=look)


WIDE_PIECE = HighlightPiece("die", (Sprite("token-1", SYMBOL_AREA),))
NAMELESS_PIECE = HighlightPiece("", (Sprite("token-1", PIECE_AREA),))
DIE = Symbol("die_1", "⚀", (Sprite("token-1", SYMBOL_AREA),))


BADGE: GameBadge[Any, Any] = GameBadge(
    "any_badge", "Any Badge", "Take a stone.", (Sprite("badge", MEDAL_AREA),), lambda *_: ()
)


def with_badges(*badges: GameBadge[Any, Any]) -> AnyPackage:
    """Return the package with badges."""
    return replace(PACKAGE, results=replace(PACKAGE.results, badges=badges))


def with_symbols(*symbols: Symbol) -> AnyPackage:
    """Return the package with symbols."""
    return replace(PACKAGE, look=replace(PACKAGE.look, symbols=symbols))


def with_pages(build_pages: Callable[[HeapOptions], Sequence[GuidePage]]) -> AnyPackage:
    return replace(PACKAGE, study=replace(PACKAGE.study, guide=Guide("Heap.", build_pages)))


def _pages_if(is_used: bool, option: str) -> tuple[GuidePage, ...]:
    turn = make_page("Turn", "Take.")
    return (turn, make_page("Losing", "Most lose.", option)) if is_used else (turn,)


def _box() -> Picture:
    return Picture((200, 100), (), (Box(Rect(150, 10, 60, 60), ColourRole.PAPER),), "a box")


def narrated(**parts: Any) -> AnyPackage:
    """Return the toy game with parts of a narration."""
    narration: Narration[Any, Any] = Narration(
        lambda _view, _event, _names: "", lambda _view, _news: "", lambda _view, _news: ""
    )
    return replace(PACKAGE, words=replace(PACKAGE.words, narration=replace(narration, **parts)))


def with_values(values_of: Callable[[Sequence[Any]], Sequence[float]]) -> AnyPackage:
    """Return the toy game with values of moves."""
    return replace(
        PACKAGE,
        mind=replace(PACKAGE.mind, evaluate=lambda _view, moves: Evaluation(values_of(moves), Unit.WINS)),
        study=replace(PACKAGE.study, describe_move=lambda _view, move: str(move)),
    )


def with_lesson(*steps: LessonStep, seats: int = 2) -> AnyPackage:
    """Return the game with a lesson in which seat 0 starts."""
    return replace(PACKAGE, study=replace(PACKAGE.study, lesson=Lesson(HeapOptions(), seats, 1, steps)))


TOSS = LessonStep("toss", "Press {button}.")
THEIRS, END = LessonStep("toss"), LessonStep("", "It's your game.")

FAULTS = [
    (Check.LESSON, with_lesson(TOSS, THEIRS, END)),
    (Check.LESSON, with_lesson(TOSS, LessonStep("take 4"), END)),
    (Check.LESSON, with_lesson(*(THEIRS,) * 7)),
    (Check.LESSON, with_lesson(TOSS, END)),
    (Check.LESSON, with_lesson(TOSS, seats=9)),
    (Check.LESSON_TEXTS, with_lesson(LessonStep("toss", "Toss."), THEIRS, END)),
    (Check.LESSON_TEXTS, with_lesson(THEIRS, THEIRS, END)),
    (Check.LESSON_TEXTS, with_lesson(TOSS, TOSS, END)),
    (Check.LESSON_TEXTS, with_lesson(LessonStep("toss", "{button}" + "!" * 197), THEIRS, END)),
    (
        Check.LESSON_TEXTS,
        replace(
            with_lesson(TOSS, THEIRS, END),
            words=replace(
                with_lesson(TOSS, THEIRS, END).words,
                build_screen=with_screen_change(without_controls).words.build_screen,
            ),
        ),
    ),
    (Check.INFO, with_game(HasNoVersion())),
    (Check.INFO, with_game(SeatsTooMany())),
    (Check.GUIDE, replace(PACKAGE, study=replace(PACKAGE.study, guide=Guide(" ", PACKAGE.study.guide.build_pages)))),
    (Check.GUIDE, with_pages(lambda _options: ())),
    (Check.GUIDE, with_pages(lambda _options: (make_page("Turn", " "),))),
    (Check.GUIDE, with_pages(lambda _options: (make_page("Turn", "word " * 90),))),
    (Check.GUIDE, with_pages(lambda _options: (make_page("Turn", "Take."), make_page("Turn", "Toss.")))),
    (Check.GUIDE, with_pages(lambda options: (make_page("Turn", "word " * (90 if options.losing else 9)),))),
    (Check.GUIDE_PICTURES, with_pages(lambda _options: (replace(make_page("Turn", "Take."), build_picture=_box),))),
    (
        Check.GUIDE_PICTURES,
        with_pages(lambda _options: (make_page("Turn", "Take."), replace(make_page("Turn", "Take."), title="End"))),
    ),
    (Check.GUIDE_OPTIONS, with_pages(lambda _options: (make_page("Losing", "Most lose.", "losing"),))),
    (Check.GUIDE_OPTIONS, with_pages(lambda options: _pages_if(options.losing, "stones"))),
    (Check.GUIDE_OPTIONS, with_pages(lambda options: _pages_if(options.losing, "bluffing"))),
    (Check.COVER, replace(PACKAGE, look=replace(PACKAGE.look, cover="heap/cover"))),
    (Check.COVER, replace(PACKAGE, look=replace(PACKAGE.look, cover="pip"))),
    (Check.SYMBOLS, with_symbols(replace(DIE, name="Die 1"))),
    (Check.SYMBOLS, with_symbols(replace(DIE, name="a" * 18))),
    (Check.SYMBOLS, with_symbols(replace(DIE, text=" "))),
    (Check.SYMBOLS, with_symbols(replace(DIE, marks=()))),
    (Check.SYMBOLS, with_symbols(replace(DIE, marks=(Sprite("token-7", SYMBOL_AREA),)))),
    (Check.SYMBOLS, with_symbols(replace(DIE, marks=(Sprite("token-1", SYMBOL_AREA.shift(1)),)))),
    (Check.SYMBOLS, with_symbols(replace(DIE, marks=(Box(SYMBOL_AREA, ColourRole.PAPER),)))),
    (Check.SYMBOLS, with_symbols(DIE, replace(DIE, name="die"))),
    (Check.BADGES, with_badges(replace(BADGE, key="Any Badge"))),
    (Check.BADGES, with_badges(replace(BADGE, name="n" * 19))),
    (Check.BADGES, with_badges(replace(BADGE, sentence="Take a stone"))),
    (Check.BADGES, with_badges(replace(BADGE, sentence=f"{'s' * 60}."))),
    (Check.BADGES, with_badges(replace(BADGE, medal=()))),
    (Check.BADGES, with_badges(replace(BADGE, medal=(Sprite("token-7", MEDAL_AREA),)))),
    (Check.BADGES, with_badges(replace(BADGE, medal=(Sprite("badge", MEDAL_AREA.shift(1)),)))),
    (Check.BADGES, with_badges(BADGE, BADGE)),
    (Check.BADGES, with_badges(BADGE, replace(BADGE, key="another"))),
    (Check.OPTIONS, with_game(LosesOptions())),
    (
        Check.DESCRIBED,
        replace(
            PACKAGE, words=replace(PACKAGE.words, describe_options=lambda options: ["losing"] if options.losing else [])
        ),
    ),
    (
        Check.DESCRIBED,
        replace(PACKAGE, words=replace(PACKAGE.words, describe_options=lambda options: [name for name, _ in options])),
    ),
    (Check.CHOICES, with_options(UntitledOption)),
    (Check.CHOICES, with_options(BlankDescription)),
    (Check.CHOICES, with_options(LongDescription)),
    (Check.CHOICES, with_options(TooManyOptions)),
    (
        Check.CHOICES,
        replace(
            with_options(LongName),
            words=replace(
                with_options(LongName).words, describe_options=lambda options: ["long"] * (options != LongName())
            ),
        ),
    ),
    (
        Check.CHOICES,
        replace(
            with_options(ReservedName),
            words=replace(
                with_options(ReservedName).words,
                describe_options=lambda options: ["them"] * (options != ReservedName()),
            ),
        ),
    ),
    (Check.CHOICES, with_options(UnnamedValues)),
    (Check.CHOICES, with_options(AnyStones)),
    (Check.SENTENCES, replace(PACKAGE, words=replace(PACKAGE.words, error_messages=MISSING_SENTENCES))),
    (Check.SENTENCES, replace(PACKAGE, words=replace(PACKAGE.words, error_messages=UNKNOWN_FACT))),
    (Check.VALUES, with_game(KeepsLists())),
    (Check.VALUES, with_game(SeesDifferently())),
    (Check.VALUES, with_game(OffersLists())),
    (Check.SEAT, with_game(SeatsNobody())),
    (Check.MOVES, with_game(OffersNothing())),
    (Check.FORCED, replace(PACKAGE, mind=replace(PACKAGE.mind, find_forced_end=lambda _view: Toss()))),
    (Check.STABLE, with_game(TurnsMovesRound())),
    (Check.UNIQUE, with_game(OffersTwice())),
    (Check.KINDS, with_game(MixesKinds())),
    (Check.LEGAL, with_game(OffersTooMuch())),
    (Check.ILLEGAL, with_game(HidesMove())),
    (Check.ILLEGAL, with_game(LetsNegativesThrough())),
    (Check.ILLEGAL, with_game(FailsOnNegatives())),
    (Check.ANSWERED, with_game(StumblesOverMuch())),
    (Check.ANSWERED, with_game(SaysTrue())),
    (Check.OTHERS, with_game(LetsAnybodyMove())),
    (Check.PLAY_REFUSES, with_game(PlaysAnything())),
    (Check.PLAY_REFUSES, with_game(RollsBeforeLooking())),
    (Check.NOTATION, with_game(ReadsOneMore())),
    (Check.UNREADABLE, with_game(Stumbles())),
    (Check.UNREADABLE, with_game(ReadsAnything())),
    (Check.UNREADABLE, with_game(RefusesOtherwise())),
    (Check.DETERMINED, with_game(RollsItsOwn())),
    (Check.DETERMINED, with_game(StartsAnywhere())),
    (Check.UNTOUCHED, with_game(Scribbles())),
    (Check.AUDIT, with_game(LosesStones())),
    (Check.POSITION, with_game(WritesLines())),
    (Check.POSITION, with_game(CountsPositions())),
    (Check.AUDIENCE, with_game(TellsOneSeat())),
    (Check.LONGEST, with_game(NeverEnds())),
    (Check.UNFINISHED, with_game(RanksEarly())),
    (Check.OUTCOME, with_game(RanksNobody())),
    (Check.OUTCOME, with_game(ForgetsSeat())),
    (Check.SCORES, replace(PACKAGE, results=replace(PACKAGE.results, scores_of=lambda state: state.scores[1:]))),
    (Check.SCORES, replace(PACKAGE, results=replace(PACKAGE.results, scores_of=lambda state: [0] * len(state.scores)))),
    (
        Check.SCORES,
        replace(PACKAGE, results=replace(PACKAGE.results, scores_of=lambda state: [2**31] * len(state.scores))),
    ),
    (Check.OVER, with_game(OffersAfterwards())),
    (Check.OVER, with_game(KeepsSilentAfterwards())),
    (Check.REPLAY, with_game(ForgetsTosses())),
    (Check.LIMITS, with_screen_change(lambda screen: replace(screen, note="-" * 2049))),
    (Check.KEYS, with_screen_change(highlight_all)),
    (Check.KEYS, with_screen_change(with_menus(make_menu("a"), replace(make_menu("b"), key="a")))),
    (Check.KEYS, with_screen_change(with_menus(make_menu("a"), replace(make_menu("a"), key="b")))),
    (Check.LIMITS, with_screen_change(with_menus(make_menu(description="-" * 101)))),
    (Check.IDS, with_screen_change(with_menus(make_menu("More")))),
    (Check.IDS, with_screen_change(with_menus(make_menu(effect=Toggle(64))))),
    (Check.PRESSABLE, with_screen_change(with_menus(make_menu(effect=Play("take 4"))))),
    (Check.IDS, with_screen_change(with_control(Control("One more", "Toss", Play("toss"))))),
    (Check.IDS, with_screen_change(with_control(Control("x" * 25, "Toss", Play("toss"))))),
    (Check.IDS, with_screen_change(with_control(Control("far", "Far", Toggle(64))))),
    (Check.PRESSABLE, with_screen_change(with_control(Control("more", "Four", Play("take 4"), Tone.MAIN)))),
    (Check.PRESSABLE, with_screen_change(with_control(Control("shout", "Shout", Play("shout"))))),
    (Check.PICKS, with_screen_change(change_while_playing(with_control(Control("idle", "Idle", Toggle(3)))))),
    (Check.PICKS, with_screen_change(change_while_playing(with_menus(make_menu(effect=Toggle(3)))))),
    (Check.STEADY, with_screen_change(change_while_playing(without_single_stones))),
    (Check.FEW_BUTTONS, with_screen_change(change_while_playing(with_many_buttons))),
    (Check.COLOURED, with_screen_change(change_while_playing(with_only_a_menu))),
    (Check.OFFERED, with_screen_change(without_controls)),
    (
        Check.OFFERED,
        replace(
            with_screen_change(without_controls),
            words=replace(
                with_screen_change(without_controls).words,
                build_hand_screen=with_screen_change(without_controls).words.build_screen,
            ),
        ),
    ),
    (
        Check.PRESSABLE,
        replace(
            PACKAGE,
            words=replace(
                PACKAGE.words,
                build_hand_screen=with_screen_change(
                    with_control(Control("shout", "Shout", Play("shout")))
                ).words.build_screen,
            ),
        ),
    ),
    (Check.PICTURE, replace(PACKAGE, look=replace(PACKAGE.look, build_picture=draw_outside_picture))),
    (Check.PICTURE, replace(PACKAGE, look=replace(PACKAGE.look, build_hand_picture=draw_outside_picture))),
    (Check.LEGIBLE, with_label("first to 100")),
    (Check.LEGIBLE, with_label("+14", 36)),
    (Check.LEGIBLE, with_label("A word in disguise", is_name=True)),
    (Check.MOTION, with_motion()),
    (Check.MOTION, with_motion(Rect(0, 0, 25, 25))),
    (Check.MOTION, with_motion(Rect(0, 0, 40, 40), Rect(20, 0, 40, 40))),
    (Check.MOTION, with_motion(Rect(0, 0, 40, 40), tells=True)),
    (Check.READING_NAMES, replace(PACKAGE, words=replace(PACKAGE.words, build_reading=lambda _view, _names: ""))),
    (
        Check.TIPS,
        replace(
            PACKAGE, study=replace(PACKAGE.study, find_tips=lambda _view, _news: [Tip("bold", "Roll *all* dice.")])
        ),
    ),
    (
        Check.TIPS,
        replace(
            PACKAGE, study=replace(PACKAGE.study, find_tips=lambda _view, _news: [Tip("Not a key", "Roll the dice.")])
        ),
    ),
    (
        Check.READING_NAMES,
        replace(PACKAGE, words=replace(PACKAGE.words, build_reading=lambda _view, names: f"{names[0]} plays.")),
    ),
    (Check.TOLD, narrated(tell=lambda _view, _event, _names: "two\nlines")),
    (Check.TOLD, narrated(summarize=lambda _view, _news: "x" * 1001)),
    (Check.TOLD, narrated(highlight=lambda _view, _events: Highlight("x" * 23, "+1", 1))),
    (Check.TOLD, narrated(highlight=lambda _view, _events: Highlight("Bust", "", 1))),
    (Check.TOLD, narrated(highlight=lambda _view, _events: Highlight("Bust", "+0", 4))),
    (Check.PICTURE, narrated(highlight=lambda _view, _events: Highlight("Bust", "+0", 1, pieces=(WIDE_PIECE,)))),
    (Check.TOLD, narrated(highlight=lambda _view, _events: Highlight("Bust", "+0", 1, pieces=(NAMELESS_PIECE,)))),
    (Check.ACCENT, with_screen_change(lambda screen: replace(screen, accent=3))),
    (Check.PLAYERS, replace(PACKAGE, mind=replace(PACKAGE.mind, strategies={"greedy": Greedy()}))),
    (
        Check.ADVICE,
        replace(
            with_values(lambda moves: [0.0 if str(move) == "toss" else 1.0 + at for at, move in enumerate(moves)]),
            words=with_screen_change(with_toss_highlighted).words,
        ),
    ),
    (Check.VALUED, with_values(lambda moves: [0.0] * (len(moves) - 1))),
    (Check.VALUED, with_values(lambda moves: [inf] * len(moves))),
    (
        Check.MOVE_TEXTS,
        replace(
            PACKAGE, mind=replace(PACKAGE.mind, evaluate=lambda _view, moves: Evaluation([0.0] * len(moves), Unit.WINS))
        ),
    ),
    (Check.MOVE_TEXTS, replace(PACKAGE, study=replace(PACKAGE.study, describe_move=lambda _view, _move: "x" * 61))),
    (Check.MOVE_TEXTS, replace(PACKAGE, study=replace(PACKAGE.study, describe_move=lambda _view, _move: "take"))),
    (
        Check.MOVE_TEXTS,
        replace(
            PACKAGE,
            study=replace(PACKAGE.study, describe_move=lambda _view, move: str(move)),
            mind=replace(PACKAGE.mind, key_of=lambda _view, move: type(move).__name__),
        ),
    ),
]
