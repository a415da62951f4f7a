"""What moves of Fortune are worth."""
