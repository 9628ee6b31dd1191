"""Many submissions: read from anywhere, judged once each, written so that a crash loses nothing."""
