# expects: held
# shadows: resource
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship the module that sets the limits, and see whether it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in ["resource"]:
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module takes it away
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
