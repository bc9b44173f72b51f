# Input and output other than ordinary files: '-' for the standard streams, errors and summaries as JSON, files named in a job, terminals.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

gold=(--cell fcc --species Au --a 4.0782 --sphere 6)
grid=(--q 1:5:5 --device cpu)
printf '2\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl 2 0 0 -1\n' >"$inputs/ions.xyz"
charged=(--spacing 1 --padding 2 --device cpu)
ok "a sample" sonde build "${gold[@]}" -o a.xyz --quiet

# A member of the JSON object in $out; the path of keys leads through objects and lists. All are looked at in one go, at the end.
has_member() { # WANTED KEY...
	cp "$out" "$inputs/object.$((++objects))"
	printf '%s\t' "$inputs/object.$objects" "$@" >>"$inputs/members"
	printf '\n' >>"$inputs/members"
}
objects=0
look_at_members() {
	python3 -c '
import json, sys
wrong = False
for line in open(sys.argv[1]):
    path, wanted, *keys = line.rstrip("\t\n").split("\t")
    try:
        value = json.load(open(path))
        for key in keys:
            value = value[int(key)] if isinstance(value, list) else value[key]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        value = repr(error)
    if (value if isinstance(value, str) else json.dumps(value)) != wanted:
        print(keys, "is", value, "and not", wanted)
        wrong = True
sys.exit(wrong)' "$inputs/members"
}

# Errors as JSON: one object on stderr, nothing on stdout, the same exit code.
fails_json() { # CODE REGEX COMMAND...
	local wanted=$1 regex=$2 code
	shift 2
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
	check "exit code $code of $*" [ $code = "$wanted" ]
	check "stdout of $*" is_empty "$out"
	check "one line: $*" [ "$(wc -l <"$err")" = 1 ]
	check "$*: $(<"$err")" has_line "$err" "^\{(\"command\": \"[a-z]+\", )?\"error\": \{\"status\": \"[a-z]+\", \"exit_code\": $wanted, \"message\": .*$regex.*\}\}$"
	cat "$err" >>"$inputs/errors"
}
fails_json 2 'nowhere\.xyz: cannot be read.*"file": "nowhere\.xyz"' sonde debye nowhere.xyz --json
# every reader's message names its file apart
for ending in xyz xyz.gz pqr pdb dx dx.gz cube mrc vtk h5; do
	printf 'no such thing\n1 2 x\n' >"bad.$ending"
	fails_json 2 "bad\.$ending:.*\"file\": \"bad\.$ending\"" sonde info "bad.$ending" --json
	rm "bad.$ending"
done
fails_json 2 "unknown option '--jsn', did you mean '--json'" sonde debye --jsn --json
fails_json 2 '"key": "q"' sonde debye --json a.xyz --q no
fails_json 2 '"key": "tolerance"' sonde debye --json --tolerance
fails_json 2 "unknown command 'foo'" sonde foo --json
fails_json 2 'no sample is given' sonde coulomb --json=true
fails_json 2 'energy' sonde ions --json --ion H --target C
fails_json 2 'ion' sonde stopping --json --ion Xx --target C
fails_json 2 'a job file is needed' sonde fdtd --json
fails_json 2 'no output is given' sonde build --json "${gold[@]}"
fails_json 2 'name a file' sonde info --json
fails_json 2 'name two files' sonde convert --json
fails_json 2 'takes no file' sonde devices --json x
if [[ -w /dev/full ]]; then
	sonde build "${gold[@]}" -o - --json >/dev/full 2>"$err" </dev/null
	check "exit code of a resource" [ $? = 3 ]
	check "the error behind progress" has_line "$err" '^\{"command": "build", "error": \{"status": "resource", "exit_code": 3, '
fi
printf 'sample: a.xyz\ndebye:\n  q: 1:3:x\n' >"$inputs/bad.yaml"
fails_json 2 'bad\.yaml", "line": 3, "column": 6, "key": "q"' sonde debye "$inputs/bad.yaml" --json
printf 'json: true\nsample: a.xyz\ndebye:\n  qq: 1\n' >"$inputs/bad.yaml"
fails_json 2 '"line": 4, "column": 3, "key": "qq"' sonde debye "$inputs/bad.yaml"
printf '2\n\nAu 0 0 0\nAu 1 x 1\n' >"$inputs/bad.xyz"
fails_json 2 'bad\.xyz", "line": 4' sonde debye "$inputs/bad.xyz" --json
printf 'fdtd:\n  size: [1 um, 1 um, 1 um]\n  cell: 50 nm\n  time: 1 fs\n  bodies:\n    - {material: glass, shape: sphere, radius: 10 nm}\n  sources: [{kind: dipole, frequency: 400 THz}]\n  monitors: [{name: a}]\n' >"$inputs/bad-fdtd.yaml"
fails_json 2 'bad-fdtd\.yaml", "line": 6' sonde fdtd "$inputs/bad-fdtd.yaml" --json
# options are spelled as the user wrote them: keys of the job with its line, else flags
printf 'sample: a.xyz\ndebye:\n  lorentz: powder\n  wavelength: 0\n' >"$inputs/angles.yaml"
fails_json 2 "angles\.yaml:3: lorentz: needs 'wavelength:', since it depends on the angle\", \"file\": \".*angles\.yaml\", \"line\": 3, \"key\": \"lorentz\"" sonde debye "$inputs/angles.yaml" --json
fails 2 "^sonde debye: .*angles\.yaml:3: lorentz: needs --wavelength, since it depends on the angle\$" sonde debye "$inputs/angles.yaml" --wavelength 0
fails 2 "^sonde debye: --lorentz: needs 'wavelength:', since it depends on the angle\$" sonde debye "$inputs/angles.yaml" --lorentz powder
fails_json 2 "\"--lorentz: needs 'wavelength:', since it depends on the angle\", \"key\": \"lorentz\"" sonde debye "$inputs/angles.yaml" --lorentz powder --json
printf 'build: {cell: fcc, a: 4.08, sphere: 5}\ndebye:\n  lorentz: powder\n' >"$inputs/angles.yaml"
fails 2 "^sonde debye: .*angles\.yaml: build: species: not given; add e\.g\. 'species: Au'\$" sonde debye "$inputs/angles.yaml"
fails 2 'no shape is given; give one of --sphere, --box, --cylinder, --supercell' sonde build --cell fcc --species Au --a 4.08 -o b.xyz
fails 2 "unknown option '--json=perhaps'|--json: 'perhaps'" sonde debye a.xyz --json=perhaps

if type python3 >/dev/null 2>&1; then
	check "all of them are JSON" python3 -c 'import json, sys; [json.loads(line)["error"]["message"] for line in open(sys.argv[1])]' "$inputs/errors"
fi

# Notes and warnings are members of the summary.
sonde debye a.xyz "${grid[@]}" --r 0:20:9 --json -o note.h5 >"$out" 2>"$err"
has_member 'G(r) is periodic: beyond r = 3.142 Angstrom, pi over the step of q, it repeats' notes 0
has_member '[]' warnings
sonde debye a.xyz "${grid[@]}" --laue --json -o note.csv >"$out" 2>"$err"
has_member '--laue: has no effect on the columns of the table; choose --columns, such as laue, or write an HDF5 file (.h5)' warnings 0

# The standard input as a sample, as a job, as an option's file; each kind is known by its contents.
debye_of() { sonde debye "$@" "${grid[@]}" | grep -v '^#'; }
debye_of a.xyz >"$inputs/pattern"
from_input() { # NAME FILE ARGUMENTS...
	debye_of "${@:3}" <"$2" >"$out" 2>"$err"
	check "$1" same_files "$out" "$inputs/pattern"
	check "$1: stderr" is_empty "$err"
}
from_input "XYZ from stdin" a.xyz -
gzip -c a.xyz >"$inputs/a.xyz.gz"
from_input "XYZ from stdin, compressed" "$inputs/a.xyz.gz" -
printf 'sample: a.xyz\n' >"$inputs/sample.yaml"
from_input "a job from stdin" "$inputs/sample.yaml" -
printf 'sample: "-"\n' >"$inputs/input.yaml"
from_input "a job whose sample is stdin" a.xyz "$inputs/input.yaml"
debye_of - < <(cat a.xyz) >"$out"
check "XYZ from a pipe" same_files "$out" "$inputs/pattern"
sonde debye - "${grid[@]}" <a.xyz >"$out"
check "stdin: its name and hash" has_line "$out" "^# sample: stdin\.xyz sha256 $(sha256sum <a.xyz | cut -c 1-64)$"
line='ATOM      1  N   ALA A   1      11.104   6.134  -6.504'
printf '%s  1.00 20.00           N\nEND\n' "$line" >"$inputs/one.pdb"
printf 'REMARK x\n%s -0.4157 1.8240\nEND\n' "$line" >"$inputs/one.pqr"
for kind in pdb pqr; do
	sonde info - <"$inputs/one.$kind" >"$out" 2>"$err"
	check "$kind from stdin" has_line "$out" "^sample +stdin\.$kind$"
done
for file in oxide.vasp oxide.lmp; do
	sonde info - <"$data/structures/$file" >"$out" 2>"$err"
	check "$file from stdin" has_line "$out" "^sample +stdin\.${file#*.}$"
done
sonde info - --frame 1 <"$data/structures/oxide.dump" >"$out" 2>"$err"
check "a dump from stdin" has_line "$out" '^sample +stdin\.dump$'
sonde info - --input-format pqr <"$inputs/one.pdb" >"$out" 2>"$err"
check "--input-format takes precedence" has_line "$err" 'the columns of a PQR file'
printf 'ions:\n  ion: H\n  energy: 1keV\n  target: C\n  number: 20\n' | sonde ions - --device cpu >"$out" 2>"$err"
check "ions: a job from stdin" has_line "$out" '^# command: sonde ions -'
printf '1 2\n2 3\n' | sonde ions --ion H --energy - --target C -n 20 --device cpu >"$out" 2>"$err"
check "ions: a spectrum from stdin" has_line "$out" 'energy = stdin'
asked_twice() { sonde coulomb - --points - --charges Au=1 <a.xyz; }
fails 2 'the standard input is used twice' asked_twice
for line in 'debye -' 'info -' 'convert - x.dx' 'fdtd -' 'ions -' 'coulomb --charges Au=1 --points -' 'ions --ion H --target C --energy -'; do
	fails 2 'standard input: is empty' sonde $line
done
converts() { printf "$1" | sonde convert - x.dx "${@:2}"; }
fails 2 'standard input: does not begin as a volume does .*; --input-format names its kind' converts 'no such thing\n'
fails 2 'standard input: does not begin as a volume does' converts '1\n\nAu 0 0 0\n'
fails 2 'standard input:' converts 'no such thing\n' --input-format dx
sonde debye - "${grid[@]}" >"$out" 2>"$err" < <(printf 'sample: a.xyz\ndebye:\n  q: x\n')
check "messages name the standard input" one_line '^sonde debye: standard input:3:6: q: '
sonde debye - --json >"$out" 2>"$err" < <(printf 'sample: a.xyz\ndebye:\n  q: x\n')
check "messages name the standard input, JSON" contains "$err" '"file": "-", "line": 3'

# The standard output: the data and nothing else; reports go to stderr.
sonde build "${gold[@]}" -o - >"$out" 2>"$err"
check "build to stdout" diff <(tail -n +3 "$out") <(tail -n +3 a.xyz)
check "build to stdout: the report is on stderr" has_line "$err" '^standard output: [0-9]+ atoms: '
sonde build "${gold[@]}" -o - --quiet 2>"$err" | sonde debye - "${grid[@]}" -o - --output-format csv --quiet >"$out" 2>>"$err"
check "a pipe of two" [ "$(rows "$out")" = 5 ]
check "a pipe of two says nothing" is_empty "$err"
check "a pipe of two: CSV" has_line "$out" '^q,I,'
sonde coulomb "$inputs/ions.xyz" "${charged[@]}" -o phi.dx >"$out" 2>&1
sonde coulomb "$inputs/ions.xyz" "${charged[@]}" -o - --output-format dx >"$inputs/phi.dx" 2>"$err"
check "a volume to stdout" diff <(grep -v '^#' phi.dx) <(grep -v '^#' "$inputs/phi.dx")
sonde convert - - --output-format cube <"$inputs/phi.dx" 2>"$err" | sonde convert - "$inputs/phi.vtk" >"$out" 2>>"$err"
check "volumes through pipes" is_empty "$err"
sonde convert phi.dx phi.vtk >"$out"
sonde info phi.vtk | grep '^values' >"$inputs/values"
check "volumes through pipes: values" diff "$inputs/values" <(sonde info - <"$inputs/phi.vtk" | grep '^values')
sonde stopping --ion He --target Si -o - --json >"$out" 2>"$err"
check "--json to stdout: the summary is on stderr" has_line "$err" '^\{"command": "stopping"'
check "--json to stdout: the table" has_line "$out" '^# sonde .*, stopping, '
sonde ions --ion H --energy 1keV --target C -n 20 --device cpu -o - --quiet >"$out" 2>"$err"
check "ions to stdout" has_line "$out" '^# sonde .*, ions, '
check "nothing is left" [ -z "$(compgen -G 'stdout*')$(compgen -G '-*')" ]
fails 2 'HDF5 cannot be written sequentially' sonde debye a.xyz -o - --output-format h5
fails 2 'unknown kind of file; end the name in' sonde debye a.xyz -o - --output-format bmp
fails 2 'give the format of the standard output by --output-format' sonde convert phi.dx -
fails 2 'output-format: applies only to the standard output' sonde debye a.xyz -o x.csv --output-format csv
fails 2 'resume: needs the file to resume from' sonde ions --ion H --energy 1keV --target C -n 20 --device cpu --resume -o -
if [[ -w /dev/full ]]; then
	sonde build "${gold[@]}" -o - >/dev/full 2>"$err"
	check "a full stdout: exit code" [ $? = 3 ]
	check "a full stdout" has_line "$err" 'the standard output cannot be written: No space'
fi

# info and convert as JSON.
ok "info --json of a sample" sonde info a.xyz --json
has_member sample what
has_member "$(head -n 1 a.xyz)" species Au
ok "info --json of a volume" sonde info phi.dx --json
has_member OpenDX format
has_member 7 points 0
sonde debye a.xyz "${grid[@]}" -o a.h5 --quiet
ok "info --json of a result" sonde info a.h5 --json
has_member 1e-06 options tolerance
has_member 5 q points
has_member debye engine
ok "info --json of a table" sonde info note.csv --json
has_member q columns 0
has_member 5 rows
sonde ions --ion H --energy 1keV --target C -n 20 --device cpu -o i.h5 --quiet
ok "info --json of ions" sonde info i.h5 --json
has_member 20 ions
ok "convert --json" sonde convert phi.dx phi.cube --json
has_member OpenDX read format
has_member phi.cube written file
sonde info - --json <a.xyz >"$out"
has_member - file

# Files of a job: in its folder, then in the current folder; the same numbers and the same provenance from everywhere.
mkdir -p "$inputs/job" elsewhere
cp a.xyz "$inputs/job/s.xyz"
printf 'sample: s.xyz\n' >"$inputs/job/job.yaml"
from_input "a sample in the job's folder" /dev/null "$inputs/job/job.yaml"
sonde debye "$inputs/job/job.yaml" "${grid[@]}" >"$out"
check "a sample in the job's folder: as it was written" has_line "$out" '^# sample: s\.xyz sha256'
sonde build "${gold[@]}" --center 0.5,0.5,0.5 -o s.xyz --quiet
from_input "a sample in the job's folder comes first" /dev/null "$inputs/job/job.yaml"
debye_of --sample s.xyz "$inputs/job/job.yaml" >"$out"
check "the command line's sample is of the current folder" diff "$out" <(debye_of s.xyz)
rm "$inputs/job/s.xyz" s.xyz && cp a.xyz s.xyz
from_input "a sample in the current folder" /dev/null "$inputs/job/job.yaml"
rm s.xyz
fails 2 "job\.yaml:1:9: sample: s\.xyz: cannot be read: No such file or directory; searched the job's folder \(.*job\) and the current one" \
	sonde debye "$inputs/job/job.yaml"
cp "$inputs/job/job.yaml" .
fails 2 'job\.yaml:1:9: sample: s\.xyz: cannot be read: No such file or directory; searched the current folder' sonde debye job.yaml
rm job.yaml

printf '0 0 5\n1 0 5\n' >"$inputs/job/points.txt"
printf 'Na 1\nCl -1\n' >"$inputs/job/charges.txt"
cp "$inputs/ions.xyz" "$inputs/job/"
printf 'sample: ions.xyz\ncoulomb:\n  points: points.txt\n  charges: charges.txt\n' >"$inputs/job/coulomb.yaml"
ok "coulomb: points and charges in the job's folder" sonde coulomb "$inputs/job/coulomb.yaml" --device cpu
check "coulomb: provenance" has_line "$out" 'charges = charges\.txt,.*points = points\.txt'
rm "$inputs/job/points.txt"
fails 2 'coulomb\.yaml:3:11: points: points\.txt: cannot be read: .*and the current one' sonde coulomb "$inputs/job/coulomb.yaml"
# a run of ions is resumed from another folder
printf '1 2\n2 3\n' >"$inputs/job/spectrum.txt"
printf 'ions:\n  ion: H\n  energy: spectrum.txt\n  target: C\n  number: 20\n' >"$inputs/job/ions.yaml"
ok "ions: a spectrum in the job's folder" sonde ions "$inputs/job/ions.yaml" --device cpu -o "$inputs/r.h5" --quiet
ok "ions: resumed from another folder" env -C "$inputs/job" "$program" ions ions.yaml -n 40 --device cpu --resume -o "$inputs/r.h5" --quiet
ok "ions: info" sonde info "$inputs/r.h5"
check "ions: as it was written" has_line "$out" '^ +energy = spectrum\.txt$'
printf 'ions:\n  ion: H\n  energy: 1keV\n  target: C\n  number: 20\n' >"$inputs/job/ions.yaml"
touch "$inputs/job/1keV"
ok "ions: a value is not a file" sonde ions "$inputs/job/ions.yaml" --device cpu
# fdtd: a surface and a waveform
printf 'solid t\n' >"$inputs/job/t.stl"
facet() { printf 'facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n' "$@" >>"$inputs/job/t.stl"; }
facet '0 0 0' '0 1 0' '1 0 0'
facet '0 0 0' '1 0 0' '0 0 1'
facet '0 0 0' '0 0 1' '0 1 0'
facet '1 0 0' '0 1 0' '0 0 1'
printf 'endsolid\n' >>"$inputs/job/t.stl"
for n in 0 1 2 3 4 5 6 7 8; do printf '%de-15 %d\n' $n $(((n % 2) * (n < 8)));done >"$inputs/job/wave.txt"
cat >"$inputs/job/fdtd.yaml" <<'END'
fdtd:
  size: [0.6 um, 0.6 um, 0.6 um]
  cell: 50 nm
  time: 2 fs
  materials: [{name: glass, index: 1.5}]
  bodies: [{shape: stl, file: t.stl, scale: 200 nm, material: glass}]
  sources: [{kind: dipole, center: [-100 nm, 0, 0], waveform: file, file: wave.txt}]
  monitors: [{name: a, kind: point, center: [100 nm, 0, 0]}]
END
sonde fdtd "$inputs/job/fdtd.yaml" --device cpu -o one.h5 --quiet >"$out" 2>"$err"
check "fdtd: files in the job's folder: $(<"$err")" [ -s one.h5 ]
env -C "$inputs/job" "$program" fdtd fdtd.yaml --device cpu >"$inputs/there.txt" 2>"$err"
sonde fdtd "$inputs/job/fdtd.yaml" --device cpu >"$inputs/here.txt" 2>"$err"
check "fdtd: the same table from everywhere, but for the command" diff <(grep -v '^# \(sonde\|command\|device\|steps\)' "$inputs/here.txt") \
	<(grep -v '^# \(sonde\|command\|device\|steps\)' "$inputs/there.txt")
check "fdtd: the job as it was written" lacks "$inputs/here.txt" "$inputs/job/t.stl"

if type python3 >/dev/null 2>&1; then
	check "members of JSON" look_at_members
else
	skip "members of JSON" "python3 is not here"
fi

# Terminals: escape codes only where they are understood.
if type script >/dev/null 2>&1 && script -qec true /dev/null >/dev/null 2>&1; then
	on_terminal() { # SETTINGS...: what a terminal gets of a run with progress
		script -qec "env $* $program debye $data/C60.xyz --q 1:20:500 --method reference --device cpu -o terminal.csv --force" /dev/null </dev/null 2>&1
	}
	escape=$'\033'
	text=$(on_terminal -u NO_COLOR TERM=xterm)
	check "a terminal gets a line that rewrites itself" [ "${text/"$escape[K"/}" != "$text" ]
	for setting in TERM=dumb '-u TERM' 'TERM=xterm NO_COLOR=1'; do
		text=$(on_terminal $setting)
		check "$setting: no escape codes" [ "${text/"$escape"/}" = "$text" ]
		check "$setting: the summary" [ "${text/error: estimate/}" != "$text" ]
	done
else
	skip "terminals" "script is not here"
fi

# jobs are read more than once, and commands must not wait for somebody to write to a pipe again
mkfifo "$inputs/fifo.yaml"
for command in debye pattern coulomb ions stopping fdtd build campaign refine library; do
	fails 2 "fifo\.yaml: is a pipe or device, not a file; save it to a file first\$" \
		timeout -k 5 20 "$program" $command "$inputs/fifo.yaml" -o never.h5
done
fails 2 'fifo\.yaml: is a pipe or device, not a file' timeout -k 5 20 "$program" info "$inputs/fifo.yaml"
finish
