"""`python -m grader` is the command line."""

from grader.cli import main

main(prog_name="grader")
