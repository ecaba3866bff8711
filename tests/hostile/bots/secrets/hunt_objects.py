# expects: held
@attempt
def look():
    """Search all objects of this interpreter for the worker's secret."""
    import gc

    nearby = [inner for thing in gc.get_objects() for inner in gc.get_referents(thing)]
    values = [value for thing in nearby if isinstance(thing, dict) for value in list(thing.values())]
    texts = [os.fsencode(value) for value in nearby + values if isinstance(value, (str, bytes)) and len(value) == 24]
    return sum(text[::-1] == HINTS["drow"].encode() for text in texts)  # this bot never creates the word itself
