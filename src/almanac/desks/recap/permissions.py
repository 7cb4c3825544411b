"""The desk's permissions."""

READ = "desk.recap.read"
WRITE = "desk.recap.write"
