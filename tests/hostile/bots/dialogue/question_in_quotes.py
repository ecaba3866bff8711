# expects: nonsense
# detail: str
# It writes the question's number as a text.
for _ask in asks():
    write('{"id": "%d", "choose": 0}\n' % _ask["id"])
