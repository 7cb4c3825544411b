"""From the names of modules to the design they declare; whatever goes wrong on the way becomes one sentence."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tablature.design.module import DEFAULT_PEAK_WRITES, Design, design_of
from tablature.errors import DeclarationError, InputError


def load_design(names: Sequence[str], *, peak_writes: int = DEFAULT_PEAK_WRITES) -> Design:
    """Import the modules and find their tables; at least one must be there."""
    design = design_of([_load(name) for name in names], peak_writes=peak_writes)
    if not design.tables:
        raise InputError(f"There is no table in {', '.join(names)}; name the module that declares Table(...).")
    return design


def _load(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return _from_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except DeclarationError as problem:
        raise InputError(f"{name} declares something wrongly: {problem}") from problem
    except ModuleNotFoundError as problem:
        if problem.name is not None and (name == problem.name or name.startswith(f"{problem.name}.")):
            raise InputError(f"There is no module {name!r} here; give a dotted name or a .py file.") from problem
        raise InputError(f"{name} can't be imported: {problem}.") from problem
    except InputError:
        raise
    except Exception as problem:  # somebody else's module may raise anything while it is imported
        raise InputError(f"{name} can't be imported: {type(problem).__name__}: {problem}.") from problem


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}; give a dotted name or a .py file.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
