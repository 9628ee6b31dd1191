"""Behind `spec`: positions in JSON, the schema in plain words, and faults that the text tells."""
