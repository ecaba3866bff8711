"""Pairing of a round: rests, tables and seats. Pure functions, deterministic given the field and the draw.

Criteria in descending weight: forbidden pairs never meet; repeats are avoided if possible; entries of one author are
apart; short tables go round; nobody has one seat over one time more often than another; tables hold one score group;
seats are even. Rests go round, the lowest first. Tables of two are an exact matching (`matching`), larger ones are
improved by exchanges (`grouping`), seats are an exact assignment (`seats`). A certificate records the result
(`weighing`). Work is limited by a count, not by time.
"""
