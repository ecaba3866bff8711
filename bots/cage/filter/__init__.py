"""The filter of system calls: their numbers in one table, which of them a bot may make, and the program that says so."""
