# sonde debye: methods, tables, kinds of files, pictures, job files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

debye() { sonde debye "$@"; }
# The lines of a table without its comments.
body() { # FILE
	local line
	while IFS= read -r line; do
		[[ $line == '#'* ]] || printf '%s\n' "$line"
	done <"$1"
}
same_bodies() { [[ $(body "$1") == "$(body "$2")" ]]; }
# Compares q, I, I/N, S of some rows with a table of tests/data: its columns are q, I, I/N, <f^2>, <f>^2, S.
agrees_with() { # FILE ANSWERS TOLERANCE
	local k answer
	for k in 0 1 17 250 500 998 999; do
		row "$2" $k && answer=("${row[@]}") && row "$1" $k || return 1
		near "${row[0]}" "${answer[0]}" 1e-9 && near "${row[2]}" "${answer[2]}" "$3" &&
			near "${row[3]}" "${answer[5]}" "$3" || return 1
	done
}
# Compares I/N and S of every row of two tables.
agree() { # FILE FILE TOLERANCE
	local k a b first second
	mapfile -t first < <(body "$1")
	mapfile -t second < <(body "$2")
	((${#first[@]} > 0 && ${#first[@]} == ${#second[@]})) || return 1
	for ((k = 0; k < ${#first[@]}; k += 13)); do
		read -ra a <<<"${first[k]}"
		read -ra b <<<"${second[k]}"
		near "${a[0]}" "${b[0]}" 0 && near "${a[2]}" "${b[2]}" "$3" && near "${a[3]}" "${b[3]}" "$3" || return 1
	done
}
grid='0.1:20.08:1000'

# the table: columns, header, kinds of files
ok "table into a file" debye "$data/C60.xyz" --q $grid -o c60.xy
check "summary" has_line "$out" '^60 atoms, 1770 pairs, 1000 points of q, exact, [0-9.]+ s$'
check "summary: error" has_line "$out" '^error: estimate [0-9.e-]+, bound [0-9.e-]+ \(<f\^2> \+ I/N\)$'
check "summary: the file" has_line "$out" '^c60\.xy: written$'
check "table: rows" [ "$(rows c60.xy)" = 1000 ]
check "table: agrees with tests/data" agrees_with c60.xy "$data/C60.wk.dat" 1e-7
row c60.xy 0
check "table: five columns" [ ${#row[@]} = 5 ]
check "table: I is 60 times I/N" near "${row[1]}" "$(printf '%.9f' "${row[1]}")" 1
check "table: error estimate is small and above 0" [ "$(fixed_point "${row[4]}")" -lt 1000 ]
row c60.xy 999
check "table: last q" near "${row[0]}" 20.08 1e-12
check "header: names of columns" has_line c60.xy '^# q \[1/Angstrom\]  I \[electron\^2\]  I per atom \[electron\^2\]  S  error estimate'
check "header: version" has_line c60.xy '^# sonde [0-9.]+, debye, [0-9]{4}-[0-9]{2}-[0-9]{2}T'
check "header: command" has_line c60.xy "^# command: sonde debye .*C60\\.xyz --q $grid -o c60\\.xy$"
check "header: checksum of the sample" contains c60.xy "sha256 $(sha256sum <"$data/C60.xyz" | cut -d' ' -f1)"
check "header: atoms" has_line c60.xy '^# atoms: 60 = 60 C$'
check "header: source of the amplitudes" has_line c60.xy '^# X-ray form factors: D\. Waasmaier & A\. Kirfel'
for option in 'q = 0.1:20.08:1000 1/Angstrom' 'radiation = xray' 'method = exact' 'factors = waasmaier-kirfel' \
	'tolerance = 1e-06' 'bin-width = 0 Angstrom' 'r = 0.5:20:1951 Angstrom' 'window = none' 'qdamp = 0 1/Angstrom'; do
	check "header: $option" contains c60.xy "$option"
done
ok "table on stdout" debye "$data/C60.xyz" --q $grid
check "stdout: the same table" same_bodies "$out" c60.xy
for kind in dat txt; do
	ok ".$kind" debye "$data/C60.xyz" --q $grid -o "c60.$kind" --quiet
	check ".$kind: the same table" same_bodies "c60.$kind" c60.xy
	check ".$kind --quiet: nothing is said" is_empty "$out"
done
ok ".csv" debye "$data/C60.xyz" --q $grid -o c60.csv
check ".csv: names of columns" has_line c60.csv '^q,I,I_per_atom,S,error_estimate$'
check ".csv: rows" [ "$(rows c60.csv)" = 1000 ]
check ".csv: the same numbers" [ "$(body c60.csv | tail -n +2 | tr ',' ' ')" = "$(body c60.xy)" ]
for kind in h5 hdf5 nxs; do
	ok ".$kind" debye "$data/C60.xyz" --q $grid -o "c60.$kind"
	check ".$kind: is HDF5" is_hdf5 "c60.$kind"
done
if type h5dump >/dev/null 2>&1; then
	h5dump -d /debye/intensity/I_per_atom "$PWD/c60.h5" >"$inputs/dump"
	row "$data/C60.wk.dat" 0
	check ".h5: I/N" contains "$inputs/dump" "$(printf '(0): %.2f' "${row[2]}")"
else
	skip ".h5: I/N" "no h5dump here"
fi
check "no leftovers" no_leftovers
rm -f c60.*

# methods
ok "exact" debye "$data/Au_fcc_1k.xyz" --q $grid --method exact -o exact.xy
check "exact: agrees with tests/data" agrees_with exact.xy "$data/Au_fcc_1k.wk.dat" 1e-6
ok "histogram" debye "$data/Au_fcc_1k.xyz" --q $grid --method histogram -o histogram.xy
check "histogram: agrees with exact" agree histogram.xy exact.xy 0.005
check "histogram: it was one" contains histogram.xy 'method = histogram'
ok "auto" debye "$data/Au_fcc_1k.xyz" --q $grid -o auto.xy
check "auto: exact, as so small a sample allows" same_bodies auto.xy exact.xy
ok "reference" debye "$data/C60.xyz" --q 0.1:20.08:100 --method reference -o reference.xy
ok "exact, to compare" debye "$data/C60.xyz" --q 0.1:20.08:100 --method exact -o like_reference.xy
check "reference: agrees with exact" agree reference.xy like_reference.xy 1e-9
ok "one thread" debye "$data/Au_fcc_1k.xyz" --q $grid --method exact --threads 1 -o one.xy
ok "three threads" debye "$data/Au_fcc_1k.xyz" --q $grid --method exact --threads 3 -o three.xy
check "threads: bit for bit the same (1)" same_bodies one.xy exact.xy
check "threads: bit for bit the same (3)" same_bodies three.xy exact.xy
ok "histogram, one thread" debye "$data/Au_fcc_1k.xyz" --q $grid --method histogram --threads 1 -o one.xy -f
ok "histogram, three threads" debye "$data/Au_fcc_1k.xyz" --q $grid --method histogram --threads 3 -o three.xy -f
check "histogram, threads: bit for bit the same" same_bodies one.xy three.xy
with_isa() { SONDE_ISA=$1 debye "${@:2}"; }
baseline=sse2
[[ $(uname -m) == x86_64 ]] || baseline=generic
ok "baseline instructions" with_isa $baseline "$data/C60.xyz" --q 0.1:20.08:100 --method exact -o isa.xy
check "baseline instructions: the same numbers" agree isa.xy like_reference.xy 1e-9
ok "auto of a large sample" debye "$data/CoO_R40.xyz.gz" --q $grid -o large.xy
check "auto: lattice, as the sample is a large crystal" contains large.xy 'method = lattice'
check "auto of a large sample: agrees with tests/data" agrees_with large.xy "$data/CoO_R40.wk.dat" 0.02
ok "tighter tolerance" debye "$data/Au_fcc_1k.xyz" --q 1:20:20 --method histogram --tolerance 1e-9 -o tight.h5
ok "wider bins" debye "$data/Au_fcc_1k.xyz" --q 1:20:20 --method histogram --bin-width 0.01 -o wide.h5
sonde info tight.h5 >"$inputs/tight"
sonde info wide.h5 >"$inputs/wide"
check "tolerance sets the width of the bins" has_line "$inputs/tight" '^bins +[0-9.]+e-05 Angstrom wide'
check "bin width is taken as given" has_line "$inputs/wide" '^bins +0\.01 Angstrom wide'

# radiation and factors
ok "neutrons" debye "$data/CoO_R40.xyz.gz" --q $grid --radiation neutron -o neutron.xy
check "neutrons: agree with tests/data" agrees_with neutron.xy "$data/CoO_R40.neutron.dat" 0.001
check "neutrons: unit" contains neutron.xy 'I [fm^2]'
check "neutrons: source" has_line neutron.xy '^# neutron scattering lengths: V\. F\. Sears'
ok "unit amplitudes" debye "$data/C60.xyz" --q $grid --factors unit -o unit.xy
check "unit amplitudes: agree with tests/data" agrees_with unit.xy "$data/C60.unit.dat" 1e-8
ok "it1992" debye "$data/C60.xyz" --q $grid --factors it1992 -o it.xy
check "it1992: source" has_line it.xy '^# X-ray form factors: International Tables'
check "it1992: other numbers" [ "$(body it.xy)" != "$(body unit.xy)" ]
make_xyz "$inputs/isotopes.xyz" '58Ni 0 0 0' 'D 2 0 0' 'O2- 0 2 0'
ok "isotopes and ions for neutrons" debye "$inputs/isotopes.xyz" --radiation neutron --q 1:2:2
check "isotopes are species" contains "$out" '# atoms: 3 = 1 58Ni, 1 D, 1 O2-'
make_xyz "$inputs/ions.xyz" 'Co2+ 0 0 0' 'O2- 2 0 0'
ok "ions for X-rays" debye "$inputs/ions.xyz" --q 1:2:2
ok "electrons" debye "$data/C60.xyz" --q 1:20:20 --radiation electron -o electron.h5
sonde info electron.h5 >"$inputs/electron"
check "electrons: source" has_line "$inputs/electron" '^amplitudes +electron scattering factors: I\. Lobato & D\. Van Dyck'
ok "electrons: a table" debye "$data/C60.xyz" --q 1:2:2 --radiation electron --factors kirkland
check "electrons: unit" contains "$out" 'I [Angstrom^2]'
ok "anomalous scattering" debye "$inputs/ions.xyz" --q 1:2:2 --anomalous henke --wavelength 1.5406 -o anomalous.h5
sonde info anomalous.h5 >"$inputs/anomalous"
check "anomalous scattering: table and energy" has_line "$inputs/anomalous" \
	"^amplitudes .*; f' and f'' at 8\.04778[67] keV \(1\.5406 Angstrom\), Co2\+ -?[0-9.]+ \+[0-9.]+i, O2- 0\.[0-9]+ \+0\.[0-9]+i: B\. L\. Henke"
printf 'label c\nCo2+ 3\nO2- 4\n' >"$inputs/factors.txt"
ok "form factors of a file" debye "$inputs/ions.xyz" --q 1:1:1 --form-factors "$inputs/factors.txt" -o factors.xy
factors_digest=$(sha256sum <"$inputs/factors.txt" | cut -c1-64)
check "form factors: their digest" has_line factors.xy "labels in the file of form factors: .*factors\\.txt sha256 $factors_digest"
ok "form factors: HDF5" debye "$inputs/ions.xyz" --q 1:1:1 --form-factors "$inputs/factors.txt" -o factors.h5
ok "form factors: info" sonde info factors.h5
check "form factors: info: the digest" has_line "$out" "^amplitudes .*factors\\.txt sha256 $factors_digest"
row factors.xy 0
check "form factors of a file: I = 9 + 16 + 24 sin(2)/2" near "${row[1]}" 35.911569 1e-6
make_xyz "$inputs/pair.xyz" 'Au 0 0 0' 'Au 0 0 2'
ok "two atoms" debye "$inputs/pair.xyz" --factors unit --q 1:1:1
row "$out" 0
check "two atoms: I = 2 + 2 sin(2)/2" near "${row[1]}" 2.909297427 2e-9
ok "q = 0" debye "$inputs/pair.xyz" --factors unit --q 0:1:2
row "$out" 0
check "q = 0: I = N^2" near "${row[1]}" 4 0
make_xyz "$inputs/one.xyz" 'Au 0 0 0'
ok "one atom" debye "$inputs/one.xyz" --factors unit --q 0:1:2
row "$out" 1
check "one atom: I = 1" near "${row[1]}" 1 0
check "one atom: S = 1" near "${row[3]}" 1 0
ok "damping, window and r" debye "$data/C60.xyz" --q 0.5:20:400 --window lorch --qdamp 0.02 --r 0:10:1001 -o pdf.h5
sonde info pdf.h5 >"$inputs/pdf"
check "r: as asked for" has_line "$inputs/pdf" '^r +1001 points, 0 to 10 Angstrom$'

# samples
gzip -c "$data/C60.xyz" >"$inputs/c60.xyz.gz"
ok "gzip sample" debye "$inputs/c60.xyz.gz" --q 1:2:2
cp "$out" "$inputs/wanted"
ok "plain sample" debye "$data/C60.xyz" --q 1:2:2
check "gzip and plain sample: the same" same_bodies "$out" "$inputs/wanted"
ok "--sample" debye --sample "$data/C60.xyz" --q 1:2:2
check "--sample: the same" same_bodies "$out" "$inputs/wanted"
{ cat "$data/Au2.xyz"; cat "$data/C60.xyz"; } >"$inputs/frames.xyz"
ok "--frame" debye "$inputs/frames.xyz" --frame 2 --q 1:2:2
check "--frame: the same" same_bodies "$out" "$inputs/wanted"
ok "-- ends the options" debye --q 1:2:2 -- "$data/C60.xyz"
check "--: the same" same_bodies "$out" "$inputs/wanted"
cp "$data/C60.xyz" "$inputs/with blank.xyz"
ok "blanks in a name" debye "$inputs/with blank.xyz" --q 1:2:2
check "blanks in a name: the command is quoted" has_line "$out" "^# command: sonde debye '.*with blank\\.xyz' --q 1:2:2$"
{ while IFS= read -r line; do printf '%s\r\n' "$line"; done <"$data/C60.xyz"; } >"$inputs/dos.xyz"
ok "lines that end as in DOS" debye "$inputs/dos.xyz" --q 1:2:2
check "DOS: the same" same_bodies "$out" "$inputs/wanted"
# A pipe may be refused, but must not hang or get the checksum of something else.
from_pipe() { gzip -dc "$inputs/c60.xyz.gz" | sonde debye /dev/stdin --q 1:2:2; }
from_pipe >"$out" 2>"$err"
if (($? == 2)); then
	check "sample from a pipe: refused" one_line '^sonde debye: /dev/stdin: '
else
	check "sample from a pipe: the same" same_bodies "$out" "$inputs/wanted"
	wrong=$(printf '' | sha256sum | cut -d' ' -f1)
	check "sample from a pipe: no checksum of an empty file" lacks "$out" "$wrong"
fi
mkfifo "$inputs/fifo.xyz"
gzip -dc "$inputs/c60.xyz.gz" >"$inputs/fifo.xyz" &
writer=$!
timeout -k 1 5 "$program" debye "$inputs/fifo.xyz" --q 1:2:2 >"$out" 2>"$err" </dev/null
code=$?
kill $writer 2>/dev/null
wait $writer 2>/dev/null
check "sample from a named pipe: ends with 0 or 2, not $code" [ $code = 0 -o $code = 2 ]

# results keep the text of the job's file
printf 'sample: %s # a comment\ndebye:\n  q: 1:2:2\n' "$data/C60.xyz" >job.yaml
ok "job with a comment" sonde debye job.yaml -o job.h5 --quiet
ok "job with a comment: info" sonde info job.h5
check "job with a comment: it is in the result" contains "$out" '# a comment'

# the widest bins, rounded down: 2/20.08 is 0.0996
fails 2 'bin-width: bins of 0\.1 Angstrom are too wide for q = 20\.08 1/Angstrom; at most 0\.099$' \
	debye "$data/C60.xyz" --method histogram --bin-width 0.1 --q 1:20.08:10
ok "the widest bins" debye "$data/C60.xyz" --method histogram --bin-width 0.099 --q 1:20.08:10 -o widest.xy

# columns by name, and files of one curve
coo=$inputs/coo.xyz # identities hold for any number of atoms
ok "a sample of two elements" sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 15 -o "$coo" --quiet
read -r coo_atoms <"$coo"
ok "columns" debye "$coo" --q 1:2:5 --columns q,F,intensity,S,partial_Co_O,S_O_Co,partial_Co_Co,partial_O_O -o columns.csv
check "columns: their names" has_line columns.csv '^q,F,intensity,S,partial_Co_O,S_O_Co,partial_Co_Co,partial_O_O$'
check "columns: identities" awk -F, -v atoms="$coo_atoms" '!/^#/ && !/^q/ {n += 1; f = $1*($4 - 1) - $2; s = ($5 + $7 + $8)*atoms/$3 - 1
	if (f*f > 1e-20 || s*s > 1e-20) bad = 1} END {exit bad || n != 5}' columns.csv
ok "columns: the usual ones by name" debye "$data/C60.xyz" --q 1:2:5 --columns q,I,I_per_atom,S -o by_name.xy
ok "columns: the usual ones" debye "$data/C60.xyz" --q 1:2:5 -o usual.xy
check "columns: the same numbers" [ "$(grep -v '^#' by_name.xy)" = "$(grep -v '^#' usual.xy | cut -d' ' -f1-4)" ]
check "columns: units" has_line by_name.xy '^# q \[1/Angstrom\]  I \[electron\^2\]  I_per_atom \[electron\^2\]  S \[1\]$'
ok "columns: r and G" debye "$data/C60.xyz" --r 1:2:3 --columns r,G
check "columns: r and G, on the standard output" [ "$(rows "$out")" = 3 ]
fails 2 "columns: there is no 'partial_C_O', did you mean 'partial_C_C'\?" debye "$data/C60.xyz" --columns q,partial_C_O
fails 2 "columns: there is no 'intensty', did you mean 'intensity'\?" debye "$data/C60.xyz" --columns q,intensty -o new.csv
fails 2 "columns: there is no ''" debye "$data/C60.xyz" --columns q,
fails 2 'columns: r, G, D, T, R, n and g form a separate table' debye "$data/C60.xyz" --columns q,G -o new.csv
fails 2 'columns: new\.h5 has fixed columns' debye "$data/C60.xyz" --columns q,I -o new.h5
fails 2 'q: G\(r\) needs at least two points' debye "$data/C60.xyz" --q 1:1:1 --columns r,G -o new.csv
fails 2 'q: G\(r\) needs at least two points' debye "$data/C60.xyz" --q 1:1:1 -o new.gr
for kind in gr sq fq; do
	ok ".$kind" debye "$data/C60.xyz" --q 1:20:96 --r 1:9:81 -o "c60.$kind"
	check ".$kind: where the data begin" has_line "c60.$kind" '^#### start data$'
done
check ".gr: rows" [ "$(rows c60.gr)" = 81 ]
check ".sq: rows" [ "$(rows c60.sq)" = 96 ]
ok "G as a table" debye "$data/C60.xyz" --q 1:20:96 --r 1:9:81 --columns r,G -o g.xy
ok "S and F as a table" debye "$data/C60.xyz" --q 1:20:96 --columns q,S,F -o sf.xy
check ".gr: as the table" [ "$(grep -v '^#' c60.gr)" = "$(grep -v '^#' g.xy)" ]
check ".sq: as the table" [ "$(grep -v '^#' c60.sq)" = "$(grep -v '^#' sf.xy | cut -d' ' -f1,2)" ]
check ".fq: as the table" [ "$(grep -v '^#' c60.fq)" = "$(grep -v '^#' sf.xy | cut -d' ' -f1,3)" ]

# a histogram that does not fit: the option that limits it is named
awk 'BEGIN {srand(3); print 20000; print ""; for (k = 0; k < 20000; ++k) printf "C %.2f %.2f %.2f\n", 20000*rand(), 20000*rand(), 20000*rand()}' >"$inputs/wide.xyz"
for option in --memory --host-memory; do
	timeout -s INT 2 "$program" debye "$inputs/wide.xyz" --q 1:20:1000 $option 64M --device cpu --threads 1 >"$out" 2>"$err" </dev/null
	check "$option: is recommended where it limits" has_line "$err" "more $option or a wider --bin-width"
done
# progress within what a CPU is given at a time
ok "a sample of 39304 atoms" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 17,17,17 -o "$inputs/cube.xyz" --quiet
debye "$inputs/cube.xyz" --method histogram --threads 1 --device cpu --q 1:2:2 --json >"$out" 2>"$err"
check "histogram: progress is reported meanwhile" [ "$(sed -n 's/.*(histogram)", "done": \([0-9]*\), "total": \([0-9]*\),.*/\1 \2/p' "$err" |
	awk '$1 > 0 && $1 < $2 / 4' | wc -l)" -gt 0 ]
# pairs that the histogram counts
ok "counts" debye "$data/C60.xyz" --counts --density 0.1 --q 1:20:96 --r 1:8:8 --columns r,R,g -o counts.csv
check "counts: the neighbors" [ "$(grep -v '^#' counts.csv | cut -d, -f2 | xargs)" = "R 3 6 2 10 16 12 10 0" ]
ok "counts in HDF5" debye "$data/C60.xyz" --counts --q 1:20:96 -o counts.h5
check "counts in HDF5: the names of pairs, for partials, counts, and distributions" [ "$(grep -ao C-C counts.h5 | wc -l)" = 3 ]
if python3 -c 'import h5py' 2>/dev/null; then
	cat >"$inputs/axes.py" <<'EOF'
import h5py
# an axis of an NXdata group is '.', or a dataset as long as the signal is along it
with h5py.File("counts.h5") as file:
    groups = [group for group in file["debye"].values() if group.attrs.get("NX_class") in ("NXdata", b"NXdata")]
    assert len(groups) > 3
    for group in groups:
        signal = group[bytes(group.attrs["signal"]).decode()]
        assert len(group.attrs["axes"]) == signal.ndim, group
        for along, axis in enumerate(group.attrs["axes"]):
            assert axis == "." or group[axis].shape == (signal.shape[along],), (group, axis)
    assert [bytes(name).rstrip(b"\0") for name in file["debye/pair_counts/pair"]] == [b"C-C"]
EOF
	ok "counts in HDF5: axes are there" python3 "$inputs/axes.py"
else
	skip "counts in HDF5: axes are there" "no h5py here"
fi
ok "distances by species" debye "$data/CoO_R40.xyz.gz" --counts --density 0.1 --q 1:20:96 --r 1:8:71 \
	--columns r,R,n,g,R_Co_Co,R_Co_O,R_O_Co,R_O_O,n_Co_O,n_O_Co,g_Co_O,g_O_Co -o species.csv
# R = c_Co (R_Co_Co + R_Co_O) + c_O (R_O_Co + R_O_O); N_Co R_Co_O = N_O R_O_Co; g_ab = R_ab/(4 pi r^2 rho c_b)
check "distances by species: identities" awk -F, '/^[0-9]/ {n += 1; c = 13835/27633
	a = $2 - c*($5 + $6) - (1 - c)*($7 + $8); b = c*$6 - (1 - c)*$7; d = c*$9 - (1 - c)*$10
	e = $6/(4*3.14159265358979*$1*$1*0.1*(1 - c)) - $11; f = $11 - $12
	if (a*a + b*b + d*d + e*e + f*f > 1e-20 || $9 < 0) bad = 1; if ($9 > 5 && $9 < 6 && !first) {first = 1; at = $1}}
	END {exit bad || n != 71 || !(at > 2.05 && at < 2.25)}' species.csv
fails 2 'columns: R_C_C\(r\) needs --counts' debye "$data/C60.xyz" --columns r,R_C_C
fails 2 'columns: g_C_C\(r\) needs --counts and --density' debye "$data/C60.xyz" --counts --columns r,g_C_C
fails 2 "columns: there is no 'g_C_O', did you mean 'g_C_C'\?" debye "$data/C60.xyz" --counts --density 0.1 --columns r,g_C_O
fails 2 'columns: r, G, D, T, R, n and g form a separate table' debye "$data/C60.xyz" --counts --columns q,n_C_C
fails 2 'counts: only the histogram has them' debye "$data/C60.xyz" --counts --method exact
fails 2 'q: G\(r\) needs at least two points' debye "$data/C60.xyz" --q 1:1:1 --density 0.1
fails 2 'columns: T\(r\) needs --density' debye "$data/C60.xyz" --columns r,T
ok "correlation functions" debye "$data/C60.xyz" --density 0.1 --q 1:20:96 --r 1:8:8 --counts --columns r,G,D,T,n -o correlation.csv
check "correlation functions: T = D + 4 pi r density" awk -F, '/^[0-9]/ {n += 1; d = $4 - $3 - 0.4*3.14159265358979*$1
	if (d*d > 1e-20 || $2 != $3) bad = 1} END {exit bad || n != 8}' correlation.csv
ok "neighbors up to r" debye "$data/C60.xyz" --counts --q 1:20:96 --r 1.5:7.5:7 --columns r,n -o neighbors.csv
check "neighbors up to r" [ "$(grep '^[0-9]' neighbors.csv | cut -d, -f2 | awk '{ printf "%.9g ", $1 }')" = "3 9 11 21 37 49 59 " ]
# thermal motion and factors of the experiment
ok "thermal motion" debye "$coo" --q 1:2:5 --displacement Co=0.005,O=0.008 --wavelength 1.5406 --polarization unpolarized \
	--lorentz powder --bhatia-thornton --columns q,I,I_corrected,S_NN,S_NC,S_CC,S_FZ_O_Co,S_Co_O -o motion.csv
check "thermal motion: columns" awk -F, '/^[0-9]/ {n += 1; s = $1*1.5406/4/3.14159265358979; c = 1 - 2*s*s
	f = (1 + c*c)/2/(s*s*sqrt(1 - s*s)); d = $3/$2/f - 1; if (d*d > 1e-20 || $7 != $8) bad = 1} END {exit bad || n != 5}' motion.csv
printf 'sample: %s\ndebye:\n  q: 1:2:5\n  displacement: [Co=0.005, O=0.008]\n' "$coo" >"$inputs/motion.yaml"
ok "thermal motion in a job" debye "$inputs/motion.yaml" -o moving.csv
check "thermal motion in a job: the same numbers" [ "$(grep '^[0-9]' moving.csv | cut -d, -f1,2)" = "$(grep '^[0-9]' motion.csv | cut -d, -f1,2)" ]
fails 2 "displacement: there is none for 'O'" debye "$data/CoO_R40.xyz.gz" --displacement Co=0.1
fails 2 "displacement: the sample has no 'c', did you mean 'C'\?" debye "$data/C60.xyz" --displacement c=0.1
# displacements of the sample, correlated motion, blocks, Laue's scattering
printf '4\nProperties=species:S:1:pos:R:3:U_iso:R:1:block:I:1\nCo 0 0 0 0.005 1\nO 0 0 2.1 0.008 1\nCo 9 0 0 0.005 2\nO 9 0 2.1 0.008 2\n' \
	>"$inputs/moving.xyz"
numbers_of() { # FILE COLUMNS
	grep '^[0-9]' "$1" | cut -d, -f"$2"
}
ok "a list of displacements" debye "$inputs/moving.xyz" --q 1:9:5 --displacement Co=0.005,O=0.008 -o listed.csv
ok "displacements of the sample" debye "$inputs/moving.xyz" --q 1:9:5 --displacement sample -o sampled.csv
check "displacements of the sample: the same numbers" [ "$(numbers_of listed.csv 1-4)" = "$(numbers_of sampled.csv 1-4)" ]
ok "correlated motion" debye "$inputs/moving.xyz" --q 1:9:5 --displacement sample --delta2 1.5 --qbroad 0.01 -o correlated.csv
check "correlated motion: other numbers" [ "$(numbers_of listed.csv 2)" != "$(numbers_of correlated.csv 2)" ]
fails 2 'delta2: too large: the relative mean square displacement of the pair Co-O at 2\.1 Angstrom \(atoms [0-9]+ and [0-9]+\) would be negative' \
	debye "$inputs/moving.xyz" --displacement sample --delta2 5
fails 2 'delta1: has no effect on atoms at rest; give their --displacement' debye "$inputs/moving.xyz" --delta1 1
fails 2 'displacement: .*C60\.xyz has no mean square displacements' debye "$data/C60.xyz" --displacement sample
ok "blocks" debye "$inputs/moving.xyz" --q 1:9:5 --partials block --laue \
	--columns q,I_per_atom,block_1_1,block_2_1,block_2_2,laue,I,I_minus_laue,mean_square_amplitude,square_mean_amplitude -o blocks.csv
check "blocks: they add up, and Laue's scattering" awk -F, '/^[0-9]/ {n += 1; d = $3 + $4 + $5 - $2; e = $9 - $10 - $6; g = $7 - 4*$6 - $8
	if (d*d > 1e-20*$2*$2 || e*e > 1e-20*$9*$9 || g*g > 1e-18*$7*$7) bad = 1} END {exit bad || n != 5}' blocks.csv
ok "blocks of copies" debye "$inputs/moving.xyz" --q 1:9:5 --partials block --copy-atoms 2 --columns q,I_per_atom,block_1_1,block_1_2,block_2_2 -o copies.csv
check "blocks of copies: the same numbers" [ "$(numbers_of blocks.csv 1-5)" = "$(numbers_of copies.csv 1-5)" ]
ok "blocks in HDF5" debye "$inputs/moving.xyz" --q 1:9:5 --partials block -o blocks.h5
ok "blocks in HDF5: info" sonde info blocks.h5
fails 2 'partials: .*C60\.xyz: the atoms are in no blocks' debye "$data/C60.xyz" --partials block
fails 2 'partials: .*C60\.xyz: chains and residues are those of PDB files' debye "$data/C60.xyz" --partials chain
fails 2 'columns: block_1_3: the sample has no such blocks; a column is block_A_B, and the blocks are 1 to 2' debye "$inputs/moving.xyz" \
	--partials block --columns q,block_1_3
fails 2 'columns: block_1_1 needs --partials block' debye "$inputs/moving.xyz" --columns q,block_1_1
fails 2 'columns: laue needs --laue' debye "$inputs/moving.xyz" --columns q,laue
fails 2 'partials: blocks need the pairs of all atoms; choose --copies exact' debye "$inputs/moving.xyz" --partials block --copies averaged --copy-atoms 2
fails 2 'polarization: needs --wavelength' debye "$data/C60.xyz" --polarization 0.9
fails 2 'polarization: applies to --radiation xray' debye "$data/C60.xyz" --polarization 0.9 --wavelength 1 --radiation neutron
fails 2 'q: radiation of 1.5 Angstrom is scattered by q = 4 pi/lambda = 8\.37758 1/Angstrom at most, not by 10' debye "$data/C60.xyz" \
	--q 1:10:4 --lorentz powder --wavelength 1.5
fails 2 'lorentz: the factor is infinite' debye "$data/C60.xyz" --q 0:5:4 --lorentz powder --wavelength 1.5
fails 2 'columns: I_corrected needs --polarization or --lorentz' debye "$data/C60.xyz" --columns q,I_corrected
ok "angles" debye "$data/C60.xyz" --two-theta 10:100:4 --wavelength 1.5406 --columns two_theta,q,I -o angles.csv
check "angles: q" awk -F, '/^[0-9]/ {n += 1; d = $2 - 4*3.14159265358979/1.5406*sin($1*3.14159265358979/360)
	if (d*d > 1e-24) bad = 1} END {exit bad || n != 4}' angles.csv
fails 2 'two-theta: needs --wavelength' debye "$data/C60.xyz" --two-theta 10:100:4
fails 2 'two-theta: gives the scattering vectors, and so does --q' debye "$data/C60.xyz" --two-theta 10:100:4 --wavelength 1 --q 1:2:3
fails 2 'q: the form factors are valid up to' debye "$data/C60.xyz" --two-theta 10:100:4 --wavelength 0.02
ok "points: parts" debye "$data/C60.xyz" --q-list log:0.001:0.1:3+lin:0.1:2:20 --columns q,I -o parts.csv
printf 'sample: %s\ndebye:\n  q: 1:2:3\n  labels: [C=13C]\n  radiation: neutron\n  displacement: [13C=0.01]\n  columns: [q, I]\n' "$data/C60.xyz" >"$inputs/lists.yaml"
ok "lists of YAML" debye "$inputs/lists.yaml" -o lists.csv
ok "lists as texts" debye "$data/C60.xyz" --q 1:2:3 --labels C=13C --radiation neutron --displacement 13C=0.01 --columns q,I -o texts.csv
check "lists of YAML: the same" same_files <(grep -v "^#" lists.csv) <(grep -v "^#" texts.csv)
ok "points: blanks" debye "$data/C60.xyz" --q-list 'log: 0.001 : 0.1 : 3 + lin:0.1:2:20 ' --columns 'q, I' -o blanks.csv
check "points: blanks next to separators do not count" same_files <(grep -v "^#" parts.csv) <(grep -v "^#" blanks.csv)
check "points: parts" [ "$(grep '^[0-9]' parts.csv | cut -d, -f1 | sed -n '1,4p;$p' | xargs)" = "0.001 0.01 0.1 0.2 2" ]
printf '# 2th_deg I sigma\n10 5 1\n40.5 6 1\n' >"$inputs/measured.xye"
ok "points: of a file" debye "$data/C60.xyz" --q-list "$inputs/measured.xye" --wavelength 1.5406 --columns two_theta,q -o file.csv
check "points: of a file" [ "$(grep '^[0-9]' file.csv | cut -d, -f1 | xargs)" = "10 40.5" ]
printf 'sample: %s\ndebye:\n  q-list: measured.xye\n  file-axis: q-nm\n  columns: q\n' "$data/C60.xyz" >"$inputs/points.yaml"
ok "points: of a file next to a job" debye "$inputs/points.yaml" -o listed_points.csv
check "points: of a file next to a job" [ "$(grep '^[0-9]' listed_points.csv | xargs)" = "1 4.05" ]
fails 2 'q-list: needs --wavelength' debye "$data/C60.xyz" --q-list "$inputs/measured.xye"
fails 2 'q-list: gives the scattering vectors, and so does --q' debye "$data/C60.xyz" --q-list lin:1:2:5 --q 1:2:3
fails 2 'q-list: gives the points, and so does --two-theta' debye "$data/C60.xyz" --q-list lin:1:2:5 --two-theta 1:2:3
fails 2 'q-list: .lin:1:2. is not a part of a list, as lin:0\.1:20:1000' debye "$data/C60.xyz" --q-list lin:1:2
fails 2 'q-list: .log:0:2:5.: a logarithmic part begins above q = 0' debye "$data/C60.xyz" --q-list log:0:2:5
fails 2 'q-list: the part that begins at q = 1 follows q = 2' debye "$data/C60.xyz" --q-list lin:1:2:5+log:1:3:5
fails 2 'q-list: the form factors are valid up to|q: the form factors are valid up to' debye "$data/C60.xyz" --q-list lin:1:99:5
fails 2 'tolerance: has no effect with --method exact' debye "$data/C60.xyz" --method exact --tolerance 1e-4
fails 2 'bin-width: has no effect with --method reference' debye "$data/C60.xyz" --method reference --bin-width 0.01
for method in histogram lattice reference; do
	fails 2 "precision: has no effect with --method $method: it is for exact sums" debye "$data/C60.xyz" --method $method --precision float32
done
fails 2 'damping: applies to periodic samples, and this one is a cluster' debye "$data/C60.xyz" --damping lorch
for option in '--window lorch' '--qdamp 0.1' '--density 0.1' '--laue' '--compton static' '--concentration number:1e15' '--resolution gaussian:0.1' \
	'--lorentz powder --wavelength 1' '--polarization 1 --wavelength 1' '--wavelength 1'; do
	name=${option%% *}
	# shellcheck disable=SC2086
	ok_warned "${name#--}: has no effect on the columns of the table; choose --columns, such as " "${name#--}: no column" \
		debye "$data/C60.xyz" --q 1:9:9 $option -o unseen.csv -f
	# shellcheck disable=SC2086
	ok "${name#--}: HDF5" debye "$data/C60.xyz" --q 1:9:9 $option -o unseen.h5 -f
done
ok "laue: its column" debye "$data/C60.xyz" --q 1:9:9 --laue --columns q,I,laue -o unseen.csv -f
fails 2 'file-axis: has no effect without a file' debye "$data/C60.xyz" --file-axis q
# a measured curve
printf '# q I\n1 12\n2 8\n3 11\n4 8.5\n5.5 9\n' >"$inputs/measured.xy"
ok "a measured curve" debye "$data/C60.xyz" --compare "$inputs/measured.xy" -o fit.csv
check "a measured curve: summary" has_line "$out" '^fit of I: scale [0-9.e-]+ \+- [0-9.e-]+, R [0-9.]+ %, Rwp [0-9.]+ %$'
check "a measured curve: header" has_line fit.csv '^# fit: scale I \+ background, scale .*, 3 degrees of freedom$'
check "a measured curve: columns" has_line fit.csv '^q,measured,fit,residual$'
check "a measured curve: rows" awk -F, '/^[0-9]/ {n += 1; sum += $4; d = $2 - $3 - $4; if (d*d > 1e-20) exit 1} END {exit n != 5 || sum*sum > 1e-18}' fit.csv
ok "a measured curve: HDF5" debye "$data/C60.xyz" --compare "$inputs/measured.xy" --background -1 -o fit.h5
ok "a measured curve: info" sonde info fit.h5
check "a measured curve: info" has_line "$out" '^fit +scale [0-9.e-]+ \+- [0-9.e-]+, R [0-9.]+ %, Rwp [0-9.]+ %$'
ok "a measured curve: other columns" debye "$data/C60.xyz" --compare "$inputs/measured.xy" --columns q,I,background
ok "a measured curve: a part of it" debye "$data/C60.xyz" --compare "$inputs/measured.xy" --compare-range 2:4.5 -o part.csv
check "a measured curve: a part of it" [ "$(grep '^[0-9]' part.csv | cut -d, -f1,2 | xargs)" = "2,8 3,11 4,8.5" ]
fails 2 'compare-range: no point of the file, from 1 to 5\.5, is within 6 to 9' debye "$data/C60.xyz" --compare "$inputs/measured.xy" --compare-range 6:9
fails 2 'compare-range: has no effect without --compare' debye "$data/C60.xyz" --compare-range 6:9
fails 2 'columns: this result does not contain measured_error' debye "$data/C60.xyz" --compare "$inputs/measured.xy" --columns measured_error
fails 2 'columns: fit needs --compare' debye "$data/C60.xyz" --columns q,fit
fails 2 'background: has no effect without --compare' debye "$data/C60.xyz" --background 2
fails 2 'background: 5 points do not determine 5 parameters' debye "$data/C60.xyz" --compare "$inputs/measured.xy" --background 3
fails 2 'compare: gives the points, and so does --q-list' debye "$data/C60.xyz" --compare "$inputs/measured.xy" --q-list lin:1:2:3
fails 2 'compare: gives the scattering vectors, and so does --q' debye "$data/C60.xyz" --compare "$inputs/measured.xy" --q 1:2:3
printf '1 5\n2 6\n3\n' >"$inputs/truncated.xy"
fails 2 'truncated.xy:3: has 1 column, the rows before it have 2' debye "$data/C60.xyz" --compare "$inputs/truncated.xy" -o new.csv
# the resolution of an instrument
ok "resolution" debye "$data/C60.xyz" --two-theta 10:100:4 --wavelength 1.54059 --doublet 1.54439:0.5 \
	--resolution tch:0.1:-0.05:0.1:0.05:0.02 --columns two_theta,I,I_resolved -o resolved.csv
check "resolution: rows" [ "$(rows resolved.csv)" = 4 ]
ok "resolution: plan" debye "$data/C60.xyz" --q 1:5:10 --resolution gaussian:0.1 --plan
check "resolution: plan" has_line "$out" '^resolution +[0-9]+ further points of q$'
ok "resolution: of a measured curve" debye "$data/C60.xyz" --compare "$inputs/measured.xy" --resolution gaussian:0.2 --columns q,fit,I_resolved
fails 2 'resolution: .gaussian. is neither none, gaussian:FWHM' debye "$data/C60.xyz" --resolution gaussian
fails 2 'resolution: .tch:1:2:3. is neither' debye "$data/C60.xyz" --resolution tch:1:2:3
fails 2 'resolution: .gaussian:-1. is neither' debye "$data/C60.xyz" --resolution gaussian:-1
fails 2 'resolution: needs --wavelength' debye "$data/C60.xyz" --resolution gaussian:1deg
fails 2 'resolution: the width is not above 0 at 2 theta = [0-9.]+ degrees' debye "$data/C60.xyz" --wavelength 1.5 --two-theta 10:90:5 \
	--resolution caglioti:1:-2:0.1
fails 2 'resolution: takes [0-9.e+]+ points of q' debye "$data/C60.xyz" --resolution gaussian:1e-6
fails 2 'resolution: applies to scattering angles up to 175 degrees' debye "$data/C60.xyz" --wavelength 1.5 --two-theta 10:180:5 --resolution gaussian:1deg
fails 2 'resolution: reaches q = 0, where the factor of --lorentz is infinite' debye "$data/C60.xyz" --wavelength 1.5 --lorentz powder \
	--q 0.1:5:5 --resolution gaussian:0.1
fails 2 'doublet: needs a --resolution along the scattering angle' debye "$data/C60.xyz" --wavelength 1.5 --doublet 1.6:0.5
fails 2 'doublet: .1\.6. is not a wavelength' debye "$data/C60.xyz" --wavelength 1.5 --resolution gaussian:1deg --doublet 1.6
fails 2 'columns: I_resolved needs --resolution' debye "$data/C60.xyz" --columns q,I_resolved
# a solvent, and absolute units
ok "solvent" debye "$data/C60.xyz" --q 0:1:3 --solvent-density 0.334 --excluded-volume C=11 --concentration mg/ml:5 --columns q,I,I_absolute -o solvent.csv
check "solvent: rows" [ "$(rows solvent.csv)" = 3 ]
fails 2 'solvent-density: needs --excluded-volume' debye "$data/C60.xyz" --solvent-density 0.334
fails 2 "excluded-volume: the sample has no 'c', did you mean 'C'|excluded-volume: .*'c'" debye "$data/C60.xyz" --solvent-density 0.3 --excluded-volume c=5
fails 2 "excluded-volume: 'C' is given twice" debye "$data/C60.xyz" --solvent-density 0.3 --excluded-volume C=5,C=6
fails 2 'excluded-volume: has no effect without --solvent-density' debye "$data/C60.xyz" --excluded-volume 5
fails 2 'concentration: .5. is not a concentration' debye "$data/C60.xyz" --concentration 5
fails 2 'concentration: a volume fraction needs --excluded-volume' debye "$data/C60.xyz" --concentration fraction:0.1
fails 2 'concentration: absolute units need the amplitudes of a radiation' debye "$data/C60.xyz" --concentration number:5 --factors unit
fails 2 'columns: I_absolute needs --concentration' debye "$data/C60.xyz" --columns q,I_absolute
# Compton scattering
ok "Compton scattering" debye "$data/C60.xyz" --q 1:2:3 --compton static --columns q,I,I_compton,I_total -o compton.csv
check "Compton scattering: sum" awk -F, '/^[0-9]/ {n += 1; d = $4 - $2 - $3; if (d*d > 1e-16*$4*$4 || $3 <= 0 || $3 > 360) bad = 1} END {exit bad || n != 3}' compton.csv
ok "Compton scattering: energy" debye "$data/C60.xyz" --q 1:2:3 --compton energy --energy 8keV --columns q,I_compton -o recoil.csv
check "Compton scattering: header" has_line recoil.csv '^# X-ray form factors: .*; incoherent scattering functions: J\. H\. Hubbell .* xraylib'
fails 2 'compton: the recoil depends on --wavelength' debye "$data/C60.xyz" --compton counts
fails 2 'compton: applies to X-rays' debye "$data/C60.xyz" --compton static --radiation neutron
fails 2 'columns: I_total needs --compton' debye "$data/C60.xyz" --columns q,I_total
printf '1\n0.5\n' >"$inputs/unsorted.txt"
fails 2 'unsorted.txt:2: x = 0.5 follows 1: rows must be sorted' debye "$data/C60.xyz" --q-list "$inputs/unsorted.txt" -o new.csv
check "points: nothing is written" [ ! -e new.csv ]
fails 2 'columns: two_theta needs --two-theta' debye "$data/C60.xyz" --columns two_theta,I
fails 2 'columns: S_NN needs --bhatia-thornton' debye "$data/C60.xyz" --columns q,S_NN
fails 2 'bhatia-thornton: these structure factors are those of two species; the sample has 1' debye "$data/C60.xyz" --bhatia-thornton
fails 2 'columns: R\(r\) needs --counts' debye "$data/C60.xyz" --columns r,R
fails 2 'columns: g\(r\) needs --counts and --density' debye "$data/C60.xyz" --columns r,g --counts
fails 2 'r: a single point has no bin width, which R\(r\) needs; give two or more' debye "$data/C60.xyz" --counts --r 5 --columns R
fails 2 'r: a single point has no bin width, which g\(r\) needs' debye "$data/C60.xyz" --counts --density 0.1 --r 5 \
	--columns r,g -o new.csv
ok "counts: one point of r" debye "$data/C60.xyz" --counts --q 1:20:96 --r 5 --columns r,G -o point.csv
check "counts: one point of r" [ "$(rows point.csv)" = 1 ]
ok "counts: one point of r in HDF5" debye "$data/C60.xyz" --counts --q 1:20:96 --r 5 -o point.h5

# few of many sites are occupied: distances of 1, 1 and 2; and two locations 0.3 apart that exclude each other
{ printf '5\nProperties=species:S:1:pos:R:3:occupancy:R:1\n'
  printf 'Au %s 0 0 1e-5\n' 0 1 2 10 10.3; } >"$inputs/few.xyz"
ok "counts: small occupancies" debye "$inputs/few.xyz" --counts --q 1:20:96 --r 0.1:2.1:21 --columns r,R -o few.csv
check "counts: small occupancies" awk -F, '/^[0-9]/ {want = $1 > 0.95 && $1 < 1.05 ? 8e-5 : $1 > 1.95 && $1 < 2.05 ? 4e-5 : 0
	if ($2 < 0.999 * want || $2 > 1.001 * want) exit 1; ++n} END {exit n != 21}' few.csv

# occupancies
printf '2\nProperties=species:S:1:pos:R:3:occupancy:R:1\nAu 0 0 0 0.25\nCu 3 0 0 0.5\n' >"$inputs/sites.xyz"
ok "occupancies" debye "$inputs/sites.xyz" --factors unit --q 1:2:2 -o sites.xy
check "occupancies: how many atoms" has_line sites.xy '^# atoms: 2 = 1 Au \(0\.25 present\), 1 Cu \(0\.5 present\)$'
row sites.xy 0
check "occupancies: I" near "${row[1]}" 0.761760001 0.000001
ok "occupancies: a summary" debye "$inputs/sites.xyz" --q 1:2:2 -o sites.h5
check "occupancies: said" has_line "$out" '^occupancies: 2 sites hold 0\.75 atoms on average$'
ok "occupancies: info" sonde info "$inputs/sites.xyz"
check "occupancies: said by info" has_line "$out" '^occupancies +below 1 at 2 sites, 0\.75 atoms on average$'

{ printf '900\nProperties=species:S:1:pos:R:3:occupancy:R:1\n'
  awk 'BEGIN {for (k = 1; k <= 900; ++k) print "Au", k, 0, 0, k / 1000}'; } >"$inputs/classes.xyz"
fails 2 'not enough memory: .*; occupancies with fewer digits \(900 classes of one species and one occupancy' \
	debye "$inputs/classes.xyz" --q 0.1:20:996 --host-memory 1G
location() { # LETTER X OCCUPANCY
	printf 'ATOM      1  CA %sALA A   1    %8.3f%8.3f%8.3f%6.2f%6.2f           C\n' "$1" "$2" 0 0 "$3" 0
}
{ location A 0 0.7; location B 0.3 0.4; } >"$inputs/overfull.pdb"
ok_warned 'occupancies: in 1 residue those of alternative locations add up to more than 1, to 1\.1 at most' "overfull locations" \
	debye "$inputs/overfull.pdb" --q 1:2:5 -o overfull.xy --quiet
{ location A 0 0.6; location B 0.3 0.4; } >"$inputs/full.pdb"
ok "full locations" debye "$inputs/full.pdb" --q 1:2:5 -o full.xy --quiet

# a byte order mark, of samples and jobs
{ printf '\357\273\277'; cat "$data/C60.xyz"; } >"$inputs/marked.xyz"
printf '\357\273\277sample: %s\ndebye: {q: "1:2:5"}\n' "$inputs/marked.xyz" >"$inputs/marked.yaml"
ok "byte order marks" debye "$inputs/marked.yaml" -o marked.xy
check "byte order marks: atoms" has_line marked.xy '^# atoms: 60 = 60 C$'

# periodic samples, and clusters
printf '2\nLattice="4 0 0 0 4 0 0 0 4"\nNa 0 0 0\nCl 2 0 0\n' >"$inputs/periodic.xyz"
sed 's/4"$/4" pbc="F F F"/' "$inputs/periodic.xyz" >"$inputs/cluster.xyz"
sed 's/4"$/4" pbc="F F T"/' "$inputs/periodic.xyz" >"$inputs/rod.xyz"
sed 's/^Lattice.*$/cluster/' "$inputs/periodic.xyz" >"$inputs/plain.xyz"
debye "$inputs/periodic.xyz" --q 0:2:5 -o images.xy >"$out" 2>"$err" </dev/null
check "a periodic sample: exit code" [ $? -eq 0 ]
check "a periodic sample: a note" one_line 'periodic\.xyz is periodic: distances up to 20 Angstrom are counted \(--cutoff\)'
check "a periodic sample: summary" has_line "$out" '^2 atoms, periodic, distances up to 20 Angstrom, 5 points of q, histogram, '
check "a periodic sample: header" contains images.xy 'boundary = periodic'
check "a periodic sample: the cut-off is in the header" contains images.xy 'cutoff = 20 Angstrom'
check "a periodic sample: the density is that of the cell" contains images.xy 'density = 0.03125 1/Angstrom^3'
ok "a periodic sample, the reference" debye "$inputs/periodic.xyz" --q 0:2:5 --cutoff 20 --method reference -o images_reference.xy
check "a periodic sample: histogram and reference agree" agree images.xy images_reference.xy 1e-6
printf '2\nLattice="4 0 0 4 4 0 0 4 4"\nNa 8 8 -4\nCl -2 4 8\n' >"$inputs/sheared.xyz"
ok "the same crystal in another cell" debye "$inputs/sheared.xyz" --q 0:2:5 --cutoff 20 --method reference -o sheared.xy
check "the cell does not matter" agree sheared.xy images_reference.xy 1e-9
ok "columns of a periodic sample" debye "$inputs/periodic.xyz" --cutoff 9 --counts --columns r,R,n,g,G,D,T --r 1:5:5 -o images_r.xy
row images_r.xy 1
check "neighbors of a periodic sample: 6 at 2 Angstrom by two species" [ "${row[1]}${row[2]}" = 22 ]
ok "angles of a periodic sample" debye "$inputs/periodic.xyz" --cutoff 20 --two-theta 10:90:81 --wavelength 1.54 -o images_angles.xy
ok "electrons, lorch" debye "$inputs/periodic.xyz" --cutoff 20 --damping lorch --radiation electron --displacement 0.01 -o images_lorch.xy
printf '3\nLattice="4 0 0 0 4 0 0 0 4"\nNa 0 0 0\nCl 2 0 0\nNa 4 0 4\n' >"$inputs/twice.xyz"
debye "$inputs/twice.xyz" --cutoff 9 --q 1:2:5 -o twice.xy >"$out" 2>"$err" </dev/null
check "atoms on opposite faces: a note" one_line '1 pair of atoms closer than 0\.01 Angstrom: does the file have those on opposite faces'
sed 's/4"$/4" pbc="T T F"/' "$inputs/periodic.xyz" >"$inputs/slab.xyz"
for body in rod slab; do
	for method in histogram exact reference; do
		ok "a $body, $method" debye "$inputs/$body.xyz" --q 0.1:8:80 --cutoff 30 --method $method -o ${body}_$method.xy
	done
	check "a $body: histogram and reference agree" agree ${body}_histogram.xy ${body}_reference.xy 1e-6
	check "a $body: exact sums and reference agree" agree ${body}_exact.xy ${body}_reference.xy 1e-8
done
debye "$inputs/slab.xyz" --q 1:2:5 -o slab.xy >"$out" 2>"$err" </dev/null
check "a slab: a note" one_line 'slab\.xyz is periodic along two edges, a slab: distances up to 40 Angstrom are counted \(--cutoff\)'
printf 'ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n0 4\n0 4\n0 4\nITEM: ATOMS id element x y z\n1 Na 0 0 0\n2 Cl 2 0 0\n' \
	>"$inputs/slab.dump"
ok "a slab of LAMMPS" debye "$inputs/slab.dump" --q 0.1:8:80 --cutoff 30 --method exact -o slab_dump.xy
check "a slab of LAMMPS: the same" agree slab_dump.xy slab_exact.xy 1e-12
ok "a mixture in a slab" debye "$inputs/slab.xyz" --q 0.1:8:80 --cutoff 30 --labels 'Na=0.5*Na+0.5*K' --method exact -o slab_mixed.xy
ok "a mixture in a slab, reference" debye "$inputs/slab.xyz" --q 0.1:8:80 --cutoff 30 --labels 'Na=0.5*Na+0.5*K' --method reference -o slab_mixed_reference.xy
check "a mixture in a slab: exact sums and reference agree" agree slab_mixed.xy slab_mixed_reference.xy 1e-8
cat "$inputs/slab.xyz" "$inputs/slab.xyz" >"$inputs/slab_twice.xyz"
ok "frames of a slab" debye "$inputs/slab_twice.xyz" --frames all --q 0.1:8:80 --cutoff 30 --method histogram \
	--columns q,I,I_per_atom,S,error_estimate -o slab_twice.xy
check "frames of a slab: those of the first" agree slab_twice.xy slab_histogram.xy 1e-12
ok "angles, and Lorch's factor" debye "$inputs/slab.xyz" --two-theta 5:90:86 --wavelength 1.54 --cutoff 30 --damping lorch -o slab_angles.xy
ok "angles, and Lorch's factor, reference" debye "$inputs/slab.xyz" --two-theta 5:90:86 --wavelength 1.54 --cutoff 30 --damping lorch \
	--method reference -o slab_angles_reference.xy
check "a slab at angles: histogram and reference agree" agree slab_angles.xy slab_angles_reference.xy 1e-6
ok "neighbors in a slab" debye "$inputs/slab.xyz" --q 0.1:8:80 --cutoff 9 --counts --columns r,R,n --r 1:5:5 -o slab_r.xy
fails 2 'q: an infinite slab scatters as 1/q\^2 at small q' debye "$inputs/slab.xyz" --cutoff 20 --q 0:2:5
fails 2 'q: an infinite rod scatters as 1/q at small q' debye "$inputs/rod.xyz" --cutoff 20 --q 0:2:5
fails 2 'displacement: tensors and correlated motion .* this one is a slab' debye "$inputs/slab.xyz" --cutoff 20 --q 1:2:5 --displacement 0.01 --delta2 0.1
fails 2 'columns: g\(r\) needs' debye "$inputs/slab.xyz" --cutoff 20 --q 1:2:5 --counts --columns r,g
printf '1\nLattice="4 0 0 8 0 0 0 0 4" pbc="T T F"\nNa 0 0 0\n' >"$inputs/parallel.xyz"
fails 2 'parallel\.xyz: the edges along which the sample is periodic are 0 or parallel' debye "$inputs/parallel.xyz" --q 1:2:5
printf '1\nLattice="4 0 0 0 4 0 0 0 0" pbc="T T F"\nNa 0 0 0\n' >"$inputs/layer.xyz"
ok "the third edge of a slab is not used" debye "$inputs/layer.xyz" --cutoff 20 --q 1:2:5 -o layer.xy
fails 2 'plain\.xyz: has no cell' debye "$inputs/plain.xyz" --q 1:2:5 --boundary periodic
ok "a cell that is a cluster by its file, on request" debye "$inputs/cluster.xyz" --q 0:2:5 --boundary periodic --cutoff 20 -o requested.xy
check "a cell that is a cluster by its file: the same sums" same_files <(grep -v '^#' requested.xy) <(grep -v '^#' images.xy)
fails 2 '--cutoff: applies to periodic samples' debye "$inputs/cluster.xyz" --q 1:2:5 --cutoff 10
ok "a periodic sample, exact sums" debye "$inputs/periodic.xyz" --q 0:2:5 --cutoff 20 --method exact -o images_exact.xy
check "a periodic sample: exact sums and reference agree" agree images_exact.xy images_reference.xy 1e-11
fails 2 '--method: this method is for clusters; a periodic sample takes --method histogram or --method exact' \
	debye "$inputs/periodic.xyz" --q 1:2:5 --cutoff 10 --method lattice
fails 2 '--copies: copies are those of a cluster' debye "$inputs/periodic.xyz" --q 1:2:5 --cutoff 10 --copies averaged --copy-atoms 2
fails 2 '--cutoff: 1000 Angstrom reach 6\.5e\+07 images of the cell' debye "$inputs/periodic.xyz" --q 1:2:5 --cutoff 1000
sed 's/0 0 4"$/4 4 0"/' "$inputs/periodic.xyz" >"$inputs/flat.xyz"
fails 2 'flat\.xyz: the cell has no volume' debye "$inputs/flat.xyz" --q 1:2:5
sed 's/0 4"$/0 0.4"/' "$inputs/periodic.xyz" >"$inputs/thin.xyz"
fails 2 'thin\.xyz: the cell is 0\.4 Angstrom high along edge c' debye "$inputs/thin.xyz" --q 1:2:5
printf 'sample: %s\ndebye: {q: "1:2:5", boundary: open}\n' "$inputs/periodic.xyz" >"$inputs/open.yaml"
ok "a job with boundary: open" debye "$inputs/open.yaml" -o open.xy
ok "pbc F F F" debye "$inputs/cluster.xyz" --q 1:2:5 -o cluster.xy
ok "no cell" debye "$inputs/plain.xyz" --q 1:2:5 -o no_cell.xy
numbers() { grep -v '^#' "$1"; }
check "a cell changes nothing" [ "$(numbers open.xy)" = "$(numbers no_cell.xy)" -a "$(numbers cluster.xy)" = "$(numbers no_cell.xy)" ]
ok "a block of whole cells" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 2,2,2 -o block.xyz
ok "a block of whole cells is a cluster" debye block.xyz --q 1:2:5 -o block.xy
pdb() { # X ELEMENT
	printf 'ATOM      1  X   MOL A   1    %8.3f   0.000   0.000  1.00  0.00          %2s\n' "$1" "$2"
}
{ printf 'CRYST1   40.000   40.000   40.000  90.00  90.00  90.00 P 1           1\n'; pdb 0 Na; pdb 2 Cl; } >"$inputs/cell.pdb"
debye "$inputs/cell.pdb" --q 1:2:5 -o pdb.xy >"$out" 2>"$err" </dev/null
check "a PDB file with a cell: exit code" [ $? -eq 0 ]
check "a PDB file with a cell: a note" one_line 'cell\.pdb: has a cell \(CRYST1\), which is not used'
check "a PDB file with a cell: its atoms" [ "$(numbers pdb.xy)" = "$(numbers no_cell.xy)" ]
ok "a PDB file with a cell, meant" debye "$inputs/cell.pdb" --q 1:2:5 --boundary open -o pdb_open.xy

# the unit cell of a CIF, where the build reads it
if debye "$data/cif/quartz.cif" --q 1:2:5 -o cif.xy >"$out" 2>"$err" </dev/null; then
	check "a CIF: a note" one_line 'quartz\.cif: has a cell, which is not used'
	ok "a CIF, meant" debye "$data/cif/quartz.cif" --q 1:2:5 --boundary open -o cif_open.xy
	ok "a CIF, repeated" debye "$data/cif/quartz.cif" --q 1:2:5 --boundary periodic --cutoff 15 -o cif_periodic.xy
	check "a CIF: its atoms" has_line cif_open.xy '^# atoms: 9 = 6 O, 3 Si$'
	sonde debye - --q 1:2:5 --boundary open -o cif_stdin.xy <"$data/cif/quartz.cif" >"$out" 2>"$err"
	check "a CIF as standard input: the same" [ "$(numbers cif_open.xy)" = "$(numbers cif_stdin.xy)" ]
else
	check "no reader of CIF: one line" one_line 'quartz\.cif: this build has no CIF reader'
fi

# job files
cat >"$inputs/job.yaml" <<END
sample: $data/C60.xyz
output: job.csv
debye:
  q: [1, 2, 11]
  radiation: neutron
  method: exact
END
ok "job with a sample" debye "$inputs/job.yaml"
check "job: kind of output" has_line job.csv '^q,I,'
check "job: points" [ "$(rows job.csv)" = 11 ]
check "job: radiation" has_line job.csv '^# neutron scattering lengths'
ok "flags override the job" debye "$inputs/job.yaml" --q 1:2:5 --radiation xray -o other.xy
check "override: points" [ "$(rows other.xy)" = 5 ]
check "override: radiation" has_line other.xy '^# X-ray'
check "override: what is not overridden stays" contains other.xy 'method = exact'
ok "flags before the job override it too" debye --q 1:2:7 -o before.xy "$inputs/job.yaml"
check "override from before: points" [ "$(rows before.xy)" = 7 ]
ok "a boolean of the job" debye "$inputs/job.yaml" --force
printf 'force: yes\nquiet: yes\n' | cat - "$inputs/job.yaml" >"$inputs/forced.yaml"
ok "force and quiet in a job" debye "$inputs/forced.yaml"
check "quiet in a job" is_empty "$out"
cat >"$inputs/built.yaml" <<'END'
output: built.xy
build: {cell: fcc, species: Au, a: 4.0782, sphere: 16}
debye: {q: "0.1:20.08:1000"}
END
ok "job with a build block" debye "$inputs/built.yaml"
check "build block: as the file of the same sample" agrees_with built.xy "$data/Au_fcc_1k.wk.dat" 1e-6
check "build block: the sample says how it was made" has_line built.xy \
	'^# sample: sonde build --cell fcc --species Au --a 4\.0782 --sphere 16$'
printf 'sample: %s\ndebye:\n' "$data/C60.xyz" >"$inputs/plain.yml"
ok "empty engine block means defaults" debye "$inputs/plain.yml" -o defaults.xy
check "defaults: 996 points" [ "$(rows defaults.xy)" = 996 ]

# outputs that exist
fails 2 'defaults\.xy: exists already; choose another name or add --force' debye "$data/C60.xyz" -o defaults.xy
fails 2 'job\.csv: exists already' debye "$inputs/job.yaml"
ok "--force" debye "$data/C60.xyz" --q 1:2:2 -o defaults.xy --force
check "--force: replaced" [ "$(rows defaults.xy)" = 2 ]
check "no leftovers after --force" no_leftovers

# JSON
debye "$data/Au_fcc_1k.xyz" --json --q $grid --method histogram -o json.xy >"$out" 2>"$err" </dev/null
check "--json: exit code" [ $? -eq 0 ]
check "--json: summary" has_line "$out" '^\{"command": "debye", "atoms": 959, "points": 1000, "method": "histogram", "seconds": [0-9.]+, "largest_error": [0-9.e-]+, "largest_bound": [0-9.e-]+, "times": \{"sample": [0-9.]+, "devices": [0-9.]+, "kernels": [0-9.]+, "computing": [0-9.]+, "files": [0-9.]+, "processor": [0-9.]+\}, "shared": \[\{"rank": 0, "seconds": [0-9.]+, "processor": [0-9.]+, "devices": \[\{"device": "[a-z0-9:]+", "work": [0-9.e+]+, "seconds": [0-9.]+\}\]\}\], "notes": \[\], "warnings": \[\]\}$'
all_json() { # FILE
	local line
	while IFS= read -r line; do
		is_json "$line" || return 1
	done <"$1"
}
check "--json: stdout is JSON" all_json "$out"
check "--json: progress" contains "$err" '"stage": "pairs (histogram)"'
check "--json: stderr is JSON" all_json "$err"

# pictures, also where no other program is found
mkdir "$inputs/empty"
with_path() { PATH=$1 "$program" "${@:2}"; }
ok "--plot without other programs" with_path "$inputs/empty" debye "$data/C60.xyz" --plot alone.png
check "--plot without other programs: a PNG" is_png alone.png
ok "--plot" debye "$data/C60.xyz" --plot c60.png
check "--plot: a PNG" is_png c60.png
check "--plot: said" has_line "$out" '^c60\.png: drawn$'
ok "--plot and -o" debye "$data/C60.xyz" -o both.h5 --plot both.png
check "--plot and -o: HDF5" is_hdf5 both.h5
check "--plot and -o: PNG" is_png both.png
ok "--plot of a measured curve" debye "$data/C60.xyz" --compare "$inputs/measured.xy" --plot fit.png
check "--plot of a measured curve: a PNG" is_png fit.png
ok "--plot of one point" debye "$data/C60.xyz" --q 1:1:1 --plot point.png
check "--plot of one point: a PNG" is_png point.png
ok "--plot of one atom" debye "$inputs/one.xyz" --plot atom.png
check "--plot of one atom: a PNG" is_png atom.png
fails 2 'c60\.png: exists already' debye "$data/C60.xyz" --plot c60.png
fails 2 'c60\.jpg: pictures are PNG, SVG or PDF files; end the name in \.png' debye "$data/C60.xyz" --plot c60.jpg
fails 2 'nowhere/c60\.png: the folder' debye "$data/C60.xyz" --plot nowhere/c60.png
fails 2 'nowhere/c60\.png: the folder' debye "$data/C60.xyz" -o new.h5 --plot nowhere/c60.png
ok "--plot as SVG" debye "$data/C60.xyz" --plot c60.svg
check "--plot as SVG: the axis of q" has_line c60.svg '^Panel 1; x: q \(Å⁻¹\) from 0\.1 to 20; y: I\(q\)/N \(electron units\) from .*, logarithmic; texts: 60 atoms\.$'
check "--plot as SVG: the axis of r" has_line c60.svg '^Panel 2; x: r \(Å\) from '
check "--plot as SVG: a curve in blue" grep -q 'stroke:rgb(12.156863%,30.588235%,60.392157%)' c60.svg
ok "--plot as PDF" debye "$data/C60.xyz" --plot c60.pdf
check "--plot as PDF: a PDF" [ "$(head -c 5 c60.pdf)" = %PDF- ]
ok "--plot-axes" debye "$data/C60.xyz" --plot linear.svg --plot-axes linear
check "--plot-axes: linear" lacks linear.svg logarithmic
# the same bytes again, and with more threads
ok "--plot again" debye "$data/C60.xyz" --plot again.png --threads 2
check "--plot again: the same picture" same_files c60.png again.png
check "no leftovers at the end" no_leftovers

# the lattice method: found in atoms, from the description of a sample, and large samples without their atoms
gold='build: {cell: fcc, species: Au, a: 4.0782, sphere: 20}'
printf '%s\ndebye: {method: exact, q: 0.1:20:100}\n' "$gold" >"$inputs/exact.yaml"
printf '%s\ndebye: {method: lattice, q: 0.1:20:100}\n' "$gold" >"$inputs/lattice.yaml"
ok "exact, to compare with the lattice" debye "$inputs/exact.yaml" -o exact_gold.xy
ok "lattice" debye "$inputs/lattice.yaml" -o lattice_gold.xy
check "lattice: summary" has_line "$out" '^1985 atoms, .* lattice, [0-9.]+ s$'
check "lattice: the same pattern" agree lattice_gold.xy exact_gold.xy 1e-7
ok "lattice: three threads" debye "$inputs/lattice.yaml" --threads 3 -o lattice_three.xy
check "lattice: bit-identical" same_bodies lattice_gold.xy lattice_three.xy
ok "atoms of a lattice" sonde build --cell fcc --species Au --a 4.0782 --sphere 20 -o gold.xyz
ok "lattice of atoms" debye gold.xyz --method lattice --q 0.1:20:100 -o lattice_atoms.xy
check "lattice of atoms: the same pattern" agree lattice_atoms.xy exact_gold.xy 1e-7
ok "atoms of a tilted lattice" sonde build --cell fcc --species Au --a 4.0782 --sphere 20 --orient z-x-z:10,20,30 -o tilted.xyz
awk 'NR <= 2 { print; next } { printf "%s %.4f %.4f %.4f\n", $1, $2, $3, $4 }' tilted.xyz >rounded.xyz
ok "rounded atoms, exact" debye rounded.xyz --method exact --q 4:20:100 -o rounded_exact.xy
ok_warned 'rounded\.xyz: the atoms are up to [0-9.e-]+ Angstrom away from the points of the lattice .*method auto' "lattice of rounded atoms" \
	debye rounded.xyz --method lattice --q 4:20:100 -o rounded.xy
check "lattice of rounded atoms: the same pattern" agree rounded.xy rounded_exact.xy 0.05
check "lattice of rounded atoms: not those of the file" bash -c '! cmp -s rounded.xy rounded_exact.xy'
ok_warned 'up to' "lattice of rounded atoms: plan" debye rounded.xyz --method lattice --q 4:20:100 --plan
check "lattice of rounded atoms: plan: deviation" has_line "$out" '^positions +those of a lattice with edges of 2.8837[0-9]*, 2.8837[0-9]*, and 2.8837[0-9]* Angstrom, within [5-9]e-05 Angstrom$'
ok "lattice: plan" debye "$inputs/lattice.yaml" --plan
check "lattice: plan: rows" has_line "$out" '^lattice +[0-9]+ rows of cells, [0-9.e+]+ pairs of rows, up to [0-9.e+]+ vectors$'
check "lattice: plan: method" has_line "$out" '^method +lattice$'
printf 'build: {cell: fcc, species: Au, a: 4.0782, sphere: 170}\ndebye: {q: 0.1:20:100}\n' >"$inputs/large.yaml"
ok "10^6 atoms: the plan" debye "$inputs/large.yaml" --plan
check "10^6 atoms: lattice" has_line "$out" '^method +lattice$'
printf 'build: {cell: fcc, species: Au, a: 4.0782, sphere: 20, displace: "0.1"}\ndebye: {method: lattice}\n' \
	>"$inputs/displaced.yaml"
fails 2 'displaced\.yaml.*displace.*not a lattice' debye "$inputs/displaced.yaml"
fails 2 'C60\.xyz: the atoms are not on a lattice.*method auto' debye "$data/C60.xyz" --method lattice

# factors of each pair next to other methods and kinds of samples
printf '%s\n' 3 'Lattice="4 0 0 0 5 0 0 0 6" pbc="T T T" Properties=species:S:1:pos:R:3:U_aniso:R:6' \
	'Si 0 0 0 0.006 0.005 0.007 0.001 -0.001 0.002' 'O 1.6 0.3 0.5 0.015 0.011 0.012 -0.003 0.004 0.001' \
	'O 2.2 2.5 3.1 0.012 0.016 0.01 0.002 0.001 -0.003' >"$inputs/uij.xyz"
ok "atoms with displacements" sonde build --cell "$inputs/uij.xyz" --sphere 6 -o moving.xyz
ok "displacements, reference" debye moving.xyz --displacement sample --delta2 0.3 --method reference --q-list log:0.1:1:9+lin:1:20:31 -o moving_reference.xy
ok "displacements, exact" debye moving.xyz --displacement sample --delta2 0.3 --method exact --q-list log:0.1:1:9+lin:1:20:31 -o moving_exact.xy
check "displacements at points of any spacing" agree moving_exact.xy moving_reference.xy 1e-10
fails 2 'method: .*moving\.xyz: the atoms are not on a lattice.*method auto' debye moving.xyz --displacement sample --method lattice
ok "a crystal with displacements" sonde build --cell "$inputs/uij.xyz" --sphere 12 -o moving_crystal.xyz
for method in exact lattice; do
	ok "displacements of a crystal, $method" debye moving_crystal.xyz --displacement sample --delta2 0.3 --method "$method" \
		--q-list log:0.1:1:9+lin:1:20:31 -o "crystal_$method.xy"
done
check "displacements by lattice" agree crystal_lattice.xy crystal_exact.xy 1e-10
ok "periodic, correlated" debye "$inputs/uij.xyz" --boundary periodic --displacement 0.01 --delta2 0.3 --qbroad 0.02 --cutoff 9 --q 0.5:20:21 -o moving_images.xy
check "periodic, correlated: the histogram" contains moving_images.xy 'method = histogram'
ok "periodic, correlated, reference" debye "$inputs/uij.xyz" --boundary periodic --displacement 0.01 --delta2 0.3 --qbroad 0.02 --cutoff 9 --q 0.5:20:21 \
	--method reference -o moving_images_reference.xy
check "periodic, correlated: histogram and reference agree" agree moving_images.xy moving_images_reference.xy 1e-6
ok "periodic, tensors" debye "$inputs/uij.xyz" --boundary periodic --displacement sample --delta2 0.3 --cutoff 9 --q 0.5:20:21 -o moving_tensors.xy
check "periodic, tensors: exact sums" contains moving_tensors.xy 'method = exact'
ok "periodic, tensors, reference" debye "$inputs/uij.xyz" --boundary periodic --displacement sample --delta2 0.3 --cutoff 9 --q 0.5:20:21 \
	--method reference -o moving_tensors_reference.xy
check "periodic, tensors: exact sums and reference agree" agree moving_tensors.xy moving_tensors_reference.xy 1e-10
fails 2 'method: a histogram has the distances of pairs only, .* are tensors; choose --method exact$' \
	debye "$inputs/uij.xyz" --boundary periodic --displacement sample --method histogram
fails 2 'delta2: too large: .* would be negative' debye "$inputs/uij.xyz" --boundary periodic --displacement 0.01 --delta2 90 --cutoff 9
printf '%s\ndebye: {method: lattice, displacement: "0.01", delta2: 0.3}\n' "$gold" >"$inputs/moving.yaml"
ok "a lattice without atoms, correlated" debye "$inputs/moving.yaml" -o moving_rows.h5
printf '%s\ndebye: {method: lattice, displacement: "0.01", delta2: 9}\n' "$gold" >"$inputs/moving.yaml"
fails 2 'moving\.yaml:2: delta2: too large: the relative mean square displacement of the pair Au-Au at 2\.88' debye "$inputs/moving.yaml"
printf '%s\ndebye: {method: lattice, displacement: sample}\n' "$gold" >"$inputs/moving.yaml"
fails 2 'moving\.yaml:2: displacement: the sample is a lattice' debye "$inputs/moving.yaml"
printf '%s\ndebye: {method: lattice, partials: block}\n' "$gold" >"$inputs/moving.yaml"
fails 2 'moving\.yaml:2: partials: the sample is a single lattice' debye "$inputs/moving.yaml"

# structures with tensors of their own, whose copies are summed one by one, and their blocks
ok "a larger structure" sonde build --cell "$inputs/uij.xyz" --sphere 8 -o larger.xyz
ok "copies of two structures" sonde build --structures '[{file: moving.xyz, number: 2}, {file: larger.xyz, number: 3}]' \
	--copy-spacing 30 --copy-orientations random --seed 3 -o two.xyz
ok "two structures, exact" debye two.xyz --displacement sample --delta2 0.3 --copies independent --method exact --q 0.5:20:21 -o two_exact.xy
ok "two structures, reference" debye two.xyz --displacement sample --delta2 0.3 --copies independent --method reference --q 0.5:20:21 -o two_reference.xy
check "two structures: tensors of each" agree two_exact.xy two_reference.xy 1e-10
ok "blocks, and a resolution" debye two.xyz --partials block --q 0.5:20:21 --resolution gaussian:0.2 --columns q,block_1_1,block_1_5,block_5_5,I_resolved -o block_resolved.xy
ok "blocks" debye two.xyz --partials block --q 0.5:20:21 --columns q,block_1_1,block_1_5,block_5_5 -o block_plain.xy
check "blocks: the user's points" agree block_resolved.xy block_plain.xy 1e-9
cat moving.xyz moving.xyz >twice.xyz
ok "tensors of frames" debye twice.xyz --frames all --displacement sample --delta2 0.3 --method exact --q-list log:0.1:1:9+lin:1:20:31 --columns q,I,I_per_atom,S,error_estimate -o moving_twice.xy
check "tensors of frames: those of the first" agree moving_twice.xy moving_exact.xy 1e-12
cat two.xyz two.xyz >twice.xyz
ok "blocks of frames" debye twice.xyz --frames all --partials block --q 0.5:20:21 --resolution gaussian:0.2 --columns q,block_1_1,block_1_5,block_5_5,I_resolved -o block_twice.xy
check "blocks of frames: those of the first" agree block_twice.xy block_plain.xy 1e-9

# other labels: isotopes, names of a force field, and mixtures
printf '3\nwater\nOW 0 0 0\nHW 0.96 0 0\nHW -0.24 0.93 0\n' >"$inputs/light.xyz"
printf '3\nheavy water\nO 0 0 0\nD 0.96 0 0\n2H -0.24 0.93 0\n' >"$inputs/heavy.xyz"
neutrons=(--radiation neutron --q 0:12:25)
ok "labels of a force field as isotopes" debye "$inputs/light.xyz" "${neutrons[@]}" --labels 'OW=O, HW=D' -o relabeled.xy
ok "the isotopes themselves" debye "$inputs/heavy.xyz" "${neutrons[@]}" --labels 2H=D -o isotopes.xy
check "labels: the same pattern" agree relabeled.xy isotopes.xy 1e-15
ok "a mixture of isotopes" debye "$inputs/light.xyz" "${neutrons[@]}" --labels 'OW=O,HW=0.7*D+0.3*H' -o mixed.xy
check "a mixture: its atoms" contains mixed.xy '2 D (1.4 present), 2 H (0.6 present), 1 O'
ok "a mixture, by histogram" debye "$inputs/light.xyz" "${neutrons[@]}" --labels 'OW=O,HW=0.7*D+0.3*H' --method histogram -o mixed_histogram.xy
check "a mixture: the same by histogram" agree mixed_histogram.xy mixed.xy 1e-6
cat "$inputs/light.xyz" "$inputs/light.xyz" >"$inputs/light_twice.xyz"
ok "a mixture in frames" debye "$inputs/light_twice.xyz" --frames all "${neutrons[@]}" --labels 'OW=O,HW=0.7*D+0.3*H' \
	--columns q,I,I_per_atom,S,error_estimate -o mixed_twice.xy
check "a mixture in frames: those of the first" agree mixed_twice.xy mixed.xy 1e-12
fails 2 "labels: the sample has no 'HV', did you mean 'HW'?" debye "$inputs/light.xyz" "${neutrons[@]}" --labels HV=D -o none.xy
fails 2 "labels: the fractions of 'HW' add up to 0\.8, not to 1" debye "$inputs/light.xyz" "${neutrons[@]}" --labels 'HW=0.7*D+0.1*H' -o none.xy
fails 2 "labels: unknown species 'Dd'" debye "$inputs/light.xyz" "${neutrons[@]}" --labels HW=Dd -o none.xy
fails 2 "copies: a mixture by --labels is possible with" debye two.xyz --copies averaged --labels 'O=0.5*16O+0.5*18O' -o none.xy
fails 2 "copy-atoms: an atom of a mixture by --labels is several sites" debye two.xyz --copy-atoms 5 --copies independent \
	--labels 'O=0.5*16O+0.5*18O' -o none.xy
check "labels: nothing is written" [ ! -e none.xy ]
printf '%s\ndebye: {radiation: neutron, method: lattice, labels: Au=197Au}\n' "$gold" >"$inputs/gold.yaml"
ok "labels of a crystal, whose atoms are listed" debye "$inputs/gold.yaml" -o gold_isotope.h5

finish
