"""What Discord demands of the bodies of requests."""
