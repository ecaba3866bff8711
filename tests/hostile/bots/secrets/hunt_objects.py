# expects: held
@attempt
def look():
    """Search everything that lives in this interpreter for the worker's secret."""
    import gc

    word = HINTS["drow"][::-1]
    nearby = [inner for thing in gc.get_objects() for inner in gc.get_referents(thing)]
    values = [value for thing in nearby if isinstance(thing, dict) for value in list(thing.values())]
    return sum(value in (word, word.encode()) for value in nearby + values if isinstance(value, (str, bytes)))
