"""Error responses in Discord's format."""

from enum import IntEnum

from bot.sandbox.wire import Json


class ErrorCode(IntEnum):
    """Discord's JSON error codes."""

    GENERAL = 0
    UNKNOWN_APPLICATION = 10002
    UNKNOWN_CHANNEL = 10003
    UNKNOWN_GUILD = 10004
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_MEMBER = 10007
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    UNKNOWN_COMMAND = 10063
    TOO_MANY_FILES = 30015
    TOO_MANY_EDITS = 30046
    TOO_LARGE = 40005
    ALREADY_ACKNOWLEDGED = 40060
    MISSING_ACCESS = 50001
    DIRECT_MESSAGES = 50003
    NOT_THE_AUTHOR = 50005
    EMPTY_MESSAGE = 50006
    NOT_REACHABLE = 50007
    MISSING_PERMISSIONS = 50013
    WRONG_CHANNEL = 50024
    INVALID_RECIPIENT = 50033
    INVALID_WEBHOOK_TOKEN = 50027
    INVALID_FORM = 50035
    INVALID_JSON = 50109
    ARCHIVED_THREAD = 50083
    NO_REPLY_WITHOUT_HISTORY = 160002
    THREAD_EXISTS = 160004
    LOCKED_THREAD = 160005


_RESPONSES: dict[ErrorCode, tuple[int, str]] = {
    ErrorCode.UNKNOWN_APPLICATION: (404, "Unknown Application"),
    ErrorCode.UNKNOWN_CHANNEL: (404, "Unknown Channel"),
    ErrorCode.UNKNOWN_GUILD: (404, "Unknown Guild"),
    ErrorCode.UNKNOWN_MESSAGE: (404, "Unknown Message"),
    ErrorCode.UNKNOWN_MEMBER: (404, "Unknown Member"),
    ErrorCode.UNKNOWN_WEBHOOK: (404, "Unknown Webhook"),
    ErrorCode.UNKNOWN_INTERACTION: (404, "Unknown interaction"),
    ErrorCode.UNKNOWN_COMMAND: (404, "Unknown application command"),
    ErrorCode.TOO_MANY_FILES: (400, "Maximum number of attachments in a message reached (10)"),
    ErrorCode.TOO_MANY_EDITS: (
        429,
        "Maximum number of edits to messages older than 1 hour reached. Try again later.",
    ),
    ErrorCode.TOO_LARGE: (413, "Request entity too large"),
    ErrorCode.ALREADY_ACKNOWLEDGED: (400, "Interaction has already been acknowledged."),
    ErrorCode.MISSING_ACCESS: (403, "Missing Access"),
    ErrorCode.DIRECT_MESSAGES: (403, "Cannot execute action on a DM channel"),
    ErrorCode.NOT_THE_AUTHOR: (403, "Cannot edit a message authored by another user"),
    ErrorCode.EMPTY_MESSAGE: (400, "Cannot send an empty message"),
    ErrorCode.NOT_REACHABLE: (400, "Cannot send messages to this user"),
    ErrorCode.MISSING_PERMISSIONS: (403, "Missing Permissions"),
    ErrorCode.WRONG_CHANNEL: (400, "Cannot execute action on this channel type"),
    ErrorCode.INVALID_RECIPIENT: (400, "Invalid Recipient(s)"),
    ErrorCode.INVALID_WEBHOOK_TOKEN: (401, "Invalid Webhook Token"),
    ErrorCode.INVALID_FORM: (400, "Invalid Form Body"),
    ErrorCode.INVALID_JSON: (400, "The request body contains invalid JSON."),
    ErrorCode.ARCHIVED_THREAD: (400, "Thread is archived"),
    ErrorCode.NO_REPLY_WITHOUT_HISTORY: (400, "Cannot reply without permission to read message history"),
    ErrorCode.THREAD_EXISTS: (400, "A thread has already been created for this message"),
    ErrorCode.LOCKED_THREAD: (400, "Thread is locked"),
}


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
    status, message = _RESPONSES[code]
    return ApiError(status, code, message, errors)


def direct_messages_closed() -> ApiError:
    """Return the error for a user who accepts no direct messages."""
    return ApiError(403, ErrorCode.NOT_REACHABLE, _RESPONSES[ErrorCode.NOT_REACHABLE][1])


def unauthorized() -> ApiError:
    """Return the error for a wrong token."""
    return ApiError(401, ErrorCode.GENERAL, "401: Unauthorized")


def not_found() -> ApiError:
    """Return the error for an unknown route."""
    return ApiError(404, ErrorCode.GENERAL, "404: Not Found")
