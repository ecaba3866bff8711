# expects: held
# shadows: os io codecs encodings abc stat posixpath genericpath types struct collections
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules that exist before anything starts, and check if one ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in [
        "os",
        "io",
        "codecs",
        "encodings",
        "abc",
        "stat",
        "posixpath",
        "genericpath",
        "types",
        "struct",
        "collections",
    ]:
        if module not in ("os", "io", "codecs", "encodings", "abc"):
            sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module removes it
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
