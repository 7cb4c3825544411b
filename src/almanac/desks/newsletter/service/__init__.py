"""What people do with newsletters: one function per verb, each for a principal and only on what they own."""
