"""The `almanac` command: thin commands that parse, call a service and print; one place turns errors into exit codes."""
