"""Failures of the library as exceptions."""
import contextlib
import os
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


def _argument_of(message):
    named = _ARGUMENT.match(message)
    return named[1].replace("-", "_") if named else None


def error_of(status, message):
    """The exception for a status and the library's message."""
    if message.startswith("not enough memory"):  # a limit of the caller, or the machine
        return MemoryError(message)
    if status == INVALID:
        if message.startswith("unknown device"):
            message = "device: " + message
        return InputError(message, _argument_of(message))
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


@contextlib.contextmanager
def within(place):
    """Errors of the input begin with the item that they are about, as "bodies 2"."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}", error.argument) from None


def of_file(error, folder, own=None, arrays=None):
    """An error of a job that was written for the library, job.yaml in a folder of its own, in terms of the caller's: `own` is
    the folder that the job came from, `arrays` has the arguments that became files."""
    words = str(error).replace(f"searched the job's folder ({folder}) and the current one",
                               f"searched the job's folder ({own}) and the current one" if own else "searched the current folder")
    words = re.sub(r"\bjob\.yaml(:[0-9]+)*: ", "", words.replace(folder + os.sep, ""))
    for file, argument in (arrays or {}).items():
        words = re.sub(rf"(\b{argument}: )?{re.escape(file)}\b", argument, words)
    return InputError(words, error.argument or _argument_of(words))
