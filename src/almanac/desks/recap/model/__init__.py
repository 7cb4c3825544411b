"""Pure shapes and rules of the recap desk: the official record, what is derived from it, and what is written of it."""
