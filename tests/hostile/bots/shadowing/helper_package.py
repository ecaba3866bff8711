# expects: held
# shadows: ftk_core
HERE = os.path.dirname(os.path.abspath(__file__))


@attempt
def look():
    """Ship the platform's own package, which a bootstrap must not import from the bot's folder."""
    import builtins

    early = getattr(builtins, "EARLY", "")
    sys.path.insert(0, HERE)
    sys.modules.pop("ftk_core", None)
    try:
        import ftk_core  # noqa: F401 - that it is imported is the attempt
    except ImportError:
        pass
    return early or getattr(builtins, "EARLY", "")
