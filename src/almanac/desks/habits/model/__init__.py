"""The pure rules of habits: from a log and the rules of its time to streaks, strength, points, badges and reasons."""
