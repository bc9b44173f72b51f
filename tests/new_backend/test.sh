# What a back end gets from its file and its line: the list of devices, --device, the choice of GPUs, help, completion, manual
# page, self-tests, and all engines. For the back end of tests/new_backend/single.c and the engine of tests/new_engine/toy.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

numbers() { grep -v '^#' "$1"; }
same_numbers() { [ "$(numbers "$1" | cksum)" = "$(numbers "$2" | cksum)" ] && [ "$(numbers "$1" | wc -l)" -gt 10 ]; }

ok "help" sonde debye --help
tr -s ' \n' '  ' <"$out" >"$inputs/help"
check "help: the devices" contains "$inputs/help" 'single:N: one thread'
ok "completion" sonde help --completion bash
check "completion: the devices" has_line "$out" '(auto|cpu|all) .*single:0'
ok "manual page" sonde help --man sonde
check "manual page: its variable" contains "$out" 'SINGLE_DEVICES'
fails 2 "unknown device 'double': use one of .*single:N" sonde toy --device double
fails 3 'single:0 cannot be used: SINGLE_DEVICES is not set' sonde toy --device single:0
ok "devices without one" sonde devices
check "devices without one: the reason" has_line "$out" '^ +SINGLE_DEVICES is not set$'

export SINGLE_DEVICES=2
fails 2 "there is no device 'single:2'" sonde toy --device single:2
ok "devices" sonde devices --device single
check "devices: the first is chosen" has_line "$out" '^\* single:0 +one thread$'
check "devices: the second is listed" has_line "$out" '^  single:1 +one thread$'
check "devices: measured" has_line "$out" '^ +measured: [0-9.]+ .FLOP/s float64'

# without the option a GPU is chosen; only kinds earlier in the list come first
if ! "$program" devices --device gpu 2>/dev/null | grep -qE '^\* (cuda|opencl):'; then
	ok "the first GPU" sonde devices --device gpu
	check "the first GPU: it" has_line "$out" '^\* single:0 '
	ok "all GPUs" sonde devices --device all
	check "all GPUs: both" [ "$(grep -c '^\* single:' "$out")" -eq 2 ]
fi

# each engine passes its self-test there and gives the CPU's results, alone and shared
ok "a sample" sonde build --cell fcc --species Au --a 4.0782 --sphere 12 -o au.xyz
for device in cpu single:0 single:0,1 single:1,cpu; do
	ok "debye, $device" sonde debye au.xyz --q 0.1:20:200 --method histogram --device $device -o "debye-$device.xy"
	ok "toy, $device" sonde toy --x 0.5:5.5:200 --device $device -o "toy-$device.csv"
	check "debye, $device: the CPU's bits" same_numbers "debye-$device.xy" debye-cpu.xy
	check "toy, $device: the CPU's bits" same_numbers "toy-$device.csv" toy-cpu.csv
	ok "ions, $device" sonde ions --ion As --energy 20keV --target Si -n 64 --bins 20 --device $device -o "ions-$device.csv"
	check "ions, $device: the CPU's bits" same_numbers "ions-$device.csv" ions-cpu.csv
done

printf '3\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl 0 0 2.5 -1\nK 1.5 1 0 0.5\n' >"$inputs/ions.xyz"
for device in cpu single:0; do
	ok "coulomb, $device" sonde coulomb "$inputs/ions.xyz" --spacing 0.7 --device $device -o "phi-$device.csv" --quiet
done
check "coulomb: the CPU's potential" awk -F, '/^[^#x]/ {if (FNR == NR) there[$1 $2 $3] = $4
	else {d = $4 - there[$1 $2 $3]; if (d * d > 1e-10 * (1 + $4 * $4)) bad++; all++}} END {exit !(all > 500 && !bad)}' phi-cpu.csv phi-single:0.csv
fails 2 "device 'single:0' is named twice" sonde toy --device single:0,single:0
finish
