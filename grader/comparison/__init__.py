"""Behind `compare`, `hints` and `summarize`: values read past their overrides, and what is close."""
