# expects: held
# shadows: json resource signal fcntl select mmap struct socket
HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = "json resource signal fcntl select mmap struct socket".split()


@attempt
def look():
    """Ship modules that a bootstrap or a sandbox needs, and check if one ran before the sandbox was closed."""
    import builtins
    import importlib

    early, bitten = getattr(builtins, "EARLY", ""), []
    for module in MODULES:
        builtins.EARLY = ""
        sys.modules.pop(module, None)
        sys.path.insert(0, HERE)  # each module removes it
        importlib.import_module(module)
        bitten += [module] if builtins.EARLY else []
    if 0 < len(bitten) < len(MODULES):
        os._exit(1)  # the control must show that each module has an effect
    return early or ", ".join(bitten)
