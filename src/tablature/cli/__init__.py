"""The `tablature` command: design tools for any module that declares tables."""
