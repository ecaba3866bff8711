# expects: nonsense
# detail: JSON
# It puts a comment behind a valid answer.
for _ask in asks():
    write('{"id": %d, "choose": 0} // the best\n' % _ask["id"])
