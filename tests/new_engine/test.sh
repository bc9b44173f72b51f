# The features that an engine obtains from its row: help, manual page, completion, job, plan, progress, checkpoint, table, HDF5, info, picture,
# devices. For the engine of tests/new_engine/toy.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# y(x) of a table at one x
value() { # FILE X
	awk -v x="$2" '$1 + 0 == x {print $2}' "$1"
}

ok "help" sonde toy --help
check "help: its options" has_line "$out" '^  --terms COUNT$'
check "help: those of all engines" has_line "$out" '^  --plan$'
ok "the list of commands" sonde --help
check "the list of commands has it" has_line "$out" '^  toy +sums of cos'
ok "manual page" sonde help --man toy
ok "completion" sonde help --completion bash
check "completion: its options" contains "$out" 'toy:--terms'
fails 2 "unknown option '--term', did you mean '--terms'" sonde toy --term 5
fails 2 'terms: 0 is out of range' sonde toy --terms 0

ok "table" sonde toy --x 1:2:3 --terms 100000
cp "$out" "$inputs/table"
# the limit at x = 1: pi^2/6 - pi/2 + 1/4
check "the sum is right" awk -v y="$(value "$inputs/table" 1)" 'BEGIN {d = y - 0.32413774005332982; exit !(d < 1e-9 && d > -1e-9)}'
check "the error is given" has_line "$inputs/table" '^# error: [0-9.e-]+ relative'

printf 'toy:\n  x: 1:2:3\n  terms: 100000\n' >"$inputs/job.yaml"
ok "job" sonde toy "$inputs/job.yaml" -o job.csv
check "the job's numbers are the same" [ "$(grep '^1,' job.csv)" = "1,$(value "$inputs/table" 1)" ]
printf 'toy:\n  x: 1:2:3\n  term: 5\n' >"$inputs/wrong.yaml"
fails 2 "wrong\.yaml:3:3: .*term.*'terms'" sonde toy "$inputs/wrong.yaml"

ok "plan" sonde toy --terms 1000000 --plan
check "plan: time" has_line "$out" '^time +about '
check "plan: device" has_line "$out" '^device +cpu'
ok "plan as JSON" sonde toy --plan --json
check "plan as JSON: seconds" contains "$out" '"seconds": '

ok "HDF5" sonde toy -o toy.h5
check "a summary" has_line "$out" '^error: '
ok "info" sonde info toy.h5
check "info: options" has_line "$out" 'terms = 100000'
check "info: the table" has_line "$out" '^series +.*x, y'
fails 2 'exists' sonde toy -o toy.h5
ok "info of a table" sonde info job.csv
check "info of a table: the engine" has_line "$out" '^what +table of sonde toy$'

ok "picture" sonde toy -o drawn.csv --plot toy.png
check "picture: a PNG file" [ "$(head -c 4 toy.png | tail -c 3)" = PNG ]
sonde toy --terms 3000000 --x 0.5:5.5:200 --json -o progress.csv >"$out" 2>"$err" </dev/null
check "progress as JSON: its unit" contains "$err" '"unit": "terms"'
check "summary as JSON" has_line "$out" '^\{"command": "toy", .*"relative_error": [0-9.e-]+.*\}$'

# stopped and resumed: the same bits
long=(--terms 20000000 --x 0.5:5.5:400 --threads 1)
"$program" toy "${long[@]}" -o long.csv >/dev/null 2>"$err" </dev/null &
process=$!
sleep 2
kill -INT $process
wait $process
check "stopped: exit code" [ $? -eq 130 ]
check "stopped: how to continue" contains "$err" 'continue with --resume'
ok "info of a checkpoint" sonde info long.csv.checkpoint
check "info of a checkpoint: pieces" has_line "$out" '^pieces +[0-9]+ of 400 done$'
fails 2 'belongs to another job.*terms' sonde toy --x 0.5:5.5:400 --terms 10 -o long.csv --resume
short=(--terms 1000000 --x 0.5:5.5:4000)
"$program" toy "${short[@]}" --threads 1 -o short.csv >/dev/null 2>&1 </dev/null &
process=$!
sleep 1
kill -INT $process
wait $process
ok "resumed" sonde toy "${short[@]}" -o short.csv --resume
ok "at once" sonde toy "${short[@]}" -o once.csv
check "the same bits" [ "$(grep -v '^#' short.csv | cksum)" = "$(grep -v '^#' once.csv | cksum)" ]
check "no checkpoint is left" [ ! -e short.csv.checkpoint ]

# on an OpenCL device, if there is one, alone and together with the CPU
if "$program" devices 2>/dev/null | grep -q '^[* ]*opencl:0'; then
	ok "OpenCL" sonde toy --x 1:2:100 --device opencl:0 -o opencl.csv
	ok "CPU" sonde toy --x 1:2:100 --device cpu -o cpu.csv
	ok "both" sonde toy --x 1:2:100 --device opencl:0,cpu -o both.csv
	check "the same bits on both" [ "$(grep -v '^#' opencl.csv | cksum)" = "$(grep -v '^#' cpu.csv | cksum)" ]
	check "the same bits shared" [ "$(grep -v '^#' both.csv | cksum)" = "$(grep -v '^#' cpu.csv | cksum)" ]
else
	skip "OpenCL" "there is no device here"
fi
finish
