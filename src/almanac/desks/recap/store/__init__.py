"""Every read and write of the desk's two tables, by name: tasks, articles with their versions, reports of errors."""
