"""The kernel that every game is written against: pure, synchronous and free of Discord."""
