# expects: held
# shadows: traceback linecache tokenize warnings contextlib
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules that are imported when something fails, and see whether it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in "traceback linecache tokenize warnings contextlib".split():
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module takes it away
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
