"""Tests of what all games share, with small games made for them."""
