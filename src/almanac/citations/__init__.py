"""Citations between desks: passages with their location, and which document cites which of them.

The desk that owns a text finds passages in it; the desk that cites decides what to do with them.
"""
