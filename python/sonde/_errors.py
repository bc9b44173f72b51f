"""Failures of the library as exceptions."""
import contextlib
import re


class SondeError(RuntimeError):
    """A run failed."""


class DeviceError(SondeError):
    """A device, the disk, or another resource failed or ran out."""


class InputError(ValueError):
    """An argument or a file is not valid; `argument` is its name, or None."""

    def __init__(self, message, argument=None):
        super().__init__(message)
        self.argument = argument

    def __reduce__(self):
        return type(self), (self.args[0], self.argument)


class SondeWarning(UserWarning):
    """A note of the library on a run that continued."""


OK, INVALID, RESOURCE, CANCELLED, INTERNAL, SUSPENDED = range(6)
_ARGUMENT = re.compile(r"^(?:[^\s:]*:[0-9]+(?::[0-9]+)?: )?(?:[a-z]+ [0-9]+: )?([a-z][a-z0-9_-]*): ")


def error_of(status, message):
    """The exception for a status and the library's message."""
    if message.startswith("not enough memory"):  # a limit of the caller, or the machine
        return MemoryError(message)
    if status == INVALID:
        if message.startswith("unknown device"):
            message = "device: " + message
        named = _ARGUMENT.match(message)
        return InputError(message, named[1].replace("-", "_") if named else None)
    if status == RESOURCE:
        return DeviceError(message)
    return SondeError(message)


@contextlib.contextmanager
def about(argument, path=None):
    """Errors of the input that name no argument are about this one; with a path, those whose message begins with it."""
    try:
        yield
    except InputError as error:
        words = str(error)
        if error.argument is not None or (path is not None and not words.startswith(path)):
            raise
        raise InputError(f"{argument}: {words}", argument) from None
