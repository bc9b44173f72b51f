#!/usr/bin/env python3
"""sonde ions compared with runs of SRIM-2013 and of OpenTRIM (tests/data/ions): the tables of docs/ions_validation.md.

    tests/oracles/peers.py build/src/sonde                     # all parts: a quarter of an hour on a core
    tests/oracles/peers.py build/src/sonde runs --more 0.2     # one part, with a fifth of the ions

Parts: srim (headlines of SRIM's runs), runs (OpenTRIM's full cascades), vacancies (75 cases of both programs). Numbers are for an ion,
lengths in nm; behind each its standard error, where it is known; a difference has the error of both sides, and in brackets is how many of
those it is. What follows the number of ions is passed on to sonde (--device cuda:0).
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import tempfile

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "ions")
LAYER = "0.62035"  # OpenTRIM's layer of atoms, in units of N^(-1/3)


def table(name):
    with open(os.path.join(DATA, name)) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def sonde(arguments, ion, energy, target, ions, *options):
    """Runs it; its numbers by name: (value, standard error)."""
    number = max(int(ions * arguments.more), 64)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        command = [arguments.program, "ions", "--ion", ion, "--energy", f"{energy}keV", "--target", target, "--stopping", "srim13", "-n", str(number)]
        command += ["--bins", "1", "--exits", "0", "--quiet", "-o", out, *options, *arguments.options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out) as file:
            head = "".join(line for line in file if line.startswith("#"))
    found = {"ions": (number, 0.0)}
    plain = r"([-+0-9.e]+) \+- ([-+0-9.e]+)"
    for name, pattern, unit in [
        ("range", rf"# range: {plain}", 0.1),
        ("straggling", rf"# range: .*?; straggling {plain}", 0.1),
        ("lateral", rf"# lateral: range .*?; straggling {plain}", 0.1),
        ("path", rf"path {plain} Angstrom", 0.1),
        ("backscattered", rf"backscattered [0-9]+ = {plain}", 1.0),
        ("vacancies", rf"for an ion: vacancies {plain}", 1.0),
        ("replacements", rf"replacements {plain}; sputtered", 1.0),
        ("NRT", rf"displacements \(NRT\) {plain}", 1.0),
        ("ionization by recoils", rf"ionization by recoils {plain}", 1.0),
    ]:
        match = re.search(pattern, head)
        found[name] = (unit * float(match[1]), unit * float(match[2])) if match else (math.nan, math.nan)
    return found


def number(value, error):
    if not error > 0.0:
        return f"{value:.4g}"
    digits = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{min(digits, 4)}f} ± {error:.{min(digits, 4)}f}"


def difference(ours, theirs):
    """In percent, with the error of both, and that many of it."""
    part, error = 100.0 * (ours[0] / theirs[0] - 1.0), 100.0 * math.hypot(ours[1], theirs[1]) / theirs[0]
    return part, error


def row(case, what, ours, theirs, answers):
    part, error = difference(ours, theirs)
    answers.append({"case": case, "what": what, "sonde": ours, "peer": theirs, "percent": part, "error": error})
    print(f"| {case} | {what} | {number(*ours)} | {number(*theirs)} | {part:+.2f} ± {error:.2f} % ({part / error:+.1f}) |", flush=True)


def head(peer):
    print(f"\n| case | what | Sonde | {peer} | difference |\n|---|---|---|---|---|")


def srim(arguments, answers):
    """Density, thresholds and straggling as there; free flights are Sonde's, monolayers too: the quadrature in ions_theory.md has the same range."""
    head("SRIM-2013")
    for run in table("srim_runs.csv"):
        ions, theirs = float(run["ions"]), {name: float(run[name]) for name in ("range", "straggling", "vacancies")}
        followed = {"H": 40000, "Fe": 3000}[run["ion"]]
        options = ["--displacement", f"{run['target']}={run['displacement_eV']}", "--lattice", f"{run['target']}={run['lattice_eV']}"]
        if run["mode"] == "full-Ed":
            options += ["--cutoff", run["displacement_eV"]]
            followed = 1000
        if run["mode"] == "quick":
            options += ["--cascades", "quick"]
            followed = 6000
        ours = sonde(arguments, run["ion"], run["energy_keV"], f"{run['target']}@{run['density_gcm3']}", followed, *options)
        case = f"{run['ion']} in {run['target']}, {float(run['energy_keV']) / 1e3:g} MeV, {run['mode']} ({run['source']})"
        row(case, "range", ours["range"], (theirs["range"], theirs["straggling"] / math.sqrt(ions)), answers)
        share = math.sqrt(ours["ions"][0] / ions)  # the scatter of ours serves for theirs
        row(case, "straggling", ours["straggling"], (theirs["straggling"], share * ours["straggling"][1]), answers)
        damage = ours["NRT" if run["mode"] == "quick" else "vacancies"]
        row(case, "vacancies", damage, (theirs["vacancies"], share * damage[1]), answers)
        if run["replacements"] and run["ion"] == "Fe":  # of protons they are whole numbers of an ion
            row(case, "replacements", ours["replacements"], (float(run["replacements"]), share * ours["replacements"][1]), answers)


def runs(arguments, answers):
    head("OpenTRIM")
    materials = {"Si": ("Si@2.3212", "Si=15", "Si=2"), "Fe": ("Fe@7.8658", "Fe=40", "Fe=3"), "C": ("C@2.253", "C=28", "C=3")}
    followed = {"As": 6000, "B": 10000, "Fe": 1500, "H": 30000}
    for run in table("bca_runs.csv"):
        ion, target, energy, _, flight = re.match(r"(\w+?)_(\w+?)_(\w+?)__(\w+?)_(\w+?)_", run["run"]).groups()
        material, displacement, lattice = materials[target]
        energy_keV = float(energy[:-3]) * (1e3 if energy.endswith("MeV") else 1.0)
        layers, ions = flight == "Constant", followed[ion]
        options = ["--straggling", "none", "--displacement", displacement, "--lattice", lattice]
        if layers:
            options += ["--flight", "monolayer", "--step", LAYER]
            ions = {"H_C_1MeV": 300, "H_C_100keV": 6000}.get(f"{ion}_{target}_{energy}", ions)
        ours = sonde(arguments, ion, energy_keV, material, ions, *options)
        case = f"{ion} in {target}, {energy}, {'layers' if layers else 'free flights'}"
        share = math.sqrt(ours["ions"][0] / float(run["N"]))
        row(case, "range", ours["range"], (float(run["Rp_nm"]), float(run["Rp_sem"])), answers)
        deviation = float(run["dRp_nm"])
        spread = deviation * math.sqrt(max(float(run["kurt"]) - 1.0, 0.0) / (4.0 * float(run["N"])))
        row(case, "straggling", ours["straggling"], (deviation, spread), answers)
        for what, column in [("path", "path_nm"), ("vacancies", "vac"), ("replacements", "repl"), ("NRT", "Vnrt_LSS")]:
            row(case, what, ours[what], (float(run[column]), ours[what][1] * share), answers)


def vacancies(arguments, answers):
    head("OpenTRIM, SRIM-2013")
    followed = {"H": 40000, "He": 20000, "Al": 2000, "Fe": 1000, "Au": 200}
    for seed, run in enumerate(table("srim_opentrim_vacancies.csv"), 1):  # else the errors of all targets go together
        target, ion = run["target"], run["ion"]
        options = ["--seed", str(seed), "--straggling", "none", "--displacement", f"{target}={run['displacement_eV']}", "--lattice", f"{target}={run['lattice_eV']}"]
        ours = sonde(arguments, ion, run["energy_keV"], f"{target}@{run['density_gcm3']}", followed[ion], *options)
        case = f"{ion} in {target}, {float(run['energy_keV']) / 1e3:g} MeV"
        error = float(run["opentrim_error"])
        row(case, "vacancies, OpenTRIM", ours["vacancies"], (float(run["opentrim"]), error), answers)
        row(case, "displacements (NRT), OpenTRIM", ours["NRT"], (float(run["opentrim_NRT"]), float(run["opentrim_NRT_error"])), answers)
        # SRIM followed 1000 ions
        row(case, "vacancies, SRIM", ours["vacancies"], (float(run["srim"]), ours["vacancies"][1] * math.sqrt(ours["ions"][0] / 1000.0)), answers)


def main():
    parts = {"srim": srim, "runs": runs, "vacancies": vacancies}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("part", nargs="?", choices=[*parts, "all"], default="all")
    parser.add_argument("--more", type=float, default=1.0, help="times as many ions")
    parser.add_argument("--json", help="file for the answers")
    arguments, arguments.options = parser.parse_known_args()
    answers = []
    for name, part in parts.items():
        if arguments.part in (name, "all"):
            part(arguments, answers)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(answers, file, indent=1)


if __name__ == "__main__":
    main()
