"""Errors of the database."""


class StoreUnavailable(Exception):
    """The database does not work, so nothing was read or written: a disk is full or gone, or a server is down."""

    def __init__(self, reason: str = "", advice: str = "") -> None:
        super().__init__(reason)
        self.advice = advice
        """What the host can do about it, as sentences; empty if that is not known."""


class OutcomeUnknown(StoreUnavailable):
    """A write was given up on but may have been committed, or may still be; reload to find out."""
