# sonde refine: values, files, pictures, stopping and resuming, bad input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

job() { # FILE LINE... : a file in $inputs
	local file=$inputs/$1
	shift
	printf '%s\n' "$@" >"$file"
}

# a particle of gold, whose pattern is not on the points of the job
ok "particle" sonde build --cell fcc --species Au --a 4.08 --sphere 8.2 -o "$inputs/gold.xyz"
ok "pattern" sonde debye "$inputs/gold.xyz" --q 0.61:11.87:200 --displacement 0.01 -o "$inputs/gold.dat"
awk '/^[0-9.]/ { y = 3 * $3 + 100; printf "%s %.9g %.6g\n", $1, y + sqrt(y) * sin(++n * n * 0.7) * 1.4142, sqrt(y) }' \
	"$inputs/gold.dat" >"$inputs/gold.xy"
parameters=('refine:' '- {name: a, start: 4.0, lower: 3.9, upper: 4.2}' '- {name: U, start: 0.03, lower: 0}'
	'derived: [{name: B, formula: 8*pi^2*U}]')
structure=('build: {cell: fcc, species: Au, a: "${a}", sphere: "${2.01*a}"}' 'debye: {q: 0.5:12:461, displacement: "Au=${U}"}')
job gold.yaml "${parameters[@]}" "${structure[@]}" 'measured: gold.xy' 'fit: {background: 0}'

ok "plan" sonde refine "$inputs/gold.yaml" --plan
check "plan: points" has_line "$out" '^fit +200 points, 4 parameters, with scale and background$'
check "plan: structures" has_line "$out" '^step +about 5 structures'
check "plan: nothing is written" [ -z "$(ls)" ]
ok "fit" sonde refine "$inputs/gold.yaml" -o fit.h5 --structure refined.xyz
check "fit: lattice constant" has_line "$out" '^parameter +a = 4\.0(79[5-9]|80[0-5])[0-9]* \+- 0\.000[0-9]+ \('
check "fit: displacement" has_line "$out" '^parameter +U = 0\.0(09[5-9]|10[0-5])'
check "fit: derived" has_line "$out" '^derived +B = 0\.[78]'
check "fit: steps" has_line "$out" '^step +0: Rwp [1-9].* a 4, U 0.03$'
check "fit: converged" has_line "$out" '^fit +Rwp .* 200 points, 4 parameters, converged$'
check "fit: HDF5" is_hdf5 fit.h5
check "structure" [ "$(head -n 1 refined.xyz)" = "$(head -n 1 "$inputs/gold.xyz")" ]
check "structure: where from" has_line refined.xyz '--a 4.0[78]'
ok "description" sonde info fit.h5
check "description: parameter" has_line "$out" '^parameter +a = 4\.0[78]'
check "description: derived" has_line "$out" '^derived +B = 0\.[78]'
check "description: the job file" has_line "$out" '^ {13}- \{name: a, start: 4\.0, lower: 3\.9, upper: 4\.2\}$'
sonde refine "$inputs/gold.yaml" --json >"$out" 2>/dev/null
check "JSON" has_line "$out" '^\{"command": "refine", .*\}$'
check "JSON: parameter" contains "$out" '"parameters": [{"name": "a", "start": 4, "value": 4.0'
ok "table" sonde refine "$inputs/gold.yaml" -o fit.csv --quiet
check "table: rows" has_line fit.csv '^a,4\.0[78]'
sonde refine "$inputs/gold.yaml" --steps 1 >"$out" 2>"$err"
check "one step" has_line "$err" '^sonde: warning: not converged after 1 steps; more --steps'
for threads in 1 3; do
	sonde refine "$inputs/gold.yaml" -o t.csv --threads $threads --force --quiet
	grep -v '^#' t.csv >"$scratch/threads$threads"
done
check "the same for any number of threads" cmp -s "$scratch/threads1" "$scratch/threads3"
ok "picture" sonde refine "$inputs/gold.yaml" --plot fit.png
check "picture: PNG" is_png fit.png

# sizes without a grid change the number of atoms in jumps
job jumps.yaml 'refine:' '- {name: a, start: 4.07}' '- {name: r, start: 8.1, step: 0.3}' \
	'build: {cell: fcc, species: Au, a: "${a}", sphere: "${r}"}' 'debye: {q: 0.5:12:461, displacement: 0.01}' 'measured: gold.xy'
sonde refine "$inputs/jumps.yaml" --steps 3 >"$out" 2>"$err"
check "jumps" has_line "$err" '^sonde: warning: r: the number of atoms depends on it'

# a stop keeps the best parameters, and the run continues from them
job slow.yaml 'refine:' '- {name: a, start: 4.0}' '- {name: x, start: 3.4, grid: 0.1}' \
	'build: {cell: fcc, species: Au, a: "${a}", sphere: "${x*a}"}' 'debye: {q: 0.5:12:231, method: exact}' 'measured: gold.xy'
set -m
"$program" refine "$inputs/slow.yaml" -o slow.h5 --json >"$out" 2>"$err" &
process=$!
for ((k = 0; k < 1500; ++k)); do
	grep -q '"done": [1-9]' "$err" && break
	read -rt 0.02 _ < <(:) || sleep 0.02
done
kill -INT $process
wait $process
check "stopped: exit code" [ $? -eq 130 ]
check "stopped: message" contains "$err" 'the best parameters are in slow.h5.checkpoint'
check "stopped: the parameters are kept" has_line slow.h5.checkpoint '^a [34]\.'
check "stopped: no result" [ ! -e slow.h5 ]
kept=$(sed -n 's/^a //p' slow.h5.checkpoint)
sonde refine "$inputs/slow.yaml" -o slow.h5 --resume --steps 1 --json >"$out" 2>/dev/null
check "resumed" [ $? -eq 0 ]
check "resumed: from the values that were kept" contains "$out" "\"start\": 4, "
check "resumed: these are not the start" [ "$kept" != 4 ]
check "resumed: no checkpoint is left" [ ! -e slow.h5.checkpoint ]
fails 2 "slow2.h5.checkpoint" sonde refine "$inputs/slow.yaml" -o slow2.h5 --resume
fails 2 "no file to resume from is given" sonde refine "$inputs/slow.yaml" --resume

# one structure, and curves of X-rays and neutrons with scales and backgrounds of their own
ok "neutrons" sonde debye "$inputs/gold.xyz" --q 0.61:11.87:100 --displacement 0.01 --radiation neutron -o "$inputs/neutron.dat"
awk '/^[0-9.]/ { printf "%s %.9g %.6g\n", $1, 2 * $3 + 0.3 * sin(++n * n * 0.7), 0.2 }' "$inputs/neutron.dat" >"$inputs/neutron.xy"
job both.yaml "${parameters[@]}" "${structure[@]}" 'fit: {background: 0}' 'curves:' '- {measured: gold.xy}' \
	'- {measured: neutron.xy, debye: {radiation: neutron}, fit: {background: 1}}'
ok "two curves: plan" sonde refine "$inputs/both.yaml" --plan
check "two curves: all parameters" has_line "$out" '^fit +300 points, 7 parameters'
ok "two curves" sonde refine "$inputs/both.yaml" -o both.h5 --plot both.png
check "two curves: lattice constant" has_line "$out" '^parameter +a = 4\.0(79[5-9]|80[0-5])'
check "two curves: X-rays" has_line "$out" '^curve +.*gold.xy: I_per_atom, 200 points .* scale (2\.99|3\.0)'
check "two curves: neutrons" has_line "$out" '^curve +.*neutron.xy: I_per_atom, 100 points .* scale (1\.99|2\.0)'
check "two curves: picture" is_png both.png
ok "two curves: description" sonde info both.h5
check "two curves: described" has_line "$out" '^measured +.*neutron.xy$'
sonde refine "$inputs/both.yaml" --json >"$out" 2>/dev/null
check "two curves: JSON" contains "$out" '"radiation": "neutron", "points": 100'

# at a bound the interval has one side
job bound.yaml 'refine:' '- {name: a, start: 4.0, lower: 3.9, upper: 4.079}' "${structure[0]}" 'debye: {q: 0.5:12:461, displacement: 0.01}' \
	'measured: gold.xy' 'fit: {background: 0}'
sonde refine "$inputs/bound.yaml" >"$out" 2>"$err"
check "bound" has_line "$out" '^parameter +a = 4\.079, at its upper bound \(4\.07[0-9]+ to 4\.079\)$'
check "bound: warning" has_line "$err" '^sonde: warning: a is at its upper bound, 4\.079'

# one line with the place of each mistake
fails 2 "no job is given" sonde refine -o x.h5
fails 2 "'x.xyz' is not a job" sonde refine x.xyz
fails 2 "x.foo" sonde refine "$inputs/gold.yaml" -o x.foo
fails 2 "--structure" sonde refine "$inputs/gold.yaml" --structure fit.h5 -o fit.h5 --force
job sample.yaml "${parameters[0]}" "${parameters[2]}" 'sample: gold.xyz' 'debye: {q: 0.5:12:461, displacement: "Au=${U}"}' 'measured: gold.xy'
fails 2 'gold\.xyz: would replace' sonde refine "$inputs/sample.yaml" --structure "$inputs/gold.xyz" --force
job bad.yaml 'refine:' '- {name: a, start: 4.3, lower: 4, upper: 4.2}' "${structure[@]}" 'measured: gold.xy'
fails 2 "bad.yaml:2:3: a: start, 4.3, is not within its bounds, 4 to 4.2" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" 'build: {cell: fcc, species: Au, a: "${A}", sphere: 8}' 'debye: {displacement: "${U}"}' 'measured: gold.xy'
fails 2 "bad.yaml:5:.*no parameter 'A', did you mean 'a'" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" "${structure[@]}" 'measured: none.xy'
fails 2 "bad.yaml:7:.*'none.xy'" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" "${structure[0]}" 'debye: {q: 12.5:15:20, displacement: "${U}"}' 'measured: gold.xy'
fails 2 "has points from 0.61 to 11.87 .* from 12.5 to 15.* no range in common" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" "${structure[@]}" 'measured: gold.xy' 'fit: {range: 1:1.1, background: -1}'
fails 2 "3 parameters, with scale and background, and 2 points" sonde refine "$inputs/bad.yaml"
job bad.yaml 'refine:' '- {name: a, start: 4}' 'build: {cell: fcc, species: Au, a: 4, sphere: "${a/4}"}' 'measured: gold.xy'
fails 2 "a: the curve does not depend on this parameter" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" "${structure[@]}" 'measured: gold.xy' 'curves: [{measured: gold.xy}]'
fails 2 "bad.yaml:7:.*'measured' and 'curves'" sonde refine "$inputs/bad.yaml"
job bad.yaml "${parameters[@]}" "${structure[@]}" 'curves:' '- {measured: gold.xy}' '- {measured: none.xy}'
fails 2 "bad.yaml:9:.*'none.xy'" sonde refine "$inputs/bad.yaml"

finish
