# expects: crash|timeout
# It calls itself without end, past the interpreter's own limit.
sys.setrecursionlimit(1 << 30)


def deeper(thing):
    """Recurse."""
    return repr([deeper([thing])])


for _ask in asks():
    deeper(_ask)
