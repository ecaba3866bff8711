# expects: held
# shadows: signal
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship a module that a bootstrap may import late, and see whether it ran before the cage was closed."""
    import builtins
    import importlib

    sys.path.insert(0, HERE)
    for module in ["signal"]:
        sys.modules.pop(module, None) if module not in ("os", "io", "codecs", "encodings", "abc") else None
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
