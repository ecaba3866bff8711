# expects: held
# shadows: sitecustomize usercustomize
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship modules that an interpreter imports by itself, and see whether it ran before the sandbox was closed."""
    import builtins
    import importlib

    for module in ("sitecustomize", "usercustomize"):
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module takes it away
        importlib.import_module(module)
    return getattr(builtins, "EARLY", "")
