"""Fixtures of the tests of permissions."""

from unittest.mock import AsyncMock

import pytest

from bot.pictures.animation import Animator


@pytest.fixture(autouse=True)
def nothing_is_animated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no animation, which takes two seconds in a process of its own."""
    monkeypatch.setattr(Animator, "animate", AsyncMock(return_value=b"GIF89a"))
