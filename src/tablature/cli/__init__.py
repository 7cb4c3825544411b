"""The `tablature` command: design tools for any module that declares tables. Each command is a file beside this one."""
