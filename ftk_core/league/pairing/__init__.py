"""Pairing of a league round: byes, tables and seats.

The same input gives the same pairing on every machine. Criteria, the most important first:

1. Forbidden pairs never meet.
2. Bots meet new opponents.
3. Bots of the same author do not meet.
4. Bots sit equally often at tables that are not full.
5. Bots sit equally often in each seat.
6. The bots of a table have equal points.
"""
# Byes go to the bots with the fewest so far, the lowest in the standings first. Tables of two are paired by an exact
# matching, larger ones by exchanges of bots. Then seats are assigned exactly. Published counts (the certificate) show
# how good the pairing is. Work is limited by a count of operations, not by time.
