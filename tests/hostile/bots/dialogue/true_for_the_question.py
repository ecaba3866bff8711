# expects: nonsense
# detail: bool
# It gives true as the number of the question.
for _ask in asks():
    write('{"id": true, "choose": 0}\n')
