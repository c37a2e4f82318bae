"""`python -m portproof`: the command."""

from portproof.cli import main

main()
