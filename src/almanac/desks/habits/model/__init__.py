"""The pure rules of habits: streaks, strength, points, badges and explanations, computed from the log and its rules."""
