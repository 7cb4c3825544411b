"""What Query and Scan share: the index to read, key positions, pages, and which attributes are returned."""
