"""The table and a hand as pictures."""
