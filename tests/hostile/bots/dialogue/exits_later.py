# expects: crash
# detail: without a word
# It answers once and ends.
for _ask in asks():
    answer(_ask)
    break
