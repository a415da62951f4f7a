"""Refusals that tests expect."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.rules.refusals import Refusal, RefusalReason


@contextmanager
def refused_for(reason: RefusalReason | str) -> Iterator[None]:
    """Require that a block is refused, and for this reason."""
    with pytest.raises(Refusal) as refused:
        yield
    assert refused.value.reason == reason
