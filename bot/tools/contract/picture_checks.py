"""Checks that pictures are readable and nothing overlaps by mistake."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Protocol, TypeAlias

from bot.rules.motion import Motion
from bot.rules.picture import MIN_SHEET_TEXT_SIZE, MIN_TEXT_SIZE, Box, Label, Mark, Picture, Rect, Sprite
from bot.rules.screen import LONGEST_DESCRIPTION

MAX_SKEW = 0.04
"""The share by which a sprite's proportions may differ from its file."""


MIN_LOOKS = 2
"""The fewest looks of what moves."""

MAX_EXCESS = 12
"""How far the corners of a piece at rest may reach out of its area: those of dice are round."""


class ArtInfo(Protocol):
    """The properties of an art file."""

    @property
    def size(self) -> tuple[int, int]:
        """The largest width and height in pixels."""

    @property
    def is_tinted(self) -> bool:
        """Whether the sprite chooses the colour."""


class PictureAssets(Protocol):
    """The art and the font of pictures; hashable, because results are cached."""

    def __hash__(self) -> int: ...

    def find_art(self, name: str) -> ArtInfo | None:
        """Return the art with a name, or None."""

    def has_glyph(self, character: str) -> bool:
        """Return whether the font has a character."""

    def text_bounds_of(self, label: Label) -> Rect:
        """Return the area that a label's text covers."""

    def measure_text(self, text: str, size: int, *, is_bold: bool) -> int:
        """Return the width of a text in one line."""


def find_flaws(picture: Picture, assets: PictureAssets) -> Iterator[str]:
    """Yield a description of each flaw of a picture."""
    whole = Rect(0, 0, *picture.size)
    if not picture.description.strip() or len(picture.description) > LONGEST_DESCRIPTION:
        yield f"the description is empty or too long: {picture.description!r}"
    scenery = picture.scenery
    for scene in scenery:
        yield from find_mark_flaws(scene, assets)
    placed = [(mark, covered_area(mark, assets)) for mark in picture.iter_marks() if mark not in scenery]
    for mark, place in placed:
        if not whole.contains(place):
            yield f"leaves the picture: {mark}"
        yield from find_mark_flaws(mark, assets)
        if isinstance(mark, Label) and mark.size < MIN_SHEET_TEXT_SIZE:
            yield f"too small to be read on a phone: {mark}"
    for lower, upper in _neighbours(placed):
        if do_overlap(lower, upper):
            yield f"are in each other's way: {lower[0]} and {upper[0]}"


_WHOLE_NAME = "Шарлотта Иванова"
"""A wide name of 16 letters: so many are whole in the pictures of tables."""


def find_narrow_names(picture: Picture, assets: PictureAssets) -> Iterator[str]:
    """Yield a description of each label in which a name of 16 letters would be cut."""
    for label in (mark for mark in picture.iter_marks() if isinstance(mark, Label) and mark.is_name):
        if assets.measure_text(_WHOLE_NAME, MIN_TEXT_SIZE, is_bold=label.bold) > label.at.width - 2:
            yield f"cuts {_WHOLE_NAME}: {label}"


def find_illegible_labels(picture: Picture, names: Collection[str] | None) -> Iterator[str]:
    """Yield a description of each label that is too small for the picture of a table, or has words.

    Args:
        picture: The picture.
        names: The names of players, the only words it may have; None allows all words.
    """
    for label in (mark for mark in picture.iter_marks() if isinstance(mark, Label)):
        if label.size < MIN_TEXT_SIZE:
            yield f"smaller than {MIN_TEXT_SIZE}: {label}"
        is_allowed = names is None or (label.text in names if label.is_name else not any(map(str.isalpha, label.text)))
        if not is_allowed:
            yield f"neither a number nor a sign nor a name: {label}"


def find_motion_flaws(motion: Motion, size: tuple[int, int], assets: PictureAssets) -> Iterator[str]:
    """Yield a description of each flaw of how a picture of a size comes about."""
    for picture in (motion.before, *motion.staging):
        yield from find_flaws(picture, assets)
        if picture.size != size:
            yield f"another size than the result's {size}: {picture.size}"
    whole, areas = Rect(0, 0, *size), [piece.area for piece in motion.pieces]
    if not areas:
        yield "nothing moves"
    yield from (f"leaves the picture: {area}" for area in areas if not whole.contains(area))
    yield from (
        f"two pieces move in one area: {one}, {other}" for one, other in combinations(areas, 2) if one.overlaps(other)
    )
    for piece in motion.pieces:
        if len(piece.looks) < MIN_LOOKS:
            yield f"does not move: {piece}"
        for mark in (mark for look in piece.looks for mark in look):
            yield from find_mark_flaws(mark, assets)
            if not piece.area.contains(covered_area(mark, assets)):
                yield f"leaves the area in which it moves: {mark}"
        for mark in piece.rest:
            yield from find_mark_flaws(mark, assets)
            if not piece.area.inset(-MAX_EXCESS).contains(covered_area(mark, assets)):
                yield f"comes to rest outside its area: {mark}"


PlacedMark: TypeAlias = tuple[Mark, Rect]
"""A mark and its area."""


def _neighbours(placed: Sequence[PlacedMark]) -> Iterator[tuple[PlacedMark, PlacedMark]]:
    """Yield the pairs of marks that overlap, except those that are contained in a box, the lower first."""
    order = sorted((place.x, place.right, place.y, place.bottom, at) for at, (_, place) in enumerate(placed))
    is_text = [isinstance(mark, Label) for mark, _ in placed]
    for rank, (_, right, top, bottom, at) in enumerate(order, 1):
        for left, end, higher, lower, other in islice(order, rank, None):
            if left >= right:
                break
            # Most marks are contained in a box on purpose, and need no further check.
            if top <= higher and lower <= bottom and end <= right and at < other and not is_text[at]:
                continue
            if higher < bottom and top < lower:
                yield (placed[at], placed[other]) if at < other else (placed[other], placed[at])


@lru_cache(maxsize=10_000)
def find_mark_flaws(mark: Mark, assets: PictureAssets) -> tuple[str, ...]:
    """Return the flaws of a single mark."""
    match mark:
        case Sprite():
            return tuple(_find_sprite_flaws(mark, assets))
        case Box():
            return tuple(_find_box_flaws(mark))
        case Label():
            return tuple(_find_label_flaws(mark, assets))


def _find_sprite_flaws(sprite: Sprite, assets: PictureAssets) -> Iterator[str]:
    piece = assets.find_art(sprite.name)
    if piece is None:
        yield f"there is no art called {sprite.name}"
        return
    (width, height), at = piece.size, sprite.at
    if at.width <= 0 or at.height <= 0 or at.width > width or at.height > height:
        yield f"larger than its file, or nothing at all: {sprite}"
    elif abs(at.width * height / (at.height * width) - 1) > MAX_SKEW:
        yield f"other proportions than its file's {width} x {height}: {sprite}"
    if sprite.colour is not None and not piece.is_tinted:
        yield f"its file does not ask for a colour role: {sprite}"


def _find_box_flaws(box: Box) -> Iterator[str]:
    least = min(box.at.width, box.at.height)
    if least <= 0 or box.radius < 0 or 2 * box.radius > least:
        yield f"too small for its corners: {box}"
    if (box.border is None) != (box.border_width == 0) or box.border_width < 0 or 2 * box.border_width >= least > 0:
        yield f"an edge without a width, a width without an edge, or nothing but edge: {box}"
    if box.fill is None and (box.border is None or box.is_striped):
        yield f"shows nothing: {box}"


def _find_label_flaws(label: Label, assets: PictureAssets) -> Iterator[str]:
    if not label.text.strip():
        yield f"says nothing: {label}"
    elif label.is_name:
        pass  # it is shortened where it is drawn
    elif missing := sorted({sign for sign in label.text if not assets.has_glyph(sign)}):
        yield f"the font lacks {missing}: {label}"
    elif not label.at.contains(assets.text_bounds_of(label)):
        yield f"does not fit into its room, needs {assets.text_bounds_of(label)}: {label}"


@lru_cache(maxsize=10_000)
def _text_bounds_of(label: Label, assets: PictureAssets) -> Rect:
    return assets.text_bounds_of(label)


def covered_area(mark: Mark, assets: PictureAssets) -> Rect:
    """Return the area that a mark covers."""
    match mark:
        case Label():
            return _text_bounds_of(mark, assets) if mark.text and not mark.is_name else mark.at
        case Sprite():
            return mark.bounds
        case _:
            return mark.at


def do_overlap(lower: PlacedMark, upper: PlacedMark) -> bool:
    """Return whether two overlapping marks do so by mistake: containment and `may_overlap` are intended."""
    (under, below), (mark, above) = lower, upper
    # No mark may cover text.
    if not isinstance(under, Label) and (mark.may_overlap or below.contains(above)):
        return False
    return not (isinstance(mark, Box) and mark.fill is None and above.contains(below))
