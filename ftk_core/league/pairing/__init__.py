"""Pairing of a round: resting entries, tables and seats. The same input gives the same pairing on every machine.

Criteria, the most important first: forbidden pairs never meet; repeated meetings are avoided; entries of the same
author are kept apart; entries take turns at tables that are not full; no seat gap exceeds one; the entries of a table
have equal points; every entry sits equally often in each seat. The seat gap of an entry is how much more often it has
sat in one seat than in another. Entries take turns at resting: the lowest in the standings rest first.

Tables of two are paired by an exact matching (`two_seat_table_pairing`), larger tables are improved by exchanges of
entries (`larger_table_pairing`), and seats are assigned exactly (`seat_assignment`). A certificate records the quality
of the pairing (`pairing_certificate_computation`). Work is limited by a count of operations, not by time.
"""
