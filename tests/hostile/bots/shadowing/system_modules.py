# expects: held
# shadows: fcntl select mmap struct socket
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules of the kind that a cage needs itself, and see whether it ran before the cage was closed."""
    import builtins
    import importlib

    sys.path.insert(0, HERE)
    for module in ("fcntl", "select", "mmap", "struct", "socket"):
        sys.modules.pop(module, None) if module not in ("os", "io", "codecs", "encodings", "abc") else None
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
