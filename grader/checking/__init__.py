"""Behind `static_check`: names, scopes and the constants that a program can spell them with."""
