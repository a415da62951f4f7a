"""What moves of Mr. Houdini's Baggage are worth."""
