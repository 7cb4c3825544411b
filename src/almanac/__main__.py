"""The `almanac` command and `python -m almanac`.

Looking for garbage while a thousand modules load finds none and takes a tenth of the start, so it waits for them.
"""

import gc

gc.disable()

from almanac.cli.main import main  # noqa: E402 - what loads from here on is what must not be searched for garbage

gc.freeze()
gc.enable()

if __name__ == "__main__":
    main()
