"""People and their ways in: users, roles, sessions, API tokens, one-time links and single sign-on.

`permissions` decides what a role may do, `port.Principals` tells who is asking, and `service` holds the verbs.
"""
