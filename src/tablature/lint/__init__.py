"""The design linter: checks of declared tables, each with a code, a reason and a fix. It sends nothing."""
