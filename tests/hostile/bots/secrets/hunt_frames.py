# expects: held
@attempt
def look():
    """Follow the stack frames to the code that started it, and look there for a way to the worker."""
    frame, found = sys._getframe(), []
    while frame:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if value is not HINTS and isinstance(value, (dict, list, str, bytes, tuple)):
                text = repr(value) if value is not globals() else ""
                found += [name] if HINTS["drow"][::-1] in text and name != "HINTS" else []
        frame = frame.f_back
    return found or (HINTS["drow"][::-1] in repr(dict(os.environ)) and "environ, by its module")
