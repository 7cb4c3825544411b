"""The `almanac` command and `python -m almanac`.

Looking for garbage while a thousand modules load finds none and takes a tenth of the start, so it waits for them.
Until they are loaded nothing is open yet, and Ctrl-C ends the process without a word.
"""

import gc
import signal

gc.disable()
signal.signal(signal.SIGINT, signal.SIG_DFL)

from almanac.cli.main import main  # noqa: E402 - what loads from here on is what must not be searched for garbage

gc.freeze()
gc.enable()
signal.signal(signal.SIGINT, signal.default_int_handler)

if __name__ == "__main__":
    main()
