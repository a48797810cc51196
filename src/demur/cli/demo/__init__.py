"""The bundled example: a museum guide, its test questions, two systems' responses."""
