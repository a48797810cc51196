"""Tables as answers: values, comparison, explanation."""
