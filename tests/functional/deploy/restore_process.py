"""Restores an archive into a data folder and kills itself at a stage: restore_process.py DATA ARCHIVE STAGE."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from almanac.backup import restore_backup
from almanac.backup.restore import RestoreStage
from almanac.bootstrap import open_stores
from almanac.config import Settings


async def restore(data: Path, archive: Path, last: RestoreStage) -> None:
    def stop(stage: RestoreStage) -> None:
        if stage is last:
            os.kill(os.getpid(), signal.SIGKILL)

    async with open_stores(Settings(data=data)) as stores:
        await restore_backup(stores, archive, reached=stop)


asyncio.run(restore(Path(sys.argv[1]), Path(sys.argv[2]), RestoreStage(sys.argv[3])))
