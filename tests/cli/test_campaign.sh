# Campaigns: grids of jobs, restarts, failures, workers that share a folder, leases, studies of convergence.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

campaign() { # FILE LINE... : a file in $inputs
	local file=$inputs/$1
	shift
	printf '%s\n' "$@" >"$file"
}
spheres() { # FILE RADII
	campaign "$1" "vary: {r: [$2]}" 'run: build --cell fcc --species Au --a 4.0782 --sphere ${r}' 'result: xyz' 'collect: {N: atoms}'
}

# a grid, its plan, its results, and what a second run does
campaign grid.yaml 'title: two variables' 'vary:' '  cell: [fcc, bcc]' '  r: {from: 4, to: 8, count: 2, unit: ""}' \
	'run:' '- build --cell ${cell} --species Au --a 4 --sphere "${r}" -o ${scratch}/a.xyz' \
	"- debye \${scratch}/a.xyz --q '1 :2 :3'" \
	'collect: {atoms: atoms, first: "/debye/intensity/I_per_atom[0]", points: count /debye/intensity/q, mean: mean /debye/intensity/I}'
ok "plan" sonde campaign "$inputs/grid.yaml" --plan
check "plan: jobs" has_line "$out" '^jobs +4$'
check "plan: a command" has_line "$out" '^    sonde build --cell bcc --species Au --a 4 --sphere 8 -o \$\{scratch\}/a.xyz$'
check "plan: nothing is written" [ -z "$(ls)" ]
ok "plan as JSON" sonde campaign "$inputs/grid.yaml" --plan --json
check "plan as JSON: a job" contains "$out" '{"name": "cell=fcc_r=4", "state": "open", "commands": ['
ok "grid" sonde campaign "$inputs/grid.yaml"
check "grid: summary" has_line "$out" '^jobs +4: 4 done \(4 by this worker, 0 before\), 0 failed$'
check "grid: head of the table" [ "$(head -n 1 grid/table.csv)" = 'job,cell,r,state,atoms,first,first_error,points,mean' ]
check "grid: order, values, figures" has_line grid/table.csv '^cell=fcc_r=8,fcc,8,done,[0-9]+,[0-9.]+,[0-9.e-]+,3,[0-9.]+$'
check "grid: rows" [ "$(wc -l <grid/table.csv)" -eq 5 ]
check "grid: HDF5" is_hdf5 grid/table.h5
ok "info of the table" sonde info grid/table.h5
check "info: jobs" has_line "$out" '^jobs +4: 4 done, 0 failed$'
check "info: columns" has_line "$out" '^columns +.*first_errors'
check "info: title" has_line "$out" '^title +two variables$'
check "grid: no leftovers" [ -z "$(find grid/work grid/leases grid/failed -mindepth 1)" ]
before=$(cksum grid/results/*)
sonde campaign "$inputs/grid.yaml" --json >"$out" 2>/dev/null
check "again: exit code" [ $? -eq 0 ]
check "again: nothing is computed" contains "$out" '"jobs": 4, "done": 4, "failed": 0, "here": 0'
check "again: results are the same files" [ "$(cksum grid/results/*)" = "$before" ]
rm 'grid/results/cell=fcc_r=8.h5'
ok "one result is missing" sonde campaign "$inputs/grid.yaml"
check "one result is missing: computed again" has_line "$out" ' 4 done \(1 by this worker, 3 before\)'

# figures have the units of the results, and of the names in summaries
campaign units.yaml 'vary: {energy: [2 keV, 4 keV]}' "run: ions --ion He --target Si:100nm --energy '\${energy}' -n 20" \
	'collect: {range: range, took: seconds, vacancies: vacancies, depth: "/ions/profiles/x[0]", points: count /ions/profiles/x}'
ok "units" sonde campaign "$inputs/units.yaml" --plot units.svg
ok "units: a page" sonde report units/table.h5 -o units.html
unit_of() { sed -nE 's|^\{"path":"/campaign/table/'"$1"'","kind":"numbers","units":"([^"]*)".*|\1|p' units.html; }
check "units: of columns" [ "$(for name in range range_errors took vacancies depth points; do unit_of $name; done | tr '\n' ' ')" = 'angstrom angstrom s 1 angstrom  ' ]
check "units: in the picture" grep -q 'range (Angstrom)' units.svg
rm -r units units.html units.svg

# a job file as a template, values that belong together
campaign template.yaml 'vary:' '- {metal: Au, a: 4.0782, r: [4, 6]}' '- {metal: Ag, a: 4.0862, r: 5}' 'name: ${metal}_${r}' \
	'run: debye' 'job:' '  q: 1:2:2   # comment' '  build:' '    cell: fcc' '    species: ${metal}' '    a: ${a}' '    sphere: ${r}'
sed -i 's/^  q:/  debye: {q: "1:2:2"}\n  # q:/' "$inputs/template.yaml"
ok "template" sonde campaign "$inputs/template.yaml" -o t
check "template: the job file" [ "$(<t/jobs/Ag_5.yaml)" = $'debye: {q: "1:2:2"}\n# q: 1:2:2   # comment\nbuild:\n  cell: fcc\n  species: Ag\n  a: 4.0862\n  sphere: 5' ]
check "template: results" [ "$(ls t/results | tr '\n' ' ')" = 'Ag_5.h5 Ag_5.json Au_4.h5 Au_4.json Au_6.h5 Au_6.json ' ]

# failures
spheres bad.yaml '3, -2, 4'
sonde campaign "$inputs/bad.yaml" >"$out" 2>"$err"
check "a failed job: exit code" [ $? -eq 1 ]
check "a failed job: message" one_line '^sonde campaign: 1 of 3 jobs failed'
check "a failed job: its message" has_line "$out" '^failed +r=-2: --sphere: -2 is out of range'
check "a failed job: the others are done" has_line bad/table.csv '^r=4,4,done,[0-9]+$'
check "a failed job: its row" has_line bad/table.csv '^r=-2,-2,failed,$'
sonde campaign "$inputs/bad.yaml" --join bad >"$out" 2>"$err"
check "a failed job is not tried again by those who join" has_line "$out" ' 2 done \(0 by this worker, 3 before\), 1 failed'
sonde campaign "$inputs/bad.yaml" >"$out" 2>"$err"
check "a failed job is tried again" has_line "$out" ' 2 done \(0 by this worker, 2 before\), 1 failed'
spheres figure.yaml '3, 4'
sed -i 's/atoms}/atms}/' "$inputs/figure.yaml"
ok_warned "'atms' is not a number in 2 of 2 results, did you mean 'atoms'" "a figure that does not exist" sonde campaign "$inputs/figure.yaml"

campaign array.yaml 'vary: {r: [4, 5]}' 'run: debye --q 1:2:3' 'job: |' '  build: {cell: fcc, species: Au, a: 4, sphere: ${r}}' 'collect: /debye/intensity/q'
ok_warned "'/debye/intensity/q' is not a number in 2 of 2 results; it has several numbers" "an array" sonde campaign "$inputs/array.yaml"

# two campaigns in one folder, and folders of something else
spheres other.yaml '3, 4, 5'
fails 2 'has the jobs of another campaign' sonde campaign "$inputs/other.yaml" -o bad
fails 2 'has the jobs of another campaign' sonde campaign "$inputs/other.yaml" --join bad
mkdir full && touch full/file
fails 2 "is not the folder of a campaign, and not empty: it has 'file'" sonde campaign "$inputs/other.yaml" -o full
fails 2 'both name a folder' sonde campaign "$inputs/other.yaml" -o a --join b

# invalid files
wrong() { # REGEX LINE...
	local regex=$1
	shift
	campaign wrong.yaml "$@"
	fails 2 "wrong.yaml:$regex" sonde campaign "$inputs/wrong.yaml"
}
run='run: build --cell fcc --species Au --a 4 --sphere ${r}'
wrong "2:1: unknown key 'runs', did you mean 'run'" 'vary: {r: 1}' "${run/run/runs}"
wrong "1:1: the key 'vary' is missing" "$run"
wrong "1:1: the key 'run' is missing" 'vary: {r: 1}'
wrong "2:[0-9]+: run: unknown variable 'radus', did you mean 'radius'" 'vary: {radius: 1}' "${run/\{r\}/{radus\}}"
wrong "1:14: the variable 'b' is not used" 'vary: {r: 1, b: 2}' "$run"
wrong "5:13: job: unknown variable 'x'" 'vary: {r: 1}' 'run: debye --q ${r}' 'job:' '  build:' '    sphere: ${x}'
wrong "1:7: vary: two jobs have the name 'r=1'" 'vary: {r: [1, 2, 1]}' "$run"
wrong "2:7: name: two jobs have the name 'x'" 'vary: {r: [1, 2]}' 'name: x' "$run"
wrong '1:7: vary: 250000 jobs are more than the limit of 10000' 'vary: {r: {from: 1, to: 2, count: 500}, s: {from: 1, to: 2, count: 500}}' "$run \${s}"
wrong "1:21: unknown key 'form', did you mean 'from'" 'vary: {r: {from: 1, form: 1, to: 2}}' "$run"
wrong "2:6: run: unknown command 'bild', did you mean 'build'" 'vary: {r: 1}' "${run/build/bild}"
wrong "2:6: run: 'info' writes no result" 'vary: {r: a.h5}' 'run: info ${r}'
wrong "3:9: result: 'build' writes no files that end in .h6; its endings are .xyz " 'vary: {r: 1}' "$run" 'result: h6'
wrong '2:6: run: the output of the last command is the result' 'vary: {r: 1}' "$run -o a.xyz"
wrong '2:6: run: a quotation mark is missing' 'vary: {r: 1}' "$run 'x"
wrong "1:8: 'name' is a variable that every job has" 'vary: {name: 1}' "$run"
wrong "3:18: over: the values of 'r' must be numbers with the same unit" 'vary: {r: [1, 2 nm]}' "$run" 'converge: {over: r, as: step}' 'collect: a'
wrong "3:25: as: 'steps' is not one of step, number, and histories" 'vary: {r: [1, 2]}' "$run" 'converge: {over: r, as: steps}' 'collect: a'
wrong "2:1: duplicate key 'vary'" 'vary: {r: 1}' 'vary: {r: 1}' "$run"
wrong "1:8: the variable 'r' has no values" 'vary: {r: }' "$run"
wrong "4:10: collect: '/a' is a dataset, which results that end in 'csv' do not have" 'vary: {r: 1}' "$run" 'result: csv' 'collect: /a'
wrong "3:10: collect: 'middle /a': before a dataset" 'vary: {r: 1}' "$run" 'collect: middle /a'

# two workers at once: every job is done once
spheres shared.yaml '3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5'
sonde campaign "$inputs/shared.yaml" --join s --at-once 2 --json >"$scratch/first" 2>/dev/null &
first=$!
sonde campaign "$inputs/shared.yaml" --join s --json >"$scratch/second" 2>/dev/null
check "two workers: the second" [ $? -eq 0 ]
wait $first
check "two workers: the first" [ $? -eq 0 ]
here() { sed -E 's/.*"here": ([0-9]+).*/\1/' "$1"; }
check "two workers: each job once" [ $(($(here "$scratch/first") + $(here "$scratch/second"))) -eq 12 ]
check "two workers: all results" [ "$(ls s/results/*.xyz | wc -l)" -eq 12 ]
check "two workers: one table" [ "$(grep -c ',done,' s/table.csv)" -eq 12 ]

# a worker that is killed: its job continues from the checkpoint of its process, at once on the same machine
ions='run: ions --ion As --energy 300keV --target Si:1um --number ${n} --threads 1'
campaign killed.yaml 'vary: {n: [20, 600]}' "$ions" 'collect: [range, ions]'
"$program" campaign "$inputs/killed.yaml" -o k >/dev/null 2>&1 &
victim=$!
for ((wait = 0; wait < 600; ++wait)); do
	[[ -n $(compgen -G 'k/work/n=600@*/summary') ]] && break
	sleep 0.1
done
sleep 0.4
kill -KILL $victim
wait $victim 2>/dev/null
check "killed: one job is done" [ "$(ls k/results/*.h5 | wc -l)" -eq 1 ]
check "killed: the lease is left" [ -e k/leases/n=600 ]
ok "killed: another worker takes over" sonde campaign "$inputs/killed.yaml" --join k
check "killed: its table" has_line k/table.csv '^n=600,600,done,[0-9.]+,[0-9.]+,600$'
check "killed: no leftovers" [ -z "$(find k/work k/leases -mindepth 1)" ]
sonde ions --ion As --energy 300keV --target Si:1um --number 600 -o whole.h5 --json >"$out" 2>/dev/null
range=$(grep -oE '"range": [0-9.]+' "$out")
check "killed: the same bits" grep -qF "$range," <(sed -E 's/^[^,]*,[^,]*,done,([^,]*),.*/"range": \1,/' k/table.csv)

# a job that crashes does not take the campaign with it (on the CPU alone: LLVM, which OpenCL may bring into the process,
# handles this signal, and returns where no instruction is at fault)
campaign crash.yaml 'vary: {n: [6000, 10]}' "$ions --device cpu"
"$program" campaign "$inputs/crash.yaml" -o c >"$out" 2>"$err" &
worker=$!
for ((wait = 0; wait < 600; ++wait)); do
	[[ -n $(compgen -G 'c/work/n=6000@*/summary') && -n $(cat "/proc/$worker/task/$worker/children") ]] && break
	sleep 0.1
done
kill -SEGV $(<"/proc/$worker/task/$worker/children")
wait $worker
check "crash: exit code" [ $? -eq 1 ]
check "crash: message" has_line "$out" '^failed +n=6000: .'
check "crash: the other job" has_line c/table.csv '^n=10,10,done$'

# a lease of another machine: respected while it is touched, taken over when it ends
spheres lease.yaml '3, 4'
ok "lease" sonde campaign "$inputs/lease.yaml" -o l
rm l/results/r=3.*
printf 'worker far-1-1\nprocess 1\nmachine elsewhere\n' >l/leases/r=3
(for ((k = 0; k < 8; ++k)); do sleep 0.2; touch l/leases/r=3; done) &
began=$SECONDS
ok "lease: taken over" sonde campaign "$inputs/lease.yaml" --join l --lease 1
check "lease: only when it has ended" [ $((SECONDS - began)) -ge 2 ]
wait
check "lease: all done" has_line l/table.csv '^r=3,3,done,'
# a worker whose lease was taken over while it lives: one result, and the worker notices
campaign lives.yaml 'vary: {n: [400]}' "$ions"
sonde campaign "$inputs/lives.yaml" -o v --lease 1 --json >"$scratch/first" 2>/dev/null &
for ((wait = 0; wait < 600; ++wait)); do
	[[ -e v/leases/job ]] && break
	sleep 0.1
done
printf 'worker far-1-1\nprocess 1\nmachine elsewhere\n' >"$scratch/lease" && mv "$scratch/lease" v/leases/job
sonde campaign "$inputs/lives.yaml" --join v --lease 1 --json >"$scratch/second" 2>/dev/null
wait
check "lost lease: the result is written once" [ $(($(here "$scratch/first") + $(here "$scratch/second"))) -eq 1 ]
check "lost lease: no leftovers" [ -z "$(find v/work v/leases -mindepth 1)" ]

# a batch system's signal: exit code 75, and the same command continues from the checkpoint
campaign stop.yaml 'vary: {n: [700]}' "$ions" 'collect: [ions]'
for signal in TERM USR1; do
	: >"$err" # the one before had a done of its own
	"$program" campaign "$inputs/stop.yaml" -o "p$signal" --json >"$out" 2>"$err" &
	stopped=$!
	for ((wait = 0; wait < 600; ++wait)); do
		grep -qE '"done": 0\.[0-9]*[1-9]' "$err" && break # the first ions are done
		sleep 0.1
	done
	kill -$signal $stopped
	wait $stopped
	check "$signal: exit code" [ $? -eq 75 ]
	check "$signal: message" contains "$err" '"exit_code": 75, "message": "stopped; 0 of 1 jobs are done, the same command continues"'
	check "$signal: a checkpoint" [ -n "$(compgen -G "p$signal/work/job@*/job.h5.checkpoint")" ]
	check "$signal: no lease" [ ! -e "p$signal/leases/job" ]
done
# a damaged checkpoint: the job begins again
printf 'damaged' >"$(compgen -G 'pUSR1/work/job@*/job.h5.checkpoint')"
ok "continued after a damaged checkpoint" sonde campaign "$inputs/stop.yaml" -o pUSR1
check "continued: done" has_line pUSR1/table.csv '^job,700,done,700$'

# convergence
campaign histories.yaml 'vary: {n: [100, 400, 1600]}' 'run: ions --ion B --energy 10keV --target Si:1um --cascades quick --number ${n}' \
	'collect: [range]' 'converge: {over: n, as: histories}'
ok "histories" sonde campaign "$inputs/histories.yaml"
check "histories: the standard error falls as n^-1/2" has_line "$out" '^limit +range: [0-9.]+ \+- [0-9.]+, standard error ~ n\^-0\.[45]'
check "histories: the table" has_line histories/convergence.csv '^range,3,[0-9.]+,[0-9.]+,[0-9.]+,-0\.[45][0-9]*,[0-9.]+$'
# the examples: with sanitizers they take minutes, and do what the jobs above do
examples=$(cd "$here/../../examples" && pwd)
if ((sanitized == 0)); then
	ok "particle_sizes" sonde campaign "$examples/particle_sizes/sizes.yaml"
	check "particle_sizes: the peak per atom grows with the radius, and less with thermal motion" awk -F, 'NR > 1 {if (!($6 > last[$3])) bad = 1
	last[$3] = $6} END {exit bad || NR != 15 || !(last["0.02"] < 0.9*last["0"] && last["0.02"] > 0.83*last["0"])}' sizes/table.csv
	ok "implants" sonde campaign "$examples/implants/energies.yaml"
	check "implants: heavy ions stop first" awk -F, '$3 == 100 {range[$2] = $5} END {exit !(range["B"] > 2*range["P"] && range["P"] > 1.5*range["As"])}' energies/table.csv
	# T = 1/(1 + ((n^2 - 1)/(2 n) sin k)^2), k = 2 pi n d/lambda: 0.744139726
	ok "slab_cells" sonde campaign "$examples/slab_cells/cells.yaml"
	check "slab_cells: the order of the method, and a limit within its error" awk -F, 'NR == 2 {off = $4 - 0.744139726
	found = $6 > 1.8 && $6 < 2.2 && off < $5 && -off < $5 && $5 < 1e-4} END {exit !found}' cells/convergence.csv
fi
ok "hydrogen_carbon: plan" sonde campaign "$here/../../bench/hydrogen_carbon.yaml" --plan
check "hydrogen_carbon: jobs" has_line "$out" '^jobs +9$'

ok "picture" sonde campaign "$inputs/histories.yaml" --plot a.png
check "picture" is_png a.png
finish
