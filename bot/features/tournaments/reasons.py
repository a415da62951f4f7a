"""Error messages for refused actions on tournaments."""

from bot.features.tournaments.refusals import TournamentReason
from bot.rules.refusals import RefusalReason
from bot.words import N_

TOURNAMENT_ERROR_MESSAGES: dict[RefusalReason, str] = {
    TournamentReason.UNKNOWN: N_("I don't know that tournament. `/tournament list` shows those of this server."),
    TournamentReason.NONE_HERE: N_("There's no tournament here yet. `/tournament new` opens one."),
    TournamentReason.ONLY_IN_SERVERS: N_("Tournaments need a server's channel."),
    TournamentReason.ONE_SEAT: N_("{game} is played alone, so there's no tournament of it. Choose another game."),
    TournamentReason.HAS_STARTED: N_("This tournament has started, so its players are settled."),
    TournamentReason.NOT_RUNNING: N_("This tournament isn't being played now."),
    TournamentReason.OVER: N_("This tournament is over. `/tournament new` opens another."),
    TournamentReason.FULL: N_("This tournament is full."),
    TournamentReason.TOO_FEW: N_("A tournament needs at least two players. Wait until someone joins."),
    TournamentReason.TOO_MANY_OPEN: N_(
        "This server has ten open tournaments, which is the limit. Finish or cancel one first."
    ),
    TournamentReason.NOT_ORGANIZER: N_("Only the opener of this tournament or a moderator can do that."),
    TournamentReason.NOT_IN_IT: N_("You don't play in this tournament, or have left it already."),
    TournamentReason.THEY_ARE_NOT_IN_IT: N_("They don't play in this tournament, or have left it already."),
    TournamentReason.NOT_LATE: N_("This round still has time. You can decide games once its time is up."),
}
