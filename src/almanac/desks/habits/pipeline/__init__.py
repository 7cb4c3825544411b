"""Background work of the habits desk: settle a habit, handle events, start the day, remind, report and reconcile."""
