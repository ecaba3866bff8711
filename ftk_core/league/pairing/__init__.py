"""Pairing of a round: resting bots, tables and seats. The same input gives the same pairing on every machine.

If some bots must rest, the pairing chooses those that have rested least often so far. Among these, it chooses the
lowest in the standings.

The tables are chosen by these criteria, the most important first:

1. Two bots never meet if an organiser has forbidden their meeting.
2. Bots meet others that they have not met before.
3. Bots of the same author do not meet.
4. Bots sit equally often at tables that are not full.
5. Bots sit equally often in each seat: no seat gap exceeds one. The seat gap of a bot is how much more often it has sat
   in its most used seat than in its least used seat.
6. The bots of a table have equal points.

Tables of two are paired by an exact matching (`two_seat_table_pairing`), larger tables by exchanges of bots
(`larger_table_pairing`). Then seats are assigned exactly, so that bots sit equally often in each (`seat_assignment`). A
certificate, a few counts published with the round, shows how good the pairing is
(`pairing_quality_certificate_computation`). Work is limited by a count of operations, not by time.
"""
