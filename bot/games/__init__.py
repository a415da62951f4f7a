"""The games: a folder each, with pure rules, a screen in words, a picture and computer players."""
