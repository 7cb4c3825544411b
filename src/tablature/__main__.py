"""Runs the command line: `python -m tablature lint my_app.tables`."""

import sys

from tablature.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
