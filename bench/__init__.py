"""What judging costs, measured in one run so that the ratios mean something."""
