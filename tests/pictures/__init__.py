"""Tests of the renderer, and the golden pictures."""
