# expects: held
# shadows: fcntl select mmap struct socket
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules of the kind that a sandbox needs itself, and see whether it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in ("fcntl", "select", "mmap", "struct", "socket"):
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module takes it away
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
