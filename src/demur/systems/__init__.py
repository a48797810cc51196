"""What answers: the protocol of a system, and adapters for what people have."""
