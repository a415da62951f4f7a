"""Change's guide."""

from tests.support.games import load_games_once
from tests.support.guides import guide_text


def test_the_guide_describes_every_space_and_every_card() -> None:
    text = guide_text(load_games_once()["change"])
    for name in (
        *["Habits", "Greed", "Selfishness", "Emotional", "Humility", "Arrogance", "Backslide"],
        "Take a Rest",
        "**Add**",
        "**Replace**",
        "**Any space**",
    ):
        assert name in text
    corner = "place a marker on any challenge space and go there; or give it to another player and draw 4 cards"
    assert f"**Corner 8**: {corner}" in text


def test_the_guide_says_which_markers_replace_a_picture() -> None:
    """As the pictures do: four and more at the sides, none elsewhere."""
    text = guide_text(load_games_once()["change"])
    assert "At the sides of the board, three markers make its picture smaller, and more replace it." in text
