# expects: nonsense
# detail: id
# It does not say which question it answers.
for _ask in asks():
    write('{"choose": 0}\n')
