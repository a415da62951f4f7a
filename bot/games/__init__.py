"""The games: a folder each, with pure rules, a screen in words and computer players."""
