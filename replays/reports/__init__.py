"""What is said of matches afterwards: choices laid open, moments, times, what a seat is worth, what an audit found."""
