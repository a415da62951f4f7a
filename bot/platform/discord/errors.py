"""Errors of requests to Discord."""


class MessageGone(Exception):
    """The table's message was deleted; a new one can be posted."""


class PostedMeanwhile(Exception):
    """The table got another message meanwhile, so it is not posted again."""


class ChannelUnreachable(Exception):
    """The bot can't post in the table's channel: the channel was deleted, or a permission is missing."""


class ThreadArchived(ChannelUnreachable):
    """The table's thread is archived: nothing in it can be edited until a person writes or clicks there."""


class ChannelDeleted(ChannelUnreachable):
    """The table's channel was deleted for good."""


class RefusesDirectMessages(ChannelUnreachable):
    """The person accepts no direct messages from the bot."""


class TooManyEdits(MessageGone):
    """The table's message was edited too often; it can't be edited for about an hour."""


class DeliveryFailed(Exception):
    """Showing the table failed for now."""


class RetryLater(DeliveryFailed):
    """Discord's rate limit forbids the request for now; the next attempt waits for it."""


class DiscordUnavailable(DeliveryFailed):
    """Discord could not be reached, or answered with a server error."""


class DiscordTimeout(DiscordUnavailable):
    """Discord did not answer a request in time."""
