"""What people and programs do at the recap desk: one function per action. Callers check the permissions."""
