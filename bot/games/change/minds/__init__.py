"""What moves of Change are worth."""
