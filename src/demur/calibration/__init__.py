"""What a stated confidence is worth."""
