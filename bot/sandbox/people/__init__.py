"""People in the stand-in, and what Discord's own client does for them before a bot hears of it."""
