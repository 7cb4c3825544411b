"""The desk's permissions, as roles grant them and services require them."""

READ = "desk.reminders.read"
WRITE = "desk.reminders.write"
APPROVE = "desk.reminders.approve"
SEND = "desk.reminders.send"
