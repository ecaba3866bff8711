# expects: nonsense
# detail: id
# Its answer does not name the question.
for _ask in asks():
    write('{"choose": 0}\n')
