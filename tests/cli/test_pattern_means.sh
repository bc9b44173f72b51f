# sonde pattern: orientations, copies, lists of samples, frames of trajectories; their tables, files, plans, and refusals.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

pattern() { sonde pattern "$@"; }
body() { grep -v '^#' "$1"; }
same_bodies() { cmp -s <(body "$1") <(body "$2"); }
# column N of the rows of a CSV table
column() { body "$2" | tail -n +2 | cut -d, -f"$1"; }
# two columns of numbers: equal within a part of the largest
agree() { paste -d' ' <(echo "$1") <(echo "$2") | awk -v limit="$3" '{ d = $1 - $2; if (d < 0) d = -d; if (d > worst) worst = d; if ($2 > top) top = $2; ++n }
	END { exit !(n > 0 && worst <= limit*top) }'; }
c60=("$data/C60.xyz" --q 0.5:7:8 --phi 6 --wavelength 0.5)
printf '%s\n' 4 '' 'Fe 0 0 0' 'O 2 0 0.3' 'O 0 1.9 0' 'C 0.4 0.7 2.2' >"$inputs/some.xyz"
some=("$inputs/some.xyz" --q 0.5:7:8 --phi 6 --wavelength 0.5)

# one orientation
ok "turned" pattern "${some[@]}" --orientation 90,0,0 -o turned.csv
ok "not turned" pattern "${some[@]}" -o plain.csv
check "turned by 90 degrees about the beam: phi + 90" awk -F, 'BEGIN { p = 60 } NR == FNR { if (!/^[#q]/) plain[$1, $2] = $3; next }
	!/^[#q]/ && (($1, $2 - 180) in plain) { ++n; d = $3/plain[$1, $2 - 180] - 1; if (d > 1e-9 || d < -1e-9) bad = 1 } END { exit bad || n != 24 }' \
	plain.csv <(sonde pattern "${some[@]}" --orientation 180,0,0 --force -o half.csv >/dev/null && cat half.csv)
ok "a quaternion" pattern "${some[@]}" --orientation 2,0,0,2 -o quaternion.csv
check "a quaternion: the same" agree "$(column 3 quaternion.csv)" "$(column 3 turned.csv)" 1e-12
check "turned: no mean in the header" eval '! has_line turned.csv "mean of"'
check "turned: not as before" eval '! agree "$(column 3 turned.csv)" "$(column 3 plain.csv)" 1e-3'

# means over orientations
ok "uniform" pattern "${c60[@]}" --orientations uniform:256000 -o uniform.csv
check "uniform: summary" has_line "$out" '^mean of 256000 orientations$'
check "uniform: header" has_line uniform.csv '^# mean of 256000 orientations$'
check "uniform: no errors" has_line uniform.csv '^q,phi,I$'
ok "debye" sonde debye "$data/C60.xyz" --q 0.5:7:8 --method exact --columns q,I -o debye.csv
check "uniform: debye's sum" agree "$(body uniform.csv | awk -F, '$2 == 60 { print $3 }')" "$(column 2 debye.csv)" 1e-12
sonde pattern "${c60[@]}" --orientations uniform:32 -o coarse.csv >"$out" 2>"$err"
check "a coarse grid: a note" has_line "$err" 'the mean over orientations is exact to degree 3, but at q = 7 a sample of 7\.[0-9]+ Angstrom has degrees up to (49|50)'
ok "random" pattern "${some[@]}" --orientations random:500 -o random.csv
check "random: summary" has_line "$out" '^standard errors from 500 independent values$'
check "random: errors" has_line random.csv '^q,phi,I,standard_error$'
ok "random, one thread" pattern "${some[@]}" --orientations random:500 --threads 1 --device cpu -o one.csv
ok "random, three threads" pattern "${some[@]}" --orientations random:500 --threads 3 --device cpu -o three.csv
check "random: the same bits" same_bodies one.csv three.csv
wide=("$inputs/some.xyz" --q 0.5:7:64 --phi 64 --wavelength 0.5 --orientations random:100)
ok "random, all together" pattern "${wide[@]}" -o wide.csv
ok "random, in little memory" pattern "${wide[@]}" --host-memory 2M -o little.csv
check "random, in little memory: the same bits" same_bodies wide.csv little.csv
ok "another seed" pattern "${some[@]}" --orientations random:500 --orientation-seed 2 -o seed.csv
check "another seed: other numbers" eval '! same_bodies random.csv seed.csv'
if "$program" devices 2>/dev/null | grep -q '^[* ]*opencl:0'; then
	ok "random, OpenCL" pattern "${some[@]}" --orientations random:500 --device opencl:0 -o opencl.csv
	check "random, OpenCL: the same" agree "$(column 3 opencl.csv)" "$(column 3 one.csv)" 1e-12
fi
ok "fiber" pattern "${some[@]}" --orientations fiber:200 --fiber-spread 10 --fiber-axis 1,0,0 --fiber-direction 0,1,0 -o fiber.csv
check "fiber: errors" has_line fiber.csv '^q,phi,I,standard_error$'
printf '# two\n0 0 0\n\n90 0 0\n' >"$inputs/euler.txt"
ok "a list" pattern "${some[@]}" --orientations "$inputs/euler.txt" --amplitude -o euler.csv
check "a list: columns" has_line euler.csv '^q,phi,I,F_real,F_imaginary,I_diffuse$'
check "a list: the mean" agree "$(column 3 euler.csv)" "$(paste -d' ' <(column 3 plain.csv) <(column 3 turned.csv) | awk '{ print ($1 + $2)/2 }')" 1e-5
check "a list: what fluctuates" awk -F, '!/^[#q]/ { d = $3 - $4*$4 - $5*$5 - $6; if (d > 1e-9 || d < -1e-9) exit 1 }' euler.csv
printf 'psi,weight,phi,theta\n0,2,0,0\n0,0,90,0\n' >"$inputs/weights.csv"
ok "a list with weights" pattern "${some[@]}" --orientations "$inputs/weights.csv" -o weights.csv
check "a list with weights: the first" agree "$(column 3 weights.csv)" "$(column 3 plain.csv)" 1e-13
printf 'sample: some.xyz\npattern: {q: "0.5:7:8", phi: 6, wavelength: 0.5, orientations: weights.csv}\n' >"$inputs/turns.yaml"
ok "a list named by a job" pattern "$inputs/turns.yaml" -o job.csv
check "a list named by a job: the same" same_bodies job.csv weights.csv
ok "HDF5" pattern "${some[@]}" --orientations random:50 -o random.h5
ok "info" sonde info random.h5
check "info: orientations" has_line "$out" '^orientations +50$'
ok "plan" pattern "${some[@]}" --orientations uniform:1000 --plan
check "plan: orientations" has_line "$out" '^orientations +1372, uniform grid, exact to degree 13$'
sonde pattern "${some[@]}" --orientations random:40 --json -o json.csv >"$out" 2>"$err"
check "JSON" has_line "$out" '"orientations": 40, "error_values": 40'

fails 2 'orientation: the quaternion 0 0 0 0 has no direction' pattern "${some[@]}" --orientation 0,0,0,0 -o no.csv
fails 2 "orientation: '1,2' is neither phi,theta,psi" pattern "${some[@]}" --orientation 1,2 -o no.csv
fails 2 'orientations: .random:0.: the number of orientations must be 1 to 1e\+09' pattern "${some[@]}" --orientations random:0 -o no.csv
fails 2 'nowhere\.txt: ' pattern "${some[@]}" --orientations nowhere.txt -o no.csv
echo '1 2' >"$inputs/short.txt"
fails 2 'short\.txt:1: 2 columns; an orientation has phi theta psi' pattern "${some[@]}" --orientations "$inputs/short.txt" -o no.csv
printf '1 0 0 0\n0 0 0 0\n' >"$inputs/zero.txt"
fails 2 'zero\.txt:2: the quaternion has no direction' pattern "${some[@]}" --orientations "$inputs/zero.txt" -o no.csv
printf '1 0 0 0 -1\n' >"$inputs/negative.txt"
fails 2 'negative\.txt:1: weight = -1 is not a number of at least 0' pattern "${some[@]}" --orientations "$inputs/negative.txt" -o no.csv
printf '1 0 0 0 0\n' >"$inputs/nothing.txt"
fails 2 'nothing\.txt: all weights are 0' pattern "${some[@]}" --orientations "$inputs/nothing.txt" -o no.csv
printf '1 0 0\n1 0 0 0\n' >"$inputs/mixed.txt"
fails 2 'mixed\.txt:2: 4 columns, but an orientation has 3 in this list' pattern "${some[@]}" --orientations "$inputs/mixed.txt" -o no.csv
printf 'phi,theta,w\n1,2,3\n' >"$inputs/names.txt"
fails 2 'names\.txt:1: the columns of a list of orientations are phi, theta, psi' pattern "${some[@]}" --orientations "$inputs/names.txt" -o no.csv
printf '# nothing\n' >"$inputs/empty.txt"
fails 2 'empty\.txt: has no orientations' pattern "${some[@]}" --orientations "$inputs/empty.txt" -o no.csv
fails 2 'fiber-axis: the vector has no length' pattern "${some[@]}" --orientations fiber:10 --fiber-axis 0,0,0 -o no.csv
fails 2 'fiber-spread: is for --orientations fiber:N' pattern "${some[@]}" --fiber-spread 3 -o no.csv
fails 2 'fiber-axis: has no effect without --orientations fiber:N' pattern "${some[@]}" --orientations random:9 --fiber-axis 1,0,0 -o no.csv
fails 2 'orientation-seed: has no effect without --orientations random:N' pattern "${some[@]}" --orientation-seed 2 -o no.csv
fails 2 'orientation-seed: has no effect without --orientations random:N' pattern "${some[@]}" --orientations uniform:4 --orientation-seed 2 -o no.csv
fails 2 'orientation-seed: has no effect without --fiber-spread' pattern "${some[@]}" --orientations fiber:4 --orientation-seed 2 -o no.csv
fails 2 'fiber-direction: has no effect without --orientations fiber:N' pattern "${some[@]}" --fiber-direction 1,0,0 -o no.csv
check "nothing was written" [ ! -e no.csv ]

# copies
ok "an ensemble" sonde build --cell fcc --species Au --a 4.078 --sphere 5 --copies 3 --copy-spacing 30 --copy-orientations random -o ensemble.xyz
ok "coherent" pattern ensemble.xyz --q 0.5:7:8 --phi 6 --wavelength 0.5 -o coherent.csv
ok "independent" pattern ensemble.xyz --q 0.5:7:8 --phi 6 --wavelength 0.5 --copies independent -o independent.csv
check "independent: summary" has_line "$out" '^sum of 3 copies without interference$'
ok "one copy" sonde build --cell fcc --species Au --a 4.078 --sphere 5 -o single.xyz
atoms=$(head -1 single.xyz)
ok "as given" pattern ensemble.xyz --q 0.5:7:8 --phi 6 --wavelength 0.5 --copies independent --copy-atoms "$atoms" -o given.csv
check "as given: the same" same_bodies given.csv independent.csv
for k in 0 1 2; do
	{ echo "$atoms"; echo; tail -n +3 ensemble.xyz | awk -v k="$k" -v n="$atoms" 'NR > k*n && NR <= (k + 1)*n { print $1, $2, $3, $4 }'; } >"$inputs/copy$k.xyz"
	ok "copy $k" pattern "$inputs/copy$k.xyz" --q 0.5:7:8 --phi 6 --wavelength 0.5 -o copy$k.csv
done
sum=$(paste -d' ' <(column 3 copy0.csv) <(column 3 copy1.csv) <(column 3 copy2.csv) | awk '{ printf "%.17g\n", $1 + $2 + $3 }')
check "independent: the sum" agree "$(column 3 independent.csv)" "$sum" 1e-9
check "coherent: something else" eval '! agree "$(column 3 coherent.csv)" "$sum" 1e-2'
fails 2 'copies: the sample is not known to consist of copies' pattern "${some[@]}" --copies independent -o no.csv
fails 2 'copy-atoms: the 4 atoms of the sample are not a whole number of copies of 3' pattern "${some[@]}" --copies independent --copy-atoms 3 -o no.csv
fails 2 'copy-atoms: is for --copies independent' pattern "${some[@]}" --copy-atoms 2 -o no.csv
fails 2 'amplitude: copies that do not interfere' pattern ensemble.xyz --wavelength 0.5 --copies independent --amplitude -o no.csv

# a list of samples, and a distribution of sizes
printf 'file,weight\ncopy0.xyz,1\ncopy1.xyz,3\n' >"$inputs/list.csv"
ok "a list of samples" pattern "$inputs/list.csv" --q 0.5:7:8 --phi 6 --wavelength 0.5 -o list.csv
check "a list of samples: summary" has_line "$out" '^mean of 2 samples$'
check "a list of samples: header" has_line list.csv '^# atoms: mean of 2 samples, the first: Au '
check "a list of samples: the mean" agree "$(column 3 list.csv)" "$(paste -d' ' <(column 3 copy0.csv) <(column 3 copy1.csv) | awk '{ printf "%.17g\n", ($1 + 3*$2)/4 }')" 1e-12
printf 'build: {cell: fcc, species: Au, a: 4.078, sphere: 6, size-distribution: "normal:0.1:3"}\npattern: {q: "0.5:7:8", phi: 6, wavelength: 0.5}\n' >"$inputs/sizes.yaml"
ok "sizes" pattern "$inputs/sizes.yaml" -o sizes.csv
check "sizes: summary" has_line "$out" '^mean of 3 samples$'
fails 2 'error-blocks: is for a trajectory, and the sample is a list' pattern "$inputs/list.csv" --wavelength 0.5 --error-blocks 2 -o no.csv

# frames
for k in 0 1 2 3; do
	awk -v k=$k 'BEGIN { srand(k + 5); print 8; print ""; for (i = 0; i < 8; ++i)
		printf "%s %.6f %.6f %.6f\n", i % 2 ? "Na" : "Cl", 2.8*(i % 2) + 0.3*rand(), 2.8*(int(i/2) % 2) + 0.3*rand(), 2.8*int(i/4) + 0.3*rand() }' >"$inputs/f$k.xyz"
	cat "$inputs/f$k.xyz" >>"$inputs/md.xyz"
	ok "frame $k" pattern "$inputs/f$k.xyz" --q 0.5:7:8 --phi 6 --wavelength 0.5 -o f$k.csv
done
md=("$inputs/md.xyz" --q 0.5:7:8 --phi 6 --wavelength 0.5)
ok "frames" pattern "${md[@]}" --frames all -o frames.csv
check "frames: summary" has_line "$out" '^mean of 4 frames$'
check "frames: columns" has_line frames.csv '^q,phi,I,standard_error$'
all=$(paste -d' ' <(column 3 f0.csv) <(column 3 f1.csv) <(column 3 f2.csv) <(column 3 f3.csv))
check "frames: the mean" agree "$(column 3 frames.csv)" "$(echo "$all" | awk '{ printf "%.17g\n", ($1 + $2 + $3 + $4)/4 }')" 1e-12
check "frames: the standard error" agree "$(column 4 frames.csv)" "$(echo "$all" | awk '{ m = ($1 + $2 + $3 + $4)/4; for (k = 1; k <= 4; ++k) s += ($k - m)^2; printf "%.17g\n", sqrt(s/12); s = 0 }')" 1e-9
ok "some frames" pattern "${md[@]}" --frames 1:4:2 -o some.csv
check "some frames: the mean" agree "$(column 3 some.csv)" "$(echo "$all" | awk '{ printf "%.17g\n", ($2 + $4)/2 }')" 1e-12
ok "one frame" pattern "${md[@]}" --frames last -o last.csv
check "one frame: no errors" has_line last.csv '^q,phi,I$'
check "one frame: its numbers" agree "$(column 3 last.csv)" "$(column 3 f3.csv)" 1e-14
ok "frames in orientations" pattern "${md[@]}" --frames all --orientations random:20 --error-blocks 2 -o turned.h5
check "frames in orientations: summary" has_line "$out" '^standard errors from 2 independent values$'
ok "info of frames" sonde info turned.h5
check "info of frames: samples" has_line "$out" '^samples +4$'
ok "planes of the first frame's cell" pattern "$inputs/md.xyz" --frames all --h 0:1:3 --u 1,0,0 --amplitude -o plane.csv
check "planes: columns" has_line plane.csv '^h,k,l,I,F_real,F_imaginary,standard_error,I_diffuse$'
ok "plan of frames" pattern "${md[@]}" --frames 1: --plan
check "plan of frames: their number" has_line "$out" '^frames +3$'
memory_of() { sed -n 's/.*"host_memory": \([0-9]*\).*/\1/p' "$out"; }
pattern "${md[@]}" --frame 1 --plan --json >"$out" 2>/dev/null
one=$(memory_of)
pattern "${md[@]}" --frames all --plan --json >"$out" 2>/dev/null
check "plan of frames: four in memory" [ "$(memory_of)" -gt $((one + 4 * 26 * $(head -n 1 "$inputs/md.xyz"))) ]
fails 2 'error-blocks: 5 blocks of 4 frames are too many' pattern "${md[@]}" --frames all --error-blocks 5 -o no.csv
fails 2 'frames: frame 4 does not exist|frames: .*fewer frames' pattern "${md[@]}" --frames 4 -o no.csv
fails 2 'frame: chooses one frame, but several samples' pattern "${md[@]}" --frames all --frame 1 -o no.csv

# shots
ok "shots" pattern "$data/C60.xyz" --detector 20,16 --pixel-size 6 --distance 100 --wavelength 1 --shots 12 -o shots.cxi
check "shots: summary" has_line "$out" '^12 shots, all of them in the file$'
ok "info of shots" sonde info shots.cxi
check "info of shots: orientations" has_line "$out" '^orientations +12$'
check "shots: their bytes" [ "$(stat -c %s shots.cxi)" -gt $((12*20*16*8)) ]
ok "the mean alone" pattern "$data/C60.xyz" --detector 20,16 --pixel-size 6 --distance 100 --wavelength 1 --orientations random:12 -o mean.csv
ok "shots of given orientations" pattern "${some[@]}" --orientations "$inputs/euler.txt" --shots 2 -o given.h5
ok "plan of shots" pattern "${some[@]}" --shots 500 -o plan.h5 --plan
check "plan of shots: orientations" has_line "$out" '^orientations +500, random$'
check "plan of shots: the file" has_line "$out" '^file +0\.192 MB'
fails 2 'shots: there are 2 orientations, one for each shot' pattern "${some[@]}" --orientations "$inputs/euler.txt" --shots 3 -o no.h5
fails 2 'shots: a stack of shots is written to a file that ends in \.h5' pattern "${some[@]}" --shots 3 -o no.csv
fails 2 'shots: no file is given; name it by --output' pattern "${some[@]}" --shots 3
ok "shots of frames" pattern "${md[@]}" --frames all --shots 3 -o frames-shots.h5
check "shots of frames: summary" has_line "$out" '^12 shots, all of them in the file$'
check "shots of frames: errors" has_line "$out" '^standard errors from 4 independent values$'
ok "shots of a list" pattern "$inputs/list.csv" --q 0.5:7:8 --phi 6 --wavelength 0.5 --shots 2 -o list-shots.h5
check "shots of a list: summary" has_line "$out" '^4 shots, all of them in the file$'
fails 2 'output: a \.cxi file is for --shots' pattern "${some[@]}" -o no.cxi
fails 2 'shots\.cxi: exists already' pattern "${some[@]}" --shots 3 -o shots.cxi
fails 2 'nothing\.h5\.checkpoint: cannot be read' pattern "${some[@]}" --shots 3 -o nothing.h5 --resume
fails 2 'no\.h5\.checkpoint: cannot be read' pattern "${some[@]}" -o no.h5 --resume
fails 2 'resume: no file to resume from is given' pattern "${some[@]}" --resume
fails 2 'no\.h5\.checkpoint: cannot be read' pattern "${some[@]}" -o no.h5 --resume --method fast
fails 2 'resume: no file to resume from is given' pattern "${some[@]}" --orientations random:3 --resume

# what a detector makes of means
detector=("$inputs/some.xyz" --detector 9,7 --distance 50 --pixel-size 6 --wavelength 1 --orientations random:30)
ok "a mean on a detector" pattern "${detector[@]}" -o plain-mean.csv
ok "a mean with polarization" pattern "${detector[@]}" --polarization 0.9 -o polarized-mean.csv
check "a mean with polarization: I and its error have the same factor" awk -F, 'NR == FNR { if (!/^[#x]/) { I[$1, $2] = $3; e[$1, $2] = $4 } next }
	!/^[#x]/ { ++n; f = $3/I[$1, $2]; d = $4/e[$1, $2]/f - 1; if (f < 0.999) less = 1; if (d > 1e-12 || d < -1e-12) bad = 1 } END { exit bad || !less || n != 63 }' \
	plain-mean.csv polarized-mean.csv
ok "a mean with counts" pattern "${detector[@]}" --fluence 1e14 -o counted-mean.csv
check "a mean with counts: columns" has_line counted-mean.csv '^x,y,I,.*standard_error'
ok "shots with counts" pattern "${detector[@]}" --fluence 1e14 --polarization 0.9 --beam-stop 7 --shots 30 -o counted-shots.h5
fails 2 'fluence: pixels would count more than 1e.15' pattern "$data/C60.xyz" "${detector[@]:1}" --fluence 1e30 --shots 30 -o no.h5

# a run that is stopped, and its continuation: another sample, another job
stopped() { # NAME FILE STAGE COMMAND...: stops the command when something of the stage is done
	local name=$1 file=$2 stage=$3 k
	shift 3
	"$@" -o "$file" --force --json >"$out" 2>"$err" </dev/null &
	local process=$!
	for ((k = 0; k < 1000; ++k)); do
		grep -qE "\"stage\": \"$stage\", \"done\": [1-9]" "$err" 2>/dev/null && break
		kill -0 $process 2>/dev/null || break
		sleep 0.02
	done
	kill -INT $process 2>/dev/null
	wait $process
	check "$name: stopped" [ $? = 130 ]
}
set -m
long=("$data/CoO_R40.xyz.gz" --q 0.5:7:20 --phi 20 --wavelength 0.5 --orientations random:2000 --device cpu --threads 1)
stopped "orientations" long.h5 patterns "$program" pattern "${long[@]}"
check "orientations: a checkpoint" [ -s long.h5.checkpoint ]
check "orientations: no result" [ ! -e long.h5 ]
ok "info of a checkpoint" sonde info long.h5.checkpoint
check "info of a checkpoint: kind" has_line "$out" '^what +checkpoint of an unfinished run of sonde pattern$'
check "info of a checkpoint: orientations" has_line "$out" '^orientations +[0-9]+ done$'
fails 2 "resume: long\.h5\.checkpoint belongs to another job, with 'phi = 20' instead of 'phi = 21'" pattern "${long[@]}" --phi 21 -o long.h5 --resume
for ((k = 0; k < 120; ++k)); do cat "$inputs/f$((k % 4)).xyz"; done >"$inputs/long.xyz"
frames=("$inputs/long.xyz" --q 0.5:7:300 --phi 300 --wavelength 0.5 --frames all --device cpu --threads 1)
stopped "frames" frames.h5 frames "$program" pattern "${frames[@]}"
check "frames: what is kept" has_line "$err" 'stopped; [0-9]+ of [0-9]+ frames are kept in frames\.h5\.checkpoint'
ok "frames: continued" pattern "${frames[@]}" -o frames.h5 --resume
check "frames: continued: all of them" has_line "$out" '^mean of 120 frames$'
check "frames: continued: no checkpoint" [ ! -e frames.h5.checkpoint ]
picture=("$data/CoO_R40.xyz.gz" --q 0.5:7:400 --phi 300 --wavelength 0.5 --amplitude --device cpu)
[[ $sanitized == 1 ]] && picture[2]=0.5:7:100
stopped "picture" picture.csv pattern "$program" pattern "${picture[@]}"
check "picture: what is kept" has_line "$err" 'stopped; [0-9]+ of [0-9]+ points are kept in picture\.csv\.checkpoint, continue with --resume'
check "picture: no result" [ ! -e picture.csv ]
ok "picture: info of the checkpoint" sonde info picture.csv.checkpoint
check "picture: info of the checkpoint: kind" has_line "$out" '^what +checkpoint of an unfinished run of sonde pattern$'
check "picture: info of the checkpoint: points" has_line "$out" '^points +[0-9]+ done$'
fails 2 "resume: picture\.csv\.checkpoint belongs to another job, with 'phi = 300' instead of 'phi = 301'" pattern "${picture[@]}" --phi 301 -o picture.csv --resume
fails 2 "resume: picture\.csv\.checkpoint belongs to another job, with 'atoms 1 = 13835 Co, 1 present' instead of 'atoms 1 = 60 C" \
	pattern "$data/C60.xyz" "${picture[@]:1}" -o picture.csv --resume
fails 2 'picture\.csv\.checkpoint: .*' pattern "${picture[@]}" --orientations random:3 -o picture.csv --resume
cp picture.csv.checkpoint again.csv.checkpoint
cp picture.csv.checkpoint both.csv.checkpoint
ok "picture: continued" pattern "${picture[@]}" --threads 1 -o picture.csv --resume
check "picture: continued: no checkpoint" [ ! -e picture.csv.checkpoint ]
flip_bit again.csv.checkpoint 2000 3
fails 2 'again\.csv\.checkpoint' pattern "${picture[@]}" -o again.csv --resume
rm again.csv.checkpoint
ok "picture: without a stop" pattern "${picture[@]}" --threads 2 -o whole.csv
check "picture: continued: the same bits" cmp -s <(grep -v '^#' picture.csv) <(grep -v '^#' whole.csv)
if "$program" devices 2>/dev/null | grep -q '^[* ]*opencl:0' && grep -qE 'fma( |$)' /proc/cpuinfo; then
	ok "picture: continued by two devices" pattern "${picture[@]}" --device opencl:0,cpu -o both.csv --resume
	check "picture: continued by two devices: the same bits" cmp -s <(grep -v '^#' both.csv) <(grep -v '^#' whole.csv)
else
	skip "picture: continued by two devices" "there is no OpenCL device here"
fi
for of in sphere box; do
	fast=("$data/CoO_R40.xyz.gz" --q 0.5:9:200 --phi 200 --wavelength 0.5)
	[[ $of == box ]] && fast=("$data/CoO_R40.xyz.gz" --labels Co=O --h -6:6:100 --k -6:6:100 --l -2:2:20 --u 1,0,0 --v 0,1,0 --w 0,0,1)
	fast+=(--method fast --tolerance 1e-9 --amplitude --device cpu --host-memory 30M)
	stopped "$of, fast" "$of.csv" pattern "$program" pattern "${fast[@]}"
	check "$of, fast: what is kept" has_line "$err" "stopped; [0-9]+ of [0-9]+ points are kept in $of\\.csv\\.checkpoint"
	ok "$of, fast: continued" pattern "${fast[@]}" --threads 1 -o "$of.csv" --resume
	check "$of, fast: continued: no checkpoint" [ ! -e "$of.csv.checkpoint" ]
	ok "$of, fast: without a stop" pattern "${fast[@]}" --threads 2 -o "$of-whole.csv"
	check "$of, fast: continued: the same bits" cmp -s <(grep -v '^#' "$of.csv") <(grep -v '^#' "$of-whole.csv")
done
set +m
check "nothing was written at last" [ ! -e no.csv -a ! -e no.h5 ]
finish
