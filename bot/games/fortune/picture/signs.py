"""Draws symbols: the objects of the dice, and signed numbers in the characters of the pictures' font."""

from bot.games.fortune.pieces import Face
from bot.rules.picture import ColourRole, Mark, Rect, Sprite

FACE_ART = {face: f"fortune/{face.name.lower()}" for face in Face}


def die_marks(face: Face, at: Rect, rotation: int = 0) -> tuple[Mark, ...]:
    """Return a die with a face; skulls are white on black to stand out."""
    return (blank_die(at, face, rotation), Sprite(FACE_ART[face], _object_area(at), rotation=rotation))


def blank_die(at: Rect, face: Face | None = None, rotation: int = 0) -> Sprite:
    """Return the body of a die."""
    if face is Face.SKULL:
        return Sprite("fortune/die-skull", at, rotation=rotation)
    return Sprite("fortune/die", at, ColourRole.PAPER, rotation)


def _object_area(at: Rect) -> Rect:
    """Return the area of a die's object, above the middle because of the die's shadow."""
    side = at.width * 2 // 3
    edge = (at.width - side) // 2
    return Rect(at.x + edge, at.y + edge - at.width // 26, side, side)
