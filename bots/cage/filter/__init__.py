"""The filter of system calls: their numbers in one table, which a bot may make, and the program that says so."""
