"""Permissions of the news desk."""

READ = "desk.news.read"
WRITE = "desk.news.write"
