"""The daily bag: everybody's bag of the day, with a board and streaks."""
