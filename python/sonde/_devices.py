"""The devices of this machine."""
import dataclasses

from . import _values
from ._library import call, context_for, ffi, lib, text


@dataclasses.dataclass(frozen=True)
class Device:
    """A device, as `sonde devices` lists it. Rates are the largest possible ones from clock and units, or, measured, those of
    kernels like those of the engines; FLOP/s and bytes/s, 0: unknown."""

    name: str
    model: str
    instructions: str
    threads: int
    memory: int
    chosen: bool
    usable: bool
    reason: str
    software: str
    f32: float
    f64: float
    matrix_f64: float
    bandwidth: float
    measured: bool = False


def devices(device="auto", measure=False):
    """The devices of this machine, and which of them `device` chooses; `measure` takes a tenth of a second each."""
    found = []
    with context_for(_values.settings_of({"device": device})) as context:
        while True:
            given = ffi.new("sonde_device_description *")
            there = ffi.new("int *")
            index = len(found)
            call(context, lambda: lib.sonde_context_describe_device_sized(context.pointer, index, given,
                                                                          ffi.sizeof("sonde_device_description"), there))
            if not there[0]:
                break
            found.append(given)
        return [_device(context, given, measure) for given in found if not given.absent and not given.hidden]


def _device(context, given, measure):
    rates = {"f32": given.peak_f32, "f64": given.peak_f64, "matrix_f64": given.peak_matrix_f64, "bandwidth": given.peak_bandwidth}
    if measure and given.usable:
        speed = ffi.new("sonde_device_speed *")
        call(context, lambda: lib.sonde_context_measure_device_sized(context.pointer, given.name, speed, ffi.sizeof("sonde_device_speed")))
        rates = {"f32": speed.f32, "f64": speed.f64, "matrix_f64": speed.matrix_f64, "bandwidth": speed.bandwidth, "measured": True}
    return Device(name=text(given.name), model=text(given.model), instructions=text(given.instructions), threads=given.threads,
                  memory=given.memory, chosen=bool(given.chosen), usable=bool(given.usable), reason=text(given.reason),
                  software=text(given.software), **rates)
