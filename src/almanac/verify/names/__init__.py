"""Names in a text: how they are recognised in each script, their other forms, and whether the sources have them."""
