"""Analysis of finished matches.

An audit checks the records of a match against its log and the rules. A review estimates how each choice, and luck,
changed the expected result of each seat. A what-if analysis compares one choice with its alternatives.
"""
