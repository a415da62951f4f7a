"""What lies where in Fortune's picture."""

import re
from collections.abc import Iterable, Sequence

from bot.games.fortune.card_picture import CARD_SIZE, card_marks
from bot.games.fortune.dice_picture import FACE_ART, skull_marks
from bot.games.fortune.pieces import CardKind, Face, FortuneOptions, GameEvent, State
from bot.games.fortune.words import CARD_TEXTS
from bot.rules.components import Nameplate
from bot.rules.motion import Motion, Played
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.screen import EMPTY_DRAFT, Screen, to_news
from bot.words import gettext as _
from tests.games.fortune.positions import CARDS, GAME, PACKAGE, at, make_positions, play, worth
from tests.support.each_case import each_case
from tests.support.named_positions import NamedPosition
from tests.support.picture_checks import find_flaws

NAMES = ("Ada", "Ben", "Cleo", "Dan")
PERCENT = re.compile(r"\d+%")


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    assert PACKAGE.look.build_picture is not None
    return PACKAGE.look.build_picture(
        GAME.view(state, None), events, [Nameplate(name) for name in NAMES[: len(state.scores)]]
    )


def screen_of(state: State) -> Screen:
    names = NAMES[: len(state.scores)]
    return PACKAGE.words.build_screen(GAME.view(state, None), to_news((), names), names, EMPTY_DRAFT)


def sprites(marks: Iterable[Mark]) -> list[Sprite]:
    return [mark for mark in marks if isinstance(mark, Sprite)]


def texts(marks: Iterable[Mark]) -> list[str]:
    return [mark.text for mark in marks if isinstance(mark, Label)]


def dice(drawn: Picture) -> list[Rect]:
    """Return the areas of the dice in two rows, in the order of their places."""
    bodies = [mark.at for mark in sprites(drawn.marks) if mark.name.startswith("fortune/die")]
    return sorted((area for area in bodies if area.bottom <= top_of_rows(drawn)), key=lambda area: (area.y, area.x))


def places_with(drawn: Picture, name: str) -> list[int]:
    """Return the places of the dice on which there is art."""
    art = [mark.at for mark in sprites(drawn.marks) if mark.name == name]
    return [place for place, die in enumerate(dice(drawn), 1) if any(die.contains(each) for each in art)]


# Rare positions beside those that are named.
RARE = (
    at("skulls-2", "KKKKKKKK", rolls=2, island=True),
    at("sorceress", "KKKKMPGD", spell=False, island=True),
    at("captain", "GGGMPSKK", scores="-300/1200/19900/0", options=FortuneOptions(target=20_000)),
)


def test_nothing_overlaps_and_the_height_depends_on_the_seats_alone() -> None:
    """FO-3 to FO-9 and FO-C1 to FO-C9."""
    for name, position in (make_positions() | {str(state): NamedPosition(state) for state in RARE}).items():
        drawn = draw(position.state, position.events)
        assert list(find_flaws(drawn)) == [], name
        assert drawn.size == (1000, {2: 730, 3: 834, 4: 842}[len(position.state.scores)]), name


def test_a_page_of_the_guide_shows_and_names_each_card() -> None:
    """FO-C1 to FO-C9."""
    pages = [
        (page.text, {mark.name for mark in sprites(page.build_picture().iter_marks())})
        for page in PACKAGE.study.guide.build_pages(FortuneOptions())
    ]
    missing = [
        kind
        for kind in CardKind
        if not any(
            _(CARD_TEXTS[kind].name) in text and any(art_of(name) <= drawn for name in names_of(kind))
            for text, drawn in pages
        )
    ]
    assert missing == []


def names_of(kind: CardKind) -> list[str]:
    return [name for name, card in CARDS.items() if card.kind is kind]


def art_of(card: str) -> set[str]:
    return {mark.name for mark in sprites(card_marks(at(card).turn, Rect(0, 0, *CARD_SIZE)))}


def test_no_two_cards_look_the_same() -> None:
    looks = {tuple(card_marks(at(card).turn, Rect(0, 0, *CARD_SIZE))) for card in CARDS}
    assert len(looks) == len(CARDS)


def test_each_die_shows_its_face_at_its_place() -> None:
    drawn = draw(at("gold", "KMPSGDDK"))
    assert {face: places_with(drawn, art) for face, art in FACE_ART.items()} == {
        Face.SKULL: [1, 8],
        Face.MONKEY: [2],
        Face.PARROT: [3],
        Face.SWORD: [4],
        Face.GOLD: [5],
        Face.DIAMOND: [6, 7],
    }
    assert len(dice(draw(at("gold")))) == 8, "blank dice wait for the first roll"


def test_dice_in_the_chest_are_framed_and_its_tag_says_what_they_save() -> None:
    """FO-C1."""
    before = at("treasure-chest", "KGGGDMPS")
    drawn = draw(*play(before, "roll 6 7 chest 2 3 5", "MM"))
    for shown, chest in ((drawn, [2, 3, 5]), (draw(before), [])):
        trays = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.fill is ColourRole.VIOLET]
        assert [place for place, die in enumerate(dice(shown), 1) if any(tray.contains(die) for tray in trays)] == chest
    assert f"+{worth('treasure-chest', 'GGD')}" in texts(drawn.marks)


@each_case(
    "state, places, skulls",
    [
        (at("gold"), 3, 0),
        (at("skulls-2"), 3, 2),
        (at("skulls-1", "KGMMPPSD"), 3, 2),
        (at("sorceress", "KKKMMPPD"), 3, 3),
        (at("gold", "KKKKMPGD", island=True), 4, 4),
        (at("skulls-2", "KKKKKKKK", island=True), 10, 10),
    ],
)
def test_skulls_of_card_and_dice_have_places_and_the_third_is_red(state: State, places: int, skulls: int) -> None:
    """FO-3, FO-9 and FO-C7."""
    marks = list(skull_marks(state.turn, Rect(20, 216, 250, 124)))
    boxes = [mark for mark in marks if isinstance(mark, Box)]
    assert (len(boxes), len(sprites(marks))) == (places, skulls)
    assert [box.border for box in boxes].count(ColourRole.GOLD) == state.turn.card.skulls
    assert [nth for nth, box in enumerate(boxes) if box.border is ColourRole.BAD] == ([2] if places == 3 else [])


@each_case(
    "state",
    [
        at("captain", "MGKGKSDG", rolls=2),
        at("sorceress", "KGMMPPSK"),
        at("sorceress", "KKKMMPPD"),
        at("captain", "KKKKMPGD", island=True),
        at("gold"),
    ],
)
def test_the_risk_is_the_one_that_the_shortcut_names(state: State) -> None:
    """FO-3, FO-9 and FO-C3."""
    (shortcut, *_others) = screen_of(state).shortcuts
    shown = [text for text in texts(draw(state).marks) if "%" in text]
    assert shown[0] == next(iter(PERCENT.findall(shortcut.label)), "0%")
    assert any(mark.name == "fortune/orb" for mark in sprites(draw(state).marks)) == state.turn.spell


@each_case(
    "name, backdrop",
    [
        ("bust with points", "rays-bust"),
        ("bust in a battle", "rays-bust"),
        ("off the Island", "scene-island"),
        ("past the line", "rays-triumph"),
        ("stopped with swords", None),
        ("stopped for nothing", None),
        ("first roll", None),
    ],
)
def test_a_moment_fills_the_picture_and_shows_the_next_card(name: str, backdrop: str | None) -> None:
    position = make_positions()[name]
    drawn = draw(position.state, position.events)
    (scene, *_planks) = sprites(drawn.backdrop)
    assert (scene.name == f"fortune/{backdrop}") == (backdrop is not None)
    assert bool(dice_frames(drawn)) == (backdrop is not None)


def dice_frames(drawn: Picture) -> list[Box]:
    """Return the frames of what can be done above the rows."""
    boxes = [mark for mark in drawn.marks if isinstance(mark, Box)]
    return [box for box in boxes if box.border is ColourRole.MARK and box.at.bottom <= top_of_rows(drawn)]


def top_of_rows(drawn: Picture) -> int:
    return min(token.y for token in row_tokens(drawn))


def row_tokens(drawn: Picture) -> list[Rect]:
    """Return the lowest token of each seat, which is that of its row."""
    tokens = [mark for mark in sprites(drawn.marks) if mark.name.startswith("token-")]
    lowest = {mark.name: mark.at for mark in sorted(tokens, key=lambda mark: mark.at.y)}
    return [lowest[name] for name in sorted(lowest)]


@each_case("ship, card, scored", [("won", "sea-battle-4-1000", "SSSS"), ("lost", "sea-battle-4-1000", "SSGG")])
def test_a_ship_sails_on_or_sinks(ship: str, card: str, scored: str) -> None:
    """FO-C4."""
    drawn = draw(*play(at(card, f"MMMM{scored}"), "stop", then="gold"))
    (found,) = [mark for mark in sprites(drawn.marks) if mark.name == "fortune/ship"]
    assert (found.rotation == 0) == (ship == "won")


def test_a_bust_shows_its_skulls_large_the_deciding_one_last_and_keeps_what_was_lost() -> None:
    """FO-3."""
    state, events = play(at("gold", "KMGGSGKD", scores="2700/1900"), "roll 2 5", "KG", "captain")
    drawn = draw(state, events)
    skulls = [mark for mark in sprites(drawn.marks) if mark.name == "fortune/die-skull"]
    lost = [mark for mark in sprites(drawn.marks) if mark.name == "fortune/die"]
    assert (len(skulls), len(lost)) == (3, 5)
    assert min(skull.at.width for skull in skulls) > 2 * max(die.at.width for die in lost)
    (flare,) = [mark for mark in sprites(drawn.marks) if mark.name == "fortune/flare"]
    assert [flare.at.contains(skull.at) for skull in skulls] == [False, False, True]
    after, more = play(state, "roll 1 2 3 4 5 6 7 8", "MMPPSSGG")
    for shown in (drawn, draw(after, (*events, *more))):
        assert "strike" in [mark.name for mark in sprites(shown.marks)]


@each_case(
    "state, badge, seats",
    [
        (at("gold", "GGMMPPSD", scores="0/7900/0"), "flag", []),
        (at("gold", "GGMMPPSD", scores="0/8100/0", crosser=1), "flag", [1]),
        (at("gold", "GGMMPPSD", scores="0/8100/8300", crosser=1), "flag", [2]),
        (at("gold", "GGMMPPSD", scores="8200/8100/0", crosser=1)._replace(mover=None), "crown", [0]),
        (at("gold", "GGGGGGGG", scores="0/8100/0")._replace(mover=None, nine=2), "crown", [2]),
    ],
)
def test_the_score_to_beat_has_a_flag_and_who_won_a_crown(state: State, badge: str, seats: list[int]) -> None:
    """FO-8, FO-E1 and FO-E2."""
    drawn = draw(state)
    worn = [mark.at for mark in sprites(drawn.marks) if mark.name == badge]
    assert [seat for seat, token in enumerate(row_tokens(drawn)) if any(each.overlaps(token) for each in worn)] == seats


def roll_in_motion(state: State, move: str, rolled: str, then: str | None = None) -> Motion:
    after, events = play(state, move, rolled, then)
    assert PACKAGE.look.find_motion is not None
    motion = PACKAGE.look.find_motion(Played(state, (), after, events), [Nameplate(name) for name in NAMES[:2]])
    assert motion is not None
    return motion


def skulls_in(marks: Iterable[Mark]) -> int:
    return sum(mark.name == FACE_ART[Face.SKULL] for mark in sprites(marks))


def test_a_tumbling_die_never_shows_a_skull() -> None:
    """FO-2."""
    motion = roll_in_motion(at("captain", ""), "roll 1 2 3 4 5 6 7 8", "KKGGMPSD")
    assert len(motion.pieces) == 8
    assert sum(skulls_in(piece.rest) for piece in motion.pieces) == 2
    assert not any(skulls_in(look) for piece in motion.pieces for look in piece.looks)
    assert dice(motion.before) == []


def test_kept_dice_skulls_and_stakes_are_as_before_the_roll() -> None:
    """FO-3."""
    state = at("captain", "KGGGMPSD")
    motion = roll_in_motion(state, "roll 5 6", "KG")
    kept, before = dice(motion.before), draw(state)
    assert kept == [die for place, die in enumerate(dice(before), 1) if place not in (5, 6)]
    assert texts(motion.before.marks) == texts(before.marks)
    assert motion.staging == ()


def test_dice_of_rolls_that_were_not_shown_tumble_with_the_newest() -> None:
    """FO-2."""
    state = at("captain", "KGGGMPSD")
    middle, unseen = play(state, "roll 5 6", "PM")
    after, newest = play(middle, "roll 2 6", "SS")
    assert PACKAGE.look.find_motion is not None
    motion = PACKAGE.look.find_motion(Played(state, (), after, (*unseen, *newest)), ())
    assert motion is not None
    assert dice(motion.before) == [die for place, die in enumerate(dice(draw(state)), 1) if place not in (2, 5, 6)]
    rest = [mark for piece in motion.pieces for mark in sprites(piece.rest)]
    assert [mark.name for mark in rest[1::2]] == [FACE_ART[face] for face in (Face.SWORD, Face.PARROT, Face.SWORD)]


def test_the_skull_that_ends_a_turn_rests_last_and_then_its_place_lights_up() -> None:
    """FO-3."""
    motion = roll_in_motion(at("captain", "KKGGMPSD"), "roll 5 6 7", "GKM", "gold")
    assert [skulls_in(piece.rest) for piece in motion.pieces] == [0, 0, 1]
    (staged,) = motion.staging
    assert skulls_in(staged.marks) - skulls_in(motion.before.marks) == 2, "one on a die, one in its place"
    assert texts(staged.marks) == texts(motion.before.marks)
