"""The permissions of the habits desk."""

READ = "desk.habits.read"
WRITE = "desk.habits.write"
