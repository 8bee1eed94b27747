"""Run errgen as `python -m errgen`."""

from errgen.cli import main

main(prog_name="errgen")
