"""What people do with habits: one function per verb, each for a principal and only on their own data."""
