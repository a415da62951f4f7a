"""Everything that users can do, a module for each feature: moves, hands, seats, lobbies, replays, results, settings."""
