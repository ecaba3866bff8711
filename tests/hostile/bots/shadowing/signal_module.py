# expects: held
# shadows: signal
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship a module that a bootstrap may import late, and see whether it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in ["signal"]:
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module takes it away
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
