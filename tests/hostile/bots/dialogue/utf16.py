# expects: nonsense
# It writes in another encoding.
for _ask in asks():
    write(('{"id": %d, "choose": 0}\n' % _ask["id"]).encode("utf-16"))
