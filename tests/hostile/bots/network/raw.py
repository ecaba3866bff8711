# expects: held
# control: needs root
@attempt
def make():
    """Forge packets."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as forger:
        return forger.fileno()
