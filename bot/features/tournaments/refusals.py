"""Why actions on tournaments are refused."""

from bot.rules.refusals import RefusalReason


class TournamentReason(RefusalReason):
    """Why an action on a tournament is refused."""

    UNKNOWN = "unknown_tournament"
    NONE_HERE = "no_tournament_here"
    ONLY_IN_SERVERS = "tournament_only_in_servers"
    ONE_SEAT = "tournament_one_seat"
    HAS_STARTED = "tournament_has_started"
    NOT_RUNNING = "tournament_not_running"
    OVER = "tournament_over"
    FULL = "tournament_full"
    TOO_FEW = "tournament_too_few"
    TOO_MANY_OPEN = "tournament_too_many_open"
    NOT_ORGANIZER = "tournament_not_organizer"
    NOT_IN_IT = "tournament_not_in_it"
    THEY_ARE_NOT_IN_IT = "tournament_they_are_not_in_it"
    NOT_LATE = "tournament_not_late"
