# expects: held
# shadows: traceback linecache tokenize warnings contextlib
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules that are imported when something fails, and see whether it ran before the cage was closed."""
    import builtins
    import importlib

    sys.path.insert(0, HERE)
    for module in "traceback linecache tokenize warnings contextlib".split():
        sys.modules.pop(module, None) if module not in ("os", "io", "codecs", "encodings", "abc") else None
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
