"""What makes a host refuse, by the reason that it gives."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.rules.refusals import RefusalReason
from tests.ui.adapter import Adapter

Raising: TypeAlias = Callable[[Adapter], Awaitable[object]]

BY_HOST: dict[RefusalReason, Raising] = {}
"""How a host refuses for other reasons."""


def raises(reason: RefusalReason) -> Callable[[Raising], Raising]:
    """Register a function that makes a host refuse for a reason."""

    def register(raising: Raising) -> Raising:
        assert BY_HOST.setdefault(reason, raising) is raising
        return raising

    return register
