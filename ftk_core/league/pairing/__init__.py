"""Pairing of a round: who rests, who meets at which table, who sits where. The same input gives the same pairing.

Criteria, the most important first: forbidden pairs never meet; repeated meetings are avoided; entries of one author are
kept apart; entries take turns at short tables; nobody has one seat over one time more often than another; the entries
of a table have equal points; seats are even. Entries also take turns at resting, the lowest first. Tables of two are an
exact matching (`matching`), larger ones are improved by exchanges (`grouping`), seats are an exact assignment
(`seats`). A certificate records the quality of the pairing (`weighing`). Work is limited by a count, not by time.
"""
