"""Long runs that a test suite has no time for: faults injected, growth, load."""
