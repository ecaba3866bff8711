# expects: held
# shadows: resource
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship the module that sets the limits, and see whether it ran before the cage was closed."""
    import builtins
    import importlib

    sys.path.insert(0, HERE)
    for module in ["resource"]:
        sys.modules.pop(module, None) if module not in ("os", "io", "codecs", "encodings", "abc") else None
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
