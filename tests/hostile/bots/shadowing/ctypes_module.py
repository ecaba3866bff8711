# expects: held
# shadows: ctypes
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship the module that makes system calls, and check if it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in ["ctypes"]:
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module removes it
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
