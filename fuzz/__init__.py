"""Fuzzing of the two readers that take bytes from a stranger: values and frames."""
