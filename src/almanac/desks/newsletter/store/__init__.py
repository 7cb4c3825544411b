"""Every read and write of newsletters in their table and of their files, by name.

An edit names the version it was made on, a generation names its run. Neither can overwrite what it hasn't seen.
"""
