"""Pairing a round: who rests, who meets whom, and who sits where; pure, and the same for the same field and lot.

In this order of weight: forbidden pairs never meet; nobody meets again while that can be avoided; entries of one
author are apart; short tables go round; nobody has one seat over one time more often than another; tables are of one
score group; seats are even. Rests go round, the lowest first. Tables of two are an exact matching (`matching`), larger
ones are improved by exchanges (`grouping`), seats are an exact assignment (`seats`). What came of it is said in a
certificate (`weighing`). Work is limited by counting.
"""
