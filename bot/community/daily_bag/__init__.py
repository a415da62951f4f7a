"""The daily bag: one Magic Bag a day with the same dice for everyone, its boards and its streaks."""
