"""What each command takes, declared without loading what it runs."""
