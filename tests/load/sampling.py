"""Samples what the product holds while it runs: memory, open files, threads, connections, and the size of its data."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from installation import Installation

MB = 1024**2


@dataclass
class Samples:
    """Series by name, all taken at the same moments; moments are seconds since the beginning."""

    moments: list[float] = field(default_factory=list)
    series: dict[str, list[float]] = field(default_factory=dict)

    def add(self, moment: float, values: dict[str, float]) -> None:
        self.moments.append(round(moment, 1))
        for name, value in values.items():
            self.series.setdefault(name, []).append(round(value, 2))


class Sampler(threading.Thread):
    """Looks every few seconds until it is stopped."""

    def __init__(self, installation: Installation, every: float) -> None:
        super().__init__(name="sampler", daemon=True)
        self.samples = Samples()
        self._installation = installation
        self._every = every
        self._stopped = threading.Event()

    def run(self) -> None:
        begun = time.monotonic()
        while not self._stopped.wait(self._every):
            with suppress(psutil.NoSuchProcess, OSError):
                self.samples.add(time.monotonic() - begun, look(self._installation))

    def stop(self) -> Samples:
        self._stopped.set()
        self.join()
        return self.samples


def look(installation: Installation) -> dict[str, float]:
    """What is held at this moment. Web, worker and table engine are one process; the news desk reads in others.

    Of that process what is its own counts: the pages of the table file that it has mapped are the system's to drop.
    """
    assert installation.process is not None
    assert installation.data is not None
    main = psutil.Process(installation.process)
    readers = list(living(main.children(recursive=True)))
    backends = list(living(postgres_of(installation.data).children()))
    memory = main.memory_info()
    return {
        "web, worker and engine, MB": (memory.rss - memory.shared) / MB,
        "news readers, MB": sum(reader.memory_info().rss for reader in readers) / MB,
        "PostgreSQL, private MB": sum(backend.memory_full_info().uss for backend in backends) / MB,
        "open files": main.num_fds(),
        "threads": main.num_threads(),
        "connections to PostgreSQL": sum("almanac" in " ".join(backend.cmdline()) for backend in backends),
        "table file, MB": size_of(installation.data.glob("tables.db*")) / MB,
    }


def processor_seconds(installation: Installation) -> tuple[float, float]:
    """What the product and its PostgreSQL have used of the processor since they started, those who ended included."""
    assert installation.process is not None
    assert installation.data is not None
    return tuple(map(used_by, (psutil.Process(installation.process), postgres_of(installation.data))))


def used_by(process: psutil.Process) -> float:
    """With its children; of those who ended, their parent knows."""
    there = [process, *living(process.children(recursive=True))]
    return sum(sum(item.cpu_times()[:4]) for item in there)


def postgres_of(data: Path) -> psutil.Process:
    note = data / "postgres" / "server" / "postmaster.pid"
    return psutil.Process(int(note.read_text().partition("\n")[0]))


def living(processes: list[psutil.Process]) -> Iterator[psutil.Process]:
    for process in processes:
        with suppress(psutil.Error):
            process.memory_full_info()
            yield process


def size_of(files: Iterator[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.exists())
