"""Values of options as the text of job files, from which the library reads them with its own checks."""
import math
import numbers
import os

from . import _errors
from ._tables import TABLES

FILES = ("file", "file-or-value", "new-file", "folder")


def _refuse(name, value, wanted):
    return _errors.InputError(f"{name}: {value!r} is not {wanted}", name)


def is_masked(value):
    """Whether an array of NumPy has masked values."""
    mask = getattr(value, "mask", None) if type(value).__name__ in ("MaskedArray", "MaskedConstant") else None
    return mask is not None and bool(mask.any())


def _single(name, value):
    """The number of an array without axes; other values as they are."""
    if is_masked(value):
        raise _errors.InputError(f"{name}: some of its values are masked", name)
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def whole(name, value):
    """A whole number of 64 bits."""
    try:
        given = int(value)
        if isinstance(value, (bool, str)) or given != value or not -(1 << 63) <= given < 1 << 63:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise _refuse(name, value, "a whole number") from None
    return given


def check_mapping(name, value):
    """For blocks and items of jobs."""
    if not hasattr(value, "items"):
        raise _refuse(name, value, "a mapping of names to values")


def number(name, value):
    """The shortest text that reads back as the same number."""
    if isinstance(value, str):
        return value
    value = _single(name, value)
    if isinstance(value, (bool, str)) or not isinstance(value, numbers.Real):
        try:
            value = float(value)
        except (TypeError, ValueError, AttributeError, OverflowError):
            raise _refuse(name, value, "a number") from None
    return str(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))


def _whole(name, value):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise _refuse(name, value, "a whole number")
    value = _single(name, value)
    text = number(name, value)
    if not isinstance(value, numbers.Integral) and float(text).is_integer():
        return str(int(float(text)))
    return text


def _boolean(name, value):
    if isinstance(value, str):
        return value
    try:
        if _single(name, value) in (True, False):
            return "true" if value else "false"
    except (TypeError, ValueError):  # arrays, and values that are not known
        pass
    raise _refuse(name, value, "True or False")


def _grid(name, value):
    """first:last:points from a triple, or from a uniform array of any length but three."""
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return number(name, value)
    value = _single(name, value)
    try:
        values = list(value) if not isinstance(value, numbers.Real) else [value]
    except TypeError:
        raise _refuse(name, value, "a grid: (first, last, points), a uniform array, or a number") from None
    if isinstance(value, tuple) and len(values) == 2:
        return ":".join(number(name, part) for part in values)
    if isinstance(value, tuple) and len(values) == 3:
        return f"{number(name, values[0])}:{number(name, values[1])}:{_whole(name, values[2])}"
    if not values:
        raise _refuse(name, value, "a grid: it is empty")
    if len(values) == 1:
        return number(name, values[0])
    # numbers of 32 bits are equidistant as far as those can be
    rounding = 2e-7 if getattr(getattr(value, "dtype", None), "name", "") == "float32" else 1e-9
    try:
        values = [float(part) for part in values]
    except (TypeError, ValueError):
        raise _refuse(name, value, "a grid: (first, last, points), a uniform array of numbers, or a number") from None
    if not all(map(math.isfinite, values)):
        raise _errors.InputError(f"{name}: some of the values are not finite", name)
    first, last, steps = values[0], values[-1], len(values) - 1
    allowed = rounding * max(abs(first), abs(last))
    if any(abs(part - (first + (last - first) * k / steps)) > allowed for k, part in enumerate(values)):
        raise _errors.InputError(f"{name}: the values are not equidistant; a grid is (first, last, points)", name)
    return f"{first!r}:{last!r}:{len(values)}"


def _vector(name, value):
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return number(name, value)
    value = _single(name, value)
    try:
        parts = [number(name, part) for part in value]
    except TypeError:
        raise _refuse(name, value, "three numbers") from None
    return ",".join(parts)


def _word(name, value):
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, os.PathLike)):
        return os.fspath(value)
    return number(name, value)


def _text(name, value, form):
    """A name of a file; or words, lists of words, and pairs NAME=VALUE of a mapping."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (slice, range)):
        return ":".join("" if part is None else str(part) for part in (value.start, value.stop, value.step))
    if form == "items":
        return flow(value)
    if isinstance(value, dict) or hasattr(value, "items"):
        return ",".join(f"{key}={_word(name, part)}" for key, part in value.items())
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return number(name, value)
    try:
        parts = list(value)
    except TypeError:
        raise _refuse(name, value, "a text") from None
    if form == "list" and parts and not isinstance(parts[0], (str, os.PathLike)) and hasattr(parts[0], "__iter__"):
        return ";".join(",".join(_word(name, part) for part in row) for row in parts)
    return ",".join(_word(name, part) for part in parts)


def to_text(table, name, value):
    """The text of an option of a table."""
    row = TABLES[table].get(name)
    if row is None:
        import difflib

        near = difflib.get_close_matches(name, TABLES[table], 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        owner = "the job" if table == "program" else table
        raise _errors.InputError(f"{name}: {owner} has no such argument{hint}", name)
    kind, form, _ = row
    if kind in ("REAL", "SIZE"):
        return _whole(name, value) if kind == "SIZE" else number(name, value)
    if kind == "INTEGER":
        return _whole(name, value)
    if kind == "BOOLEAN":
        return _boolean(name, value)
    if kind == "GRID":
        return _grid(name, value)
    if kind == "VECTOR":
        return _vector(name, value)
    if kind == "CHOICE":
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (str, os.PathLike)):
            return os.fspath(value)
        raise _refuse(name, value, f"one of {form}")
    return _text(name, value, form)


# YAML ----------------------------------------------------------------------------------------------------------

_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-@^ ")


def scalar(text):
    """A scalar of YAML."""
    if text and text[0] not in "-@ " and text[-1] != " " and set(text) <= _PLAIN:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character):
    """A character within double quotes."""
    if character in '"\\':
        return "\\" + character
    if character.isprintable() or ord(character) > 0xffff:
        return character
    return f"\\u{ord(character):04x}"


def flow(value):
    """Lists and mappings in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(str(key))}: {flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        if isinstance(value, bool):
            return "true" if value else "false"
        return scalar(value if isinstance(value, str) else number("value", value))
    return "[" + ", ".join(flow(part) for part in value) + "]"


def yaml_lines(table, keys, before, absolute=False):
    """Lines of a block of a job, or of an item of a list, whose first line begins with `before`."""
    lines = []
    for key, value in keys.items():
        if value is None:
            continue
        text = to_text(table, key, value)
        if absolute and TABLES[table][key][1] == "file" and os.path.exists(text):
            text = os.path.abspath(text)
        lines.append(f"{before}{key.replace('_', '-')}: {scalar(text)}")
        before = " " * len(before)
    return lines or ([before + "{}"] if before.strip() else [])


def settings_of(given):
    """The settings of a context from the arguments that are not None."""
    sizes = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
    settings = {}
    for name, value in given.items():
        if value is None:
            continue
        if name == "device":
            if not isinstance(value, str) and not hasattr(value, "__iter__"):
                raise _refuse(name, value, "the name of a device, such as 'cuda:0', nor a list of them")
            settings[name] = value if isinstance(value, str) else ",".join(str(part) for part in value)
        elif name == "kernel_cache":
            try:
                settings[name] = os.fspath(value)
            except TypeError:
                raise _refuse(name, value, "the name of a folder") from None
        elif name == "launch_limit":
            try:
                settings[name] = float(value)
            except (TypeError, ValueError):
                raise _refuse(name, value, "a time in seconds") from None
        else:
            try:
                settings[name] = int(value[:-1]) * sizes[value[-1]] if isinstance(value, str) and value[-1:] in sizes else int(value)
                if not isinstance(value, str) and settings[name] != value:
                    raise ValueError
            except (TypeError, ValueError, OverflowError):
                raise _refuse(name, value, "a whole number" if name == "threads" else "a number of bytes, as 268435456 or '256M'") from None
            if not 0 <= settings[name] < 1 << 63:
                raise _refuse(name, value, "a whole number from 0 on")
    return settings
