"""What people make of finished tables: leaderboards, profiles and histories; free of Discord and of the database."""
