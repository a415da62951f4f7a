"""Custom ids of what people can do about what is kept of them."""

from dataclasses import dataclass
from enum import StrEnum

from bot.platform.discord.ids import CustomId


class PrivacyButton(StrEnum):
    """The buttons about data; those that delete ask once or twice more."""

    SHOW = "show"
    EXPORT = "export"
    DELETE = "delete"
    DELETE_REALLY = "delete_really"
    SERVER = "server"
    SERVER_REALLY = "server_really"
    SERVER_FOREVER = "server_forever"


@dataclass(frozen=True)
class PrivacyId(CustomId, prefix="privacy"):
    """A button about data; whose it is comes from who clicks, and the server from where."""

    button: PrivacyButton
