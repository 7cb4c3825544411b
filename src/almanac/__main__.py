"""`python -m almanac`: the same as the `almanac` command."""

from almanac.cli.main import main

if __name__ == "__main__":
    main()
