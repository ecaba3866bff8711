# expects: answers
# It ends its lines with CR and LF.
for _ask in asks():
    write('{"id": %d, "choose": 0}\r\n' % _ask["id"])
