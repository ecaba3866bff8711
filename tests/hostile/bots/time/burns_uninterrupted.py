# expects: timeout
# detail: of computing
import signal

for _number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGXCPU, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(_number, signal.SIG_IGN)
for _ask in asks():
    while True:
        pass
