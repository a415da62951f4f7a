"""Error responses in Discord's format."""

from enum import IntEnum
from typing import Self

from bot.sandbox.wire import Json


class ErrorCode(IntEnum):
    """Discord's JSON error codes, with the HTTP status and the message of their responses."""

    status: int
    message: str

    def __new__(cls, code: int, status: int, message: str) -> Self:
        """Return the member of a code."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.status = status
        member.message = message
        return member

    GENERAL = 0, 500, "500: Internal Server Error"
    UNKNOWN_APPLICATION = 10002, 404, "Unknown Application"
    UNKNOWN_CHANNEL = 10003, 404, "Unknown Channel"
    UNKNOWN_GUILD = 10004, 404, "Unknown Guild"
    UNKNOWN_MESSAGE = 10008, 404, "Unknown Message"
    UNKNOWN_MEMBER = 10007, 404, "Unknown Member"
    UNKNOWN_EMOJI = 10014, 404, "Unknown Emoji"
    UNKNOWN_WEBHOOK = 10015, 404, "Unknown Webhook"
    UNKNOWN_INTERACTION = 10062, 404, "Unknown interaction"
    TOO_MANY_EMOJIS = 30008, 400, "Maximum number of emojis reached (2000)"
    TOO_MANY_FILES = 30015, 400, "Maximum number of attachments in a message reached (10)"
    TOO_MANY_EDITS = 30046, 429, "Maximum number of edits to messages older than 1 hour reached. Try again later."
    TOO_LARGE = 40005, 413, "Request entity too large"
    ALREADY_ACKNOWLEDGED = 40060, 400, "Interaction has already been acknowledged."
    TOO_MANY_FOLLOW_UPS = 40094, 400, "This interaction has reached the maximum number of follow up messages"
    MISSING_ACCESS = 50001, 403, "Missing Access"
    DIRECT_MESSAGES = 50003, 403, "Cannot execute action on a DM channel"
    NOT_THE_AUTHOR = 50005, 403, "Cannot edit a message authored by another user"
    EMPTY_MESSAGE = 50006, 400, "Cannot send an empty message"
    NOT_REACHABLE = 50007, 400, "Cannot send messages to this user"
    MISSING_PERMISSIONS = 50013, 403, "Missing Permissions"
    WRONG_CHANNEL = 50024, 400, "Cannot execute action on this channel type"
    INVALID_RECIPIENT = 50033, 400, "Invalid Recipient(s)"
    INVALID_WEBHOOK_TOKEN = 50027, 401, "Invalid Webhook Token"
    INVALID_FORM = 50035, 400, "Invalid Form Body"
    INVALID_JSON = 50109, 400, "The request body contains invalid JSON."
    ARCHIVED_THREAD = 50083, 400, "Thread is archived"
    NO_REPLY_WITHOUT_HISTORY = 160002, 400, "Cannot reply without permission to read message history"
    LOCKED_THREAD = 160005, 400, "Thread is locked"


_TOO_MANY_REQUESTS = 429
EDIT_RETRY_AFTER_SECONDS = 1800.0
"""Retry-After of a message that was edited too often."""


class ApiError(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: ErrorCode, message: str, errors: Json | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.errors = errors

    @property
    def payload(self) -> Json:
        """The body of the error response."""
        body: Json = {"message": str(self), "code": int(self.code)}
        if self.status == _TOO_MANY_REQUESTS:
            body |= {"retry_after": EDIT_RETRY_AFTER_SECONDS, "global": False}
        return body if self.errors is None else {**body, "errors": self.errors}


def api_error(code: ErrorCode, errors: Json | None = None) -> ApiError:
    """Return the error for a code."""
    return ApiError(code.status, code, code.message, errors)
