"""Why an invitation is not stored."""

from bot.tables.refusals import HostReason


class AlreadyInvited(Exception):
    """The person was invited to the table before."""

    def __init__(self, click_id: int) -> None:
        super().__init__(click_id)
        self.click_id = click_id
        """The interaction that invited them."""


class NotInvitable(Exception):
    """A preference or a limit forbids the invitation."""

    def __init__(self, reason: HostReason) -> None:
        super().__init__(reason)
        self.reason = reason
