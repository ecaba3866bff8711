# expects: answers
# It ends its lines as another system does.
for _ask in asks():
    write('{"id": %d, "choose": 0}\r\n' % _ask["id"])
