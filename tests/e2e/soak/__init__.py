"""Long runs that watch memory and tasks."""
