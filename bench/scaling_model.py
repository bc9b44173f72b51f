#!/usr/bin/env python3
"""Strong scaling over ranks of MPI, predicted from one process and measured: bench/scaling_model.py PROGRAM [options]

Runs one job of each engine whose work ranks share as in bench/scaling.sh, by one process and by ranks with one thread
each, and prints for each number of ranks p

    R, W       processor seconds of one process: what each rank does again, and what they share
    balance    by how much the rank with the most work has more than the mean, counted in units of work (ions, pairs, points)
    predicted  (R + W)/(R + W (1 + balance)/p + M), how many times as fast as one process p ranks are by the model of docs/parallel.md;
               M, the merge, is by the bytes that ranks exchange
    processor  the same, measured in processor time: that of the rank with the most. It depends little on what else the machine does
    clock      the same by the clock, if each rank has a core: for a machine that does nothing else

Kernels and tables are read before; each job is run --repeat times by 1 and by p ranks, and the shortest times count. MPIRUN names mpirun.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

BYTES_PER_SECOND = {"values": 1e9, "sums": 0.5e9}  # that go to rank 0, and that all ranks add: docs/parallel.md


def sphere(atoms):
    """The radius in Angstrom of a sphere of so many atoms of CoO."""
    return f"{(atoms * 9.673 * 3 / (4 * math.pi)) ** (1 / 3):.2f}"


def sample(atoms):
    return f'build: {{cell: rocksalt, species: "Co,O", a: 4.2614, sphere: {sphere(atoms)}, displace: "0.05"}}\n'


def jobs(size):
    """Name, arguments, text of the job or None, bytes of values for rank 0 and of sums that ranks exchange."""
    points = 300
    picture = f'q: "0.5:7:{points}", phi: {points}, wavelength: 0.5'
    grid = 64 * 64 * 128
    return [
        ("debye, histogram", ["debye"], sample(70000 * size**0.5) + 'debye: {q: "0.1:20:1000", method: histogram}\n', 0, 2e6),
        ("pattern, direct", ["pattern"], sample(150000 * size) + f"pattern: {{{picture}, method: direct}}\n", 24 * points**2, 0),
        ("debye, exact", ["debye"], sample(9000 * size**0.5) + 'debye: {q: "0.1:20:1000", method: exact}\n', 0, 0),
        ("coulomb, direct", ["coulomb"], sample(30000 * size) +
         'coulomb: {charges: "Co=2,O=-2", method: direct, size: "64,64,128", spacing: 0.8}\n', 8 * grid, 0),
        ("ions, Fe to Fe", ["ions", "--ion", "Fe", "--energy", "2MeV", "--target", "Fe@7.87", "-n", str(round(450 * size))], None, 0,
         1.6e6),
    ]


class Run:
    """The times and shares of a run, of its summary."""

    def __init__(self, summary):
        shared = summary["shared"]
        self.clock = summary["times"]["computing"]
        self.alone = summary["times"]["processor"] - shared[0]["processor"]  # of the first rank
        self.shared = max(rank["processor"] for rank in shared)
        self.processor = self.alone + self.shared
        work = [sum(device["work"] for device in rank["devices"]) for rank in shared]
        self.balance = max(work) / (sum(work) / len(work)) - 1


def run(options, arguments, text, ranks, folder):
    if text is not None:
        job = os.path.join(folder, "job.yaml")
        with open(job, "w", encoding="utf-8") as file:
            file.write(text)
        arguments = arguments + [job]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    command = [options.program] + arguments + ["--device", "cpu", "--threads", "1", "--json", "--quiet", "--force", "-o",
                                               os.path.join(folder, "out.h5")]
    if ranks > 1:
        binding = "core" if ranks <= len(os.sched_getaffinity(0)) else "none"
        command = [os.environ.get("MPIRUN", "mpirun"), "--bind-to", binding, "-n", str(ranks)] + command
    done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return Run(json.loads(done.stdout.splitlines()[-1]))


def best(runs):
    """The least times of several runs of one job; the balance of the best one."""
    least = min(runs, key=lambda one: one.processor)
    least.clock = min(one.clock for one in runs)
    return least


def measure(options, job, folder):
    name, arguments, text, values, sums = job
    one = best([run(options, arguments, text, 1, folder) for _ in range(options.repeat)])
    print(f"{name:18}{1:6}{one.alone:8.2f}{one.shared:8.2f}{'':10}{'':11}{one.processor:9.2f} s{one.clock:9.2f} s", flush=True)
    for ranks in options.ranks:
        several = best([run(options, arguments, text, ranks, folder) for _ in range(options.repeat)])
        merge = values * (ranks - 1) / ranks / BYTES_PER_SECOND["values"] + sums * math.log2(ranks) / BYTES_PER_SECOND["sums"]
        predicted = one.processor / (one.alone + one.shared * (1 + several.balance) / ranks + merge)
        clock = f"{one.clock / several.clock:9.2f}" if ranks <= len(os.sched_getaffinity(0)) else f"{'-':>9}"
        print(f"{name:18}{ranks:6}{several.alone:8.2f}{several.shared:8.2f}{100 * several.balance:8.1f} %{predicted:11.2f}"
              f"{one.processor / several.processor:9.2f}  {clock}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ranks", default="2", type=lambda text: [int(number) for number in text.split(",")],
                        help="numbers of ranks, as 2,3,4,8")
    parser.add_argument("--jobs", default="", help="a regular expression for the names of jobs")
    parser.add_argument("--size", default=1.0, type=float, help="multiplies the work")
    parser.add_argument("--repeat", default=2, type=int)
    options = parser.parse_args()
    options.program = os.path.realpath(options.program)
    print(f"{'job':18}{'ranks':>6}{'R':>8}{'W':>8}{'balance':>10}{'predicted':>11}{'processor':>11}{'clock':>11}")
    with tempfile.TemporaryDirectory(prefix="scaling-") as folder:
        for job in jobs(options.size):
            if re.search(options.jobs, job[0]):
                measure(options, job, folder)


if __name__ == "__main__":
    main()
