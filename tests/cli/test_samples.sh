# sonde debye of trajectories, lists of structures, and distributions of sizes; sonde build of these.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
debye() { sonde debye "$@" --q 0.5:12:24; }
numbers() { grep -v '^#' "$1"; }
# The mean of column $1 over files, and its standard error, next to the columns of a table of means.
mean_of() { # FILES...
	paste -d' ' "$@" | awk '{m = 0; n = NF/5; for (k = 0; k < n; ++k) m += $(5*k + 3)/n
		s = 0; for (k = 0; k < n; ++k) s += ($(5*k + 3) - m)^2
		printf "%.15g %.15g\n", m, sqrt(s/(n*(n - 1)))}'
}
close_to() { # RELATIVE FILE FILE: rows of two numbers
	paste -d' ' "$2" "$3" | awk -v e="$1" '{for (k = 1; k <= 2; ++k) {d = $k - $(k + 2); d = d < 0 ? -d : d; if (d > e*$k || $k == "nan") bad = 1}}
		END {exit bad || NR < 24}'
}

# a trajectory: four frames as extended XYZ, a dump of LAMMPS, and DCD with labels from elsewhere
for k in 0 1 2 3; do
	ok "frame $k" sonde build --cell rocksalt --species Na,Cl --a 5.64 --sphere 8 --displace 0.2 --seed "$k" -o "$inputs/f$k.xyz"
	ok "frame $k alone" debye "$inputs/f$k.xyz" -o "$inputs/f$k.xy"
	numbers "$inputs/f$k.xy" >"$inputs/f$k"
	cat "$inputs/f$k.xyz" >>"$inputs/md.xyz"
	awk -v k="$k" 'FNR == 1 {n = $1; printf "ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS ff ff ff\n-20 20\n-20 20\n-20 20\nITEM: ATOMS id type x y z\n", k, n}
		FNR > 2 {line[FNR - 2] = sprintf("%d %d %s %s %s", FNR - 2, $1 == "Na" ? 1 : 2, $2, $3, $4)}
		END {for (i = 0; i < n; ++i) {j = (7*i + k)%n + 1; print line[j]}}' "$inputs/f$k.xyz" >>"$inputs/md.lammpstrj"
done
atoms=$(head -1 "$inputs/f0.xyz")
ok "all frames" debye "$inputs/md.xyz" --frames all -o mean.xy
check "all frames: summary" has_line "$out" '^mean of 4 frames, standard errors from 4 independent frames$'
check "all frames: header" has_line mean.xy '^# samples: mean of 4 frames; standard errors from 4 independent frames$'
numbers mean.xy | awk '{print $3, $6}' >mean
mean_of "$inputs"/f[0-3] >expected
check "all frames: mean and standard error" close_to 1e-5 expected mean
ok "some frames" debye "$inputs/md.xyz" --frames 1:4:2 -o some.xy
numbers some.xy | awk '{print $3, $6}' >some
mean_of "$inputs"/f1 "$inputs"/f3 >expected
check "some frames: mean and standard error" close_to 1e-5 expected some
ok "one frame" debye "$inputs/md.xyz" --frames last -o last.xy
check "one frame: it alone, to rounding" awk 'NR == FNR {a[FNR] = $3; next} {d = a[FNR] - $3; if (d*d > 1e-20*$3*$3) bad = 1} END {exit bad || FNR < 24}' "$inputs/f3" <(numbers last.xy)
check "one frame: no standard error" [ "$(numbers last.xy | awk 'NR == 1 {print NF}')" = 5 ]
ok "on one thread" debye "$inputs/md.xyz" --frames all --threads 1 -o one.xy
check "on one thread: the same bytes" same_files <(numbers mean.xy) <(numbers one.xy)
ok "a dump with labels from a structure" debye "$inputs/md.lammpstrj" --topology "$inputs/f0.xyz" -o dump.xy
check "a dump with labels from a structure: the same bytes" same_files <(numbers mean.xy) <(numbers dump.xy)
# displacements and blocks of the structure, or of the first frame
awk -v n="$atoms" 'FNR > 2 {printf "ATOM  %5d %-4s X   %s%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n", FNR - 2, toupper($1), FNR - 2 <= n/2 ? "A" : "B", 1, $2, $3, $4, 1, $1 == "Na" ? 0.79 : 1.58, toupper($1)}
	END {print "END"}' "$inputs/f0.xyz" >"$inputs/chains.pdb"
u=$(awk 'BEGIN {printf "%.15g", 0.79/(8*3.14159265358979323846^2)}') v=$(awk 'BEGIN {printf "%.15g", 1.58/(8*3.14159265358979323846^2)}')
ok "displacements of the structure" debye "$inputs/md.lammpstrj" --topology "$inputs/chains.pdb" --displacement sample -o sample.xy
ok "displacements as numbers" debye "$inputs/md.xyz" --frames all --displacement "Na=$u,Cl=$v" -o numbers.xy
numbers sample.xy | awk '{print $3, $6}' >sample
numbers numbers.xy | awk '{print $3, $6}' >plain
check "displacements of the structure: as those numbers" close_to 1e-9 sample plain
awk -v u="$u" -v v="$v" '/Properties/ {sub(/pos:R:3/, "pos:R:3:U_iso:R:1")} NF == 4 && !/=/ {$0 = $0 " " ($1 == "Na" ? u : v)} 1' "$inputs/md.xyz" >"$inputs/uiso.xyz"
ok "displacements of the first frame" debye "$inputs/uiso.xyz" --frames all --displacement sample -o first.xy
numbers first.xy | awk '{print $3, $6}' >first
check "displacements of the first frame: as those numbers" close_to 1e-9 first plain
fails 2 'displacement: .*md\.xyz has no mean square displacements' debye "$inputs/md.xyz" --frames all --displacement sample -o no.xy
chains=(--partials chain --columns q,I_per_atom,block_A_A,block_A_B,block_B_B,block_A_B_standard_error)
ok "chains of the structure" debye "$inputs/md.lammpstrj" --topology "$inputs/chains.pdb" "${chains[@]}" -o chains.xy
check "chains of the structure: their sum is I" awk '!/^#/ {d = $2 - $3 - $4 - $5; if (d*d > 1e-24*$2*$2 || !($6 > 0)) bad = 1; ++n} END {exit bad || n < 24}' chains.xy
for k in 0 1 2 3; do
	awk 'NR == FNR {if (FNR > 2) {x[FNR - 2] = $2; y[FNR - 2] = $3; z[FNR - 2] = $4} next}
		/^ATOM/ {++i; $0 = sprintf("%s%8.3f%8.3f%8.3f%s", substr($0, 1, 30), x[i], y[i], z[i], substr($0, 55))} 1' "$inputs/f$k.xyz" "$inputs/chains.pdb" >"$inputs/c$k.pdb"
	ok "chains of frame $k" debye "$inputs/c$k.pdb" --boundary open --partials chain --columns q,I_per_atom,block_A_B -o "c$k.xy"
	numbers "c$k.xy" | awk '{print $1, $2, $3, 0, 0}' >"c$k"
done
mean_of c0 c1 c2 c3 >expected
numbers chains.xy | awk '{print $4, $6}' >blocks
check "chains of the structure: mean and standard error" awk 'NR == FNR {m[FNR] = $1; s[FNR] = $2; next}
	{d = m[FNR] - $1; e = s[FNR] - $2; if (d*d > 1e-3*$2*$2 || e*e > 1e-3*$2*$2) bad = 1} END {exit bad || FNR < 24}' expected blocks
gzip -k "$inputs/md.xyz"
ok "gzip" debye "$inputs/md.xyz.gz" --frames : -o gzip.xy
check "gzip: the same bytes" same_files <(numbers mean.xy) <(numbers gzip.xy)
ok "HDF5" debye "$inputs/md.xyz" --frames all --error-blocks 2 -o mean.h5
check "HDF5: blocks" has_line "$out" '^mean of 4 frames, standard errors from 2 blocks$'
ok "info" sonde info mean.h5
check "info: samples" has_line "$out" '^samples +mean of 4 frames; standard errors from 2 blocks$'
check "info: the frames" has_line "$out" '^ +frames = all$'
ok "columns" debye "$inputs/md.xyz" --frames all --columns q,S,S_standard_error,F_standard_error,partial_Na_Cl_standard_error,S_Na_Cl_standard_error -o c.csv
check "columns: six" has_line c.csv '^q,S,S_standard_error,F_standard_error,partial_Na_Cl_standard_error,S_Na_Cl_standard_error$'
ok "columns over r" debye "$inputs/md.xyz" --frames all --columns r,G,G_standard_error -o g.csv
check "columns over r: numbers" has_line g.csv '^0\.5,-?[0-9.e-]+,[0-9.e-]+$'
distances=(--counts --density 0.04 --r 1:6:26)
for k in 0 1 2 3; do
	ok "distances of frame $k" debye "$inputs/f$k.xyz" "${distances[@]}" --columns r,n_Na_Cl,R_Cl_Na,g_Cl_Na,R,g -o "n$k.csv"
done
ok "distances" debye "$inputs/md.xyz" --frames all "${distances[@]}" \
	--columns r,n_Na_Cl_standard_error,R_Cl_Na_standard_error,g_Cl_Na_standard_error,R_standard_error,g_standard_error -o n.csv
check "distances: standard errors" awk -F, '!/^[0-9]/ {next} FILENAME != "n.csv" {for (k = 2; k <= 6; ++k) {s[$1, k] += $k/4; t[$1, k] += $k*$k/4}; next}
	{++n; for (k = 2; k <= 6; ++k) {e = (t[$1, k] - s[$1, k]^2)/3; d = $k*$k - e; if (d*d > 1e-16*(1 + t[$1, k]^2)) bad = 1; if ($k > 0.01) ++large}}
	END {exit bad || n != 26 || large < 20}' n0.csv n1.csv n2.csv n3.csv n.csv
printf 'sample: md.xyz\ndebye: {q: "0.5:12:24", frames: "0:4"}\n' >"$inputs/md.yaml"
ok "a job" sonde debye "$inputs/md.yaml" -o job.xy
check "a job: the same bytes" same_files <(numbers mean.xy) <(numbers job.xy)
ok "plan" debye "$inputs/md.xyz" --frames 1: --plan
check "plan: frames" has_line "$out" '^frames +3$'
check "plan: atoms" has_line "$out" "^atoms +$atoms,"
memory_of() { sed -n 's/.*"host_memory": \([0-9]*\).*/\1/p' "$out"; }
sonde debye "$inputs/md.xyz" --frame 1 --plan --json >"$out" 2>/dev/null
one=$(memory_of)
sonde debye "$inputs/md.xyz" --frames all --plan --json >"$out" 2>/dev/null
check "plan: four frames in memory, and the sums" [ "$(memory_of)" -gt $((one + 4 * 26 * atoms)) ]
debye "$inputs/md.xyz" --frames all --json -o j.xy >"$out" 2>"$err"
check "json: samples" has_line "$out" '"samples": ?4'
check "json: progress by frames" has_line "$err" '"stage": "frames", "done": 4, "total": 4'
# fewer frames than were chosen
sonde debye "$inputs/md.xyz" --q 1:2:3 --frames 2:9 -o few.xy >"$out" 2>"$err"
check "fewer frames: a note" has_line "$err" 'md\.xyz: has 2 of the 7 chosen frames'
rm -f few.xy

# several frames at a time on one GPU, for which `emulated` stands: as one after the other
awk -v wide="$inputs/wide.xyz" 'BEGIN {srand(3); n = 1010; for (k = 0; k < 14; ++k) {print n "\n" >wide; print n "\n"
	for (i = 0; i < n; ++i) {
		atom = sprintf("%s %.4f %.4f %.4f", i < n/3 ? "O" : "H", 25*rand(), 25*rand(), 25*rand()); print atom
		print k == 9 && i == 5 ? "O 9e6 9e6 9e6" : atom >wide}}}' >"$inputs/many.xyz"
many=(--frames all --device emulated --method histogram --columns q,I_per_atom,standard_error,error_estimate)
ok "one frame at a time" debye "$inputs/many.xyz" "${many[@]}" --threads 1 -o serial.xy
ok "several frames at a time" debye "$inputs/many.xyz" "${many[@]}" --threads 5 -o together.xy
check "several frames at a time: the same bytes" same_files <(numbers serial.xy) <(numbers together.xy)
for threads in 1 5; do
	debye "$inputs/wide.xyz" "${many[@]}" --threads $threads -o no.xy >"$out" 2>"$err"
	check "a frame that fails, $threads threads: exit code 2" [ $? = 2 ]
	cp "$err" "failed.$threads"
done
check "a frame that fails: its number" has_line failed.5 'wide\.xyz: frame 9: '
check "a frame that fails: as one frame at a time" same_files failed.1 failed.5
rm -f failed.1 failed.5

fails 2 'frames: frame 4 does not exist|frames: .*fewer frames' debye "$inputs/md.xyz" --frames 4 -o no.xy
fails 2 "frames: 'x' is not a whole number" debye "$inputs/md.xyz" --frames x -o no.xy
fails 2 'frames: the range begins at frame 4, after the last of the 4 frames' debye "$inputs/md.xyz" --frames 4: -o no.xy
fails 2 "frames: '5:2' contains no frame: it begins at frame 5 and ends before frame 2" debye "$inputs/md.xyz" --frames 5:2 -o no.xy
fails 2 'error-blocks: 5 blocks of 4 frames are too many' debye "$inputs/md.xyz" --frames all --error-blocks 5 -o no.xy
fails 2 'error-blocks: is for means over many samples' debye "$inputs/f0.xyz" --error-blocks 5 -o no.xy
fails 2 'frame: chooses one frame, but several samples' debye "$inputs/md.xyz" --frames all --frame 1 -o no.xy
fails 2 'columns: standard errors are those of means over frames' debye "$inputs/f0.xyz" --columns q,standard_error
fails 2 'md\.xyz:[0-9]*: a second frame begins here' debye "$inputs/md.xyz" -o no.xy
fails 2 'no elements' debye "$inputs/md.lammpstrj" --frames all -o no.xy
fails 2 'error-blocks: 5 blocks of 4 frames are too many' debye "$inputs/md.xyz" --frames all --error-blocks 5 --plan
printf 'END\n' >"$inputs/a.pdb"
fails 2 'a\.pdb: is not a trajectory: frames are read from extended XYZ' debye "$inputs/a.pdb" --frames all -o no.xy
printf '1\n\nNa 0 0 0\n' >"$inputs/other.xyz"
cat "$inputs/f0.xyz" "$inputs/other.xyz" >"$inputs/changes.xyz"
fails 2 "changes\\.xyz:$((atoms + 3)): frame 1 has 1 atoms, the first frame has $atoms" debye "$inputs/changes.xyz" --frames all -o no.xy
cat "$inputs/f0.xyz" <(sed '5s/^[A-Za-z]*/K/' "$inputs/f1.xyz") >"$inputs/changes.xyz"
fails 2 "changes\\.xyz:$((atoms + 7)): atom 3 of frame 1 is K" debye "$inputs/changes.xyz" --frames all -o no.xy
printf 'CORD' >"$inputs/bad.dcd"
fails 2 'bad\.dcd: is a file of the format DCD, which has no labels of atoms: it needs a structure, --topology' debye "$inputs/bad.dcd" -o no.xy
fails 2 'bad\.dcd: (ends too early|is not a DCD file)' debye "$inputs/bad.dcd" --topology "$inputs/f0.xyz" -o no.xy
# GROMACS's files: the first frame, which is in nm in the table
data=$here/../data/structures
awk -F, 'BEGIN { print 60; print "" } NR > 1 && NR < 62 { printf "C %.9g %.9g %.9g\n", 10*$1, 10*$2, 10*$3 }' "$data/gromacs.csv" >"$inputs/gromacs.xyz"
sonde debye "$inputs/gromacs.xyz" --q 0.5:5:10 --columns q,I --quiet >text.xy
for kind in xtc trr; do
	sonde debye "$data/gromacs.$kind" --topology "$inputs/gromacs.xyz" --frames 0 --boundary open --q 0.5:5:10 --columns q,I --quiet >$kind.xy
	check "$kind: the pattern of the same atoms" awk -v allowed=$([ $kind = xtc ] && echo 0.01 || echo 1e-6) \
		'/^#/ { next } NR == FNR { of[$1] = $2; next } { d = $2/of[$1] - 1; if (d > allowed || d < -allowed) exit 1; n++ } END { exit n != 10 }' text.xy $kind.xy
done
rm -f text.xy xtc.xy trr.xy
cp "$data/gromacs.xtc" "$inputs/precise.xtc"
flip_bit "$inputs/precise.xtc" 57 3 # of the precision, 1000
sonde debye "$inputs/precise.xtc" --topology "$inputs/gromacs.xyz" --frames 0:2 --boundary open --q 0.5:5:10 -o no.xy >"$out" 2>"$err"
check "XTC, an unusual precision: one note" one_line 'precise\.xtc: frame 0: its precision, 1/968 nm, is not a power of ten; is the file damaged\?'
rm -f no.xy
printf '\x3c\x23\xd7\x0a' | dd of="$inputs/precise.xtc" bs=1 seek=56 conv=notrunc status=none # 0.01
sonde debye "$inputs/precise.xtc" --topology "$inputs/gromacs.xyz" --frames 0 --boundary open --q 0.5:5:10 -o no.xy >"$out" 2>"$err"
check "XTC, positions far outside the cell: one note" one_line 'precise\.xtc: frame 0: its atoms spread over .* Angstrom along .*, its cell over '
rm -f no.xy
fails 2 'topology: .*nothing\.xyz: ' debye "$inputs/md.xyz" --topology nothing.xyz -o no.xy

# stopped and resumed: the same bits
for k in 0 1 2 3 0 2 1 3 3 0 1 2 1 1 2; do cat "$inputs/f$k.xyz" "$inputs/f$k.xyz"; done >"$inputs/long.xyz"
for k in 1 2 3 4; do cat "$inputs/long.xyz"; done >"$inputs/longer.xyz"
long=("$inputs/longer.xyz" --frames all --error-blocks 6 --q 0.5:20:400 --columns q,I,standard_error,S,partial_Na_Cl)
ok "not stopped" sonde debye "${long[@]}" --columns q,I,standard_error,S,partial_Na_Cl -o whole.xy
stop() { # OPTIONS...: interrupts the run once it has added frames
	"$program" debye "${long[@]}" -o long.xy --json --threads 1 "$@" >"$out" 2>"$err" &
	local job=$!
	for ((wait = 0; wait < 500; ++wait)); do
		grep -q '"done": ' "$err" && break
		sleep 0.01
	done
	kill -INT $job
	wait $job
	code=$?
}
stop
check "stopped: exit code" [ $code = 130 ]
check "stopped: how to continue" has_line "$err" 'of 120 frames are kept in long\.xy\.checkpoint, continue with --resume'
check "stopped: no result" [ ! -e long.xy ]
ok "stopped: info" sonde info long.xy.checkpoint
check "stopped: info: frames" has_line "$out" '^samples +[0-9]+ done$'
fails 2 'resume: .*belongs to another job.*error-blocks' sonde debye "$inputs/longer.xyz" --frames all --error-blocks 4 --q 0.5:20:400 --columns q,I,standard_error,S,partial_Na_Cl -o long.xy --resume
fails 2 'resume: .*belongs to another job.*' sonde debye "$inputs/long.xyz" "${long[@]:1}" -o long.xy --resume
ok "resumed" sonde debye "${long[@]}" -o long.xy --resume
check "resumed: the same bytes" same_files <(numbers whole.xy) <(numbers long.xy)
check "resumed: no checkpoint is left" [ ! -e long.xy.checkpoint ]
fails 2 'long\.xy\.checkpoint: cannot be read' sonde debye "${long[@]}" -o long.xy --resume
fails 2 'resume: no file to resume from' sonde debye "${long[@]}" --resume
fails 2 'no\.xy\.checkpoint: cannot be read' sonde debye "$inputs/f0.xyz" -o no.xy --resume

# sizes: files with a list, which gives the same as the description itself and as a sum by hand
rm -f ./*
ball=(--cell fcc --species Au --a 4.0782 --sphere 8)
ok "sizes" sonde build "${ball[@]}" --size-distribution lognormal:0.2:3 -o balls.csv
check "sizes: summary" has_line "$out" '^balls\.csv: 3 samples with [0-9]+ to [0-9]+ atoms$'
check "sizes: the list" has_line balls.csv '^balls_02\.xyz,0\.6666666666666[0-9]*,8$'
ok "a mean over sizes" debye balls.csv --method exact -o mean.xy
check "a mean over sizes: summary" has_line "$out" '^mean of 3 samples$'
for k in 1 2 3; do ok "size $k" debye "balls_0$k.xyz" --method exact -o "s$k.xy"; done
paste -d' ' <(numbers s1.xy) <(numbers s2.xy) <(numbers s3.xy) <(numbers mean.xy) >all
check "a mean over sizes: the sum by hand" awk '{i = $2/6 + $7*2/3 + $12/6; d = i - $17; if (d*d > 1e-26*i*i) bad = 1} END {exit bad || NR < 24}' all
cat >"$inputs/sizes.yaml" <<-END
	build: {cell: fcc, species: Au, a: 4.0782, sphere: 8, size-distribution: "lognormal:0.2:3"}
	debye: {q: "0.5:12:24", method: exact}
END
ok "the description itself" sonde debye "$inputs/sizes.yaml" -o direct.xy
check "the description itself: the same" same_files <(numbers mean.xy) <(numbers direct.xy)
ok "plan of sizes" sonde debye "$inputs/sizes.yaml" --plan
check "plan of sizes: samples" has_line "$out" '^samples +3; the first one:$'
ok "a result of sizes" debye balls.csv -o mean.h5
ok "info of sizes" sonde info mean.h5
check "info of sizes: samples" has_line "$out" '^samples +mean of 3 components of a mixture$'
sed 's/debye:.*/coulomb: {charges: "Au=1", spacing: 1}/' "$inputs/sizes.yaml" >"$inputs/charges.yaml"
fails 2 'balls\.csv: .*exists' sonde build "${ball[@]}" --size-distribution lognormal:0.2:3 -o balls.csv
fails 2 'ends in \.csv' sonde build "${ball[@]}" --size-distribution lognormal:0.2:3 -o no.xyz
fails 2 'size-distribution: .lognorml. is not a distribution, did you mean .lognormal.' sonde build "${ball[@]}" --size-distribution lognorml:0.2:3 -o no.csv
sed 's/lognormal/lognorml/' "$inputs/sizes.yaml" >"$inputs/wrong.yaml"
fails 2 "wrong\\.yaml: build: 'size-distribution:' .*did you mean|wrong\\.yaml:1: .*did you mean|wrong\\.yaml: build: .*did you mean" sonde debye "$inputs/wrong.yaml" -o no.xy
fails 2 'size-distribution: needs a shape whose size is a length' sonde build --cell fcc --species Au --a 4 --supercell 2,2,2 --size-distribution schulz:0.2:3 -o no.csv
fails 2 'size-distribution: describes several samples' sonde coulomb "$inputs/charges.yaml" -o no.h5
printf 'file,weight\nballs_01.xyz,1\nnothing.xyz,1\n' >list.csv
fails 2 'list\.csv:3: nothing\.xyz: cannot be read|list\.csv:3: .*nothing\.xyz' debye list.csv -o no.xy
printf 'balls_01.xyz,1\n' >list.csv
fails 2 'list\.csv:1: a list of samples begins with the names' debye list.csv -o no.xy
fails 2 'frames: is for a trajectory, and the sample is a list' debye balls.csv --frames all -o no.xy
fails 2 'columns: standard errors are those of means over frames; components of a mixture have none' debye balls.csv --columns q,standard_error -o no.xy
ok "curves of an experiment" debye balls.csv --wavelength 1.54059 --resolution gaussian:0.5 --compton counts --laue --concentration mg/ml:5 --columns q,I,I_resolved,I_total,laue,I_absolute -o experiment.xy
check "curves of an experiment: numbers" awk '!/^#/ {++n; if (NF != 6 || !($3 > 0 && $4 > $2 && $6 > 0)) bad = 1} END {exit bad || n < 24}' experiment.xy
ok "curves of an experiment in HDF5" debye balls.csv --wavelength 1.54059 --resolution gaussian:0.5 --compton counts --laue --concentration mg/ml:5 -o experiment.h5
ok "curves of an experiment: info" sonde info experiment.h5

finish
