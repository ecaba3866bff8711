# expects: crash
# detail: RecursionError
# It nests lists until the interpreter's C stack gives way.
for _ask in asks():
    thing = []
    for _ in range(1 << 20):
        thing = [thing]
    repr(thing)
    answer(_ask)
