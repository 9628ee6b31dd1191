"""Behind `compare`, `hints` and `summarize`: values past their overrides, and what is close."""
