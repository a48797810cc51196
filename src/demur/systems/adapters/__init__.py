"""Adapters: what people have, made into systems."""
