"""The steps that a worker does, one file each: retrieve, outline, draft."""
