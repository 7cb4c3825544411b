"""The steps that a worker runs: retrieve, outline, draft, export, and preparing scheduled issues."""
