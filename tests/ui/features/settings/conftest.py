"""Magpie with a picture, so that pictures can be chosen."""

import pytest

from bot.tables.registry import GameRegistry
from tests.support.magpie_with_picture import PICTURE_REGISTRY


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY
