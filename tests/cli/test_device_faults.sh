# Devices that fail, played by the libraries of tests/fakes: alone, a device that fails ends the run with exit code 3
# and one line that names it; in a list, or chosen automatically, it is skipped with a warning, and the result is that
# of the CPU. Kernel caches: damaged, forbidden, shared. Memory of devices.
#
#     test_device_faults.sh PROGRAM FAKES [PART...]     parts: names cuda opencl pocl cache memory
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
umask 022
fakes=${2:-${SONDE_FAKES:-}}
if [[ ! -e $fakes/cuda/libcuda.so.1 ]]; then
	echo "usage: $0 PROGRAM FAKES: the build folder of tests/fakes" >&2
	exit 1
fi
fakes=$(realpath "$fakes")
parts=" ${*:3} "
part() { [[ $parts == '  ' || $parts == *" $1 "* ]]; }

report=$scratch/report # last words of the fakes
cache=$scratch/cache   # of the program, unless a case says otherwise
export XDG_CACHE_HOME=$cache
# the driver's own compiled code, which takes half a minute, is kept for all parts, and shared with other tests
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$fakes/pocl-cache}
unset SONDE_NVRTC CUDA_HOME CUDA_PATH CONDA_PREFIX
[[ $sanitized == 0 ]] || export ASAN_OPTIONS=detect_leaks=0 # of OpenCL drivers; the fakes count what is left

# the program with fakes ---------------------------------------------------------------------------
# with FOLDERS [NAME=VALUE...] ARGUMENT...: libraries of these folders of the fakes, with commas, go before the real ones.
launcher=() # a command to start it with
with() {
	local folder path='' settings=("FAKE_CUDA_REPORT=$report" "FAKE_OPENCL_REPORT=$report.opencl")
	for folder in ${1//,/ }; do
		path+=$fakes/$folder:
	done
	shift
	while [[ $1 =~ ^[A-Z_0-9]+= ]]; do
		settings+=("$1")
		shift
	done
	rm -f "$report" "$report.opencl"
	timeout -k 5 100 "${launcher[@]}" env "LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:-}" "${settings[@]}" "$program" "$@"
}
cuda() { with cuda,nvrtc,opencl FAKE_OPENCL=noplatform "$@"; }
old_cuda() { with cuda_old,nvrtc,opencl FAKE_OPENCL=noplatform "$@"; }
opencl() { with cuda,opencl FAKE_CUDA=nodevice "$@"; }
pocl() { with cuda,opencl_shim FAKE_CUDA=nodevice FAKE_OPENCL_REAL="$real_opencl" OCL_ICD_VENDORS="$vendors" "$@"; }

# The real loader and PoCL behind it.
real_opencl='' vendors=$inputs/vendors
find_pocl() {
	local file
	for file in /usr/lib/*/libOpenCL.so.1 /usr/lib64/libOpenCL.so.1 /usr/lib/libOpenCL.so.1 \
		/usr/local/lib/libOpenCL.so.1; do
		[[ -e $file ]] && real_opencl=$file && break
	done
	mkdir "$vendors"
	cp /etc/OpenCL/vendors/pocl*.icd "$vendors/" 2>/dev/null && [[ -n $real_opencl ]] &&
		pocl devices >"$out" 2>"$err" && has_line "$out" 'opencl:0 +.*(pthread|cpu)'
}

# comparing results --------------------------------------------------------------------------------
body() { # FILE
	local line
	while IFS= read -r line; do
		[[ $line == '#'* ]] || printf '%s\n' "$line"
	done <"$1"
}
# NAME becomes the number in units of 10^-12.
read_number() { # NAME NUMBER
	local digits sign=''
	printf -v digits '%.12f' "$2"
	[[ $digits == -* ]] && sign=-
	digits=${digits#-}
	printf -v "$1" '%d' "$sign$((10#${digits/./}))"
}
# |A - B| <= 10^-10 max(1, |A|)
close_numbers() { # A B
	local a b
	read_number a "$1" && read_number b "$2" && ((a - b <= 100 + ${a#-} / 10000000000)) &&
		((b - a <= 100 + ${a#-} / 10000000000))
}
# q, I/N and S of two tables within 10^-10.
close_tables() { # FILE FILE
	local k a b first second
	mapfile -t first < <(body "$1")
	mapfile -t second < <(body "$2")
	((${#first[@]} > 0 && ${#first[@]} == ${#second[@]})) || return 1
	for ((k = 0; k < ${#first[@]}; ++k)); do
		read -ra a <<<"${first[k]}"
		read -ra b <<<"${second[k]}"
		[[ ${a[0]} == "${b[0]}" ]] && close_numbers "${a[2]}" "${b[2]}" && close_numbers "${a[3]}" "${b[3]}" ||
			return 1
	done
}
# Histograms are sums of integers: they must be the same on every device. Exact sums are not.
same_results() { # METHOD FILE FILE
	if [[ $1 == histogram ]]; then
		[[ -s $2 && $(body "$2") == "$(body "$3")" ]]
	else
		close_tables "$2" "$3"
	fi
}

sample=$inputs/sample.xyz # three pairs of species, 57 atoms
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 10 -o "$sample" --quiet
q=0.5:20:25
for method in exact histogram; do
	ok "the CPU's result, $method" sonde debye "$sample" --q $q --device cpu --method $method -o "$inputs/$method.xy" --quiet
done

# judging runs -------------------------------------------------------------------------------------
# Counts of the fakes.
counted() { # WORD
	local line=
	[[ -e $report.opencl && $counts == opencl ]] && read -r line <"$report.opencl"
	[[ -e $report && $counts == cuda ]] && read -r line <"$report"
	[[ $line =~ (^|, )$1\ (-?[0-9]+) ]] && printf '%s' "${BASH_REMATCH[2]}"
}
counts=cuda
no_objects_left() { # NAME
	local what
	for what in wrong left; do
		if [[ -n $(counted $what) && $(counted $what) != 0 ]]; then
			fail "$1" "the fake counted $what: $(counted $what)"
			return 1
		fi
	done
}
run() { # COMMAND...
	rm -f result.xy
	# with one thread the host leaves the histogram's last step to the device, too
	"$@" --q $q --method "$method" --threads 1 -o result.xy --quiet >"$out" 2>"$err" </dev/null
	code=$?
}
name_of() { # COMMAND...
	local text="$*"
	text=${text//"$scratch"/SCRATCH}
	printf '%s' "${method}: ${text:0:300}"
}
# The run must do without any fault: nothing is said.
succeeds() { # COMMAND...
	local name
	name=$(name_of "$@")
	run "$@"
	judge_success "$name"
}
judge_success() { # NAME
	if ((code != 0)); then
		fail "$1" "exit code $code instead of 0; stderr: $(excerpt "$err")"
	elif [[ -s $err ]]; then
		fail "$1" "stderr: $(excerpt "$err")"
	elif ! same_results "$method" result.xy "$inputs/$method.xy"; then
		fail "$1" "the result is not the CPU's"
	elif no_objects_left "$1"; then
		pass
	fi
	rm -f result.xy
}
# The run must go on without the device, whose failure it tells in one line of warning.
survives() { # REGEX COMMAND...
	local name regex=$1
	shift
	name=$(name_of "$@")
	run "$@"
	judge_survival "$name" "$regex"
}
# With a CPU, which may have done all the work before the device got any, no message is expected.
judge_survival() { # NAME REGEX
	if ((code != 0)); then
		fail "$1" "exit code $code instead of 0; stderr: $(excerpt "$err")"
	elif [[ -s $err || $1 != *cpu* ]] && ! one_line "^sonde: warning: .*$2"; then
		fail "$1" "stderr is not one line 'sonde: warning: ...' with '$2': $(excerpt "$err")"
	elif ! same_results "$method" result.xy "$inputs/$method.xy"; then
		fail "$1" "the result is not the CPU's"
	elif no_objects_left "$1"; then
		pass
	fi
	rm -f result.xy
}
# The run must end with 3 and one line, and leave nothing.
ends() { # REGEX COMMAND...
	local name regex=$1
	shift
	name=$(name_of "$@")
	run "$@"
	judge_end "$name" "$regex"
}
judge_end() { # NAME REGEX
	if ((code != 3)); then
		fail "$1" "exit code $code instead of 3; stderr: $(excerpt "$err")"
	elif ! one_line "^sonde debye: .*$2"; then
		fail "$1" "stderr is not one line 'sonde debye: ...' with '$2': $(excerpt "$err")"
	elif [[ -s $out || $(echo *) != '*' ]]; then
		fail "$1" "there is a file or a word on stdout: $(echo *) $(excerpt "$out")"
	elif no_objects_left "$1"; then
		pass
	fi
	rm -f result.xy*
}
# The first of each STRIDE numbers.
every() { # STRIDE NUMBER...
	local k
	for ((k = 2; k <= $#; k += $1)); do
		printf '%s ' "${!k}"
	done
}
# Runs with the fault after this many calls that succeed. HOW is survives or ends, and is judged where the fake says that
# the fault has set in, which of several devices may be spared; one alone is not, until `reached` calls.
reached=0
sweep() { # HOW REGEX STEPS PREFIX COMMAND...: PREFIX_AFTER=STEP is set
	local how=$1 regex=$2 steps=$3 prefix=$4 after name
	shift 4
	# all calls make for minutes; the second method makes the same ones
	if [[ $thorough == 0 ]]; then
		[[ $sanitized == 0 && ${method:-} != histogram ]] && steps=$(every 3 $steps) || steps=$(every 7 $steps)
	fi
	[[ $how != ends ]] || reached=-1
	for after in $steps; do
		name="$(name_of "$@"), after $after"
		run "$1" "${prefix}_AFTER=$after" "${@:2}"
		if [[ $(counted faults) == 0 ]]; then
			judge_success "$name"
			[[ $how != ends ]] || break
		elif [[ $how == ends ]]; then
			judge_end "$name" "$regex"
			reached=$after
		else
			judge_survival "$name" "$regex"
		fi
	done
	((reached >= 0)) || fail "$(name_of "$@")" "the fault never set in"
}
# Two lines name both devices, the last one as the error; nothing is left.
both_end() { # REGEX REGEX COMMAND...
	local name one=$1 other=$2 lines=()
	shift 2
	name=$(name_of "$@")
	run "$@"
	check "$name: exit code $code is 3" [ $code = 3 ]
	mapfile -t lines <"$err"
	check "$name: two lines: $(excerpt "$err")" [ ${#lines[@]} = 2 ]
	check "$name: the first is a warning: $(excerpt "$err")" matches "${lines[0]}" "^sonde: warning: .*($one|$other)"
	check "$name: the second is the error: $(excerpt "$err")" matches "${lines[1]}" "^sonde debye: .*($one|$other)"
	check "$name: names $one" has_line "$err" "$one"
	check "$name: names $other" has_line "$err" "$other"
	check "$name: nothing is left" [ "$(echo *)" = '*' ]
	rm -f result.xy*
}
matches() { [[ $1 =~ $2 ]]; } # TEXT REGEX
method=exact

# names of devices ---------------------------------------------------------------------------------
if part names; then
	named() { with cuda,nvrtc,opencl FAKE_CUDA_DEVICES=2 debye "$sample" --device "$1" -o x.xy; }
	fails 2 "there is no device 'cuda:2'" named cuda:2
	fails 2 "there is no device 'cuda:7'" named cuda:7
	fails 2 "there is no device 'cuda:9999'" named cuda:9999
	fails 2 "there is no device 'opencl:99'" named opencl:99
	fails 2 "there is no device 'cpu:1'" named cpu:1
	fails 2 "there is no device 'cuda:7'" named cuda:0,7
	fails 2 "there is no device 'cuda:7'" named cpu,cuda:7
	for name in cuda:x cuda:0x cuda: cuda:-1 cuda:10000 cuda:99999999999999999999 cuda:0.5 'cuda 0' nonsense cud CUDA:0 \
		gpus cuda:0:1 opencl:x cpu,nonsense all,cpu auto,cpu; do
		fails 2 "unknown device '${name##cpu,}'|unknown device '${name%%,*}'" named "$name"
	done
	for name in , cuda:0, ,cpu cpu,,cuda:0; do
		fails 2 'device: .* is not a valid device list' named "$name"
	done
	for name in cuda:0,0 cpu,cpu cuda:0,cpu,cuda:0 cuda,cuda:0; do
		fails 2 'is named twice' named $name
	done
	fails 2 'device' named "$(printf 'x%.0s' {1..600})"
	many=cpu
	for ((k = 0; k < 40; ++k)); do
		many+=,opencl:$k
	done
	fails 2 "there is no device 'opencl:1'|self-test" named $many
	# a number alone is another device of the kind before it; a kind alone is the first
	for name in cuda:0 cuda cuda:0,1 cuda:1,0 cuda:0,cuda:1 cpu cpu,cuda:1 cuda:1,cpu cuda:0,cpu,1; do
		[[ $name == *cpu,1 ]] && continue
		succeeds cuda FAKE_CUDA_DEVICES=2 debye "$sample" --device "$name"
	done
	fails 2 "there is no device 'cpu:1'" named cuda:0,cpu,1
	# in a job file
	printf 'sample: %s\ndevice: cuda:7\noutput: x.xy\ndebye:\n' "$sample" >"$inputs/job.yaml"
	in_job() { cuda debye "$inputs/job.yaml"; }
	fails 2 "there is no device 'cuda:7'" in_job
fi

# CUDA ---------------------------------------------------------------------------------------------
# A fault of all devices, which sets in always: alone, in lists, and chosen. $chosen says whether the program chooses
# such a device: no, opened (it notices later), shut (it notices when it opens the device).
cuda_fault() { # REGEX LIBRARIES(cuda, old_cuda) [NAME=VALUE...]
	local regex=$1 libraries=$2
	shift 2
	ends "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device cuda:0
	survives "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device cuda:0,cpu
	survives "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device cpu,cuda:0
	if [[ $chosen != no ]]; then
		survives "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device gpu
		# "all" is every GPU, or the CPU where none can be opened
		[[ $chosen == opened ]] && ends "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device all
		[[ $chosen == shut ]] && survives "cuda:0.*$regex" "$libraries" "$@" debye "$sample" --device all
	else
		succeeds "$libraries" "$@" debye "$sample"
		succeeds "$libraries" "$@" debye "$sample" --device all
	fi
	[[ $method == exact ]] || return 0
	"$libraries" "$@" devices >"$out" 2>"$err"
	check "devices, $*: exit code" [ $? = 0 ]
	[[ $chosen == shut ]] || check "devices, $*: nothing on stderr: $(excerpt "$err")" is_empty "$err"
	[[ $chosen != shut ]] || check "devices, $*: said" one_line "^sonde: warning: cuda:0.*$regex"
	if [[ $chosen == no ]]; then
		check "devices, $*: the reason" has_line "$out" "$regex"
		check "devices, $*: the CPU is chosen" has_line "$out" '^\* cpu'
	fi
}
# The device runs kernels from PTX and reports it; without PTX it is a fault.
without_compiler() { # REGEX NAME=VALUE
	if ! grep -q 'visible .entry histogram_ring' "$program"; then
		cuda_fault "$1.*, and this build of Sonde has no PTX" cuda "$2" XDG_CACHE_HOME="$scratch/empty"
		return
	fi
	succeeds cuda "$2" debye "$sample" --device cuda:0
	succeeds cuda "$2" debye "$sample" --device cuda:0 --kernel-cache off
	succeeds cuda "$2" debye "$sample"
	[[ $method == exact ]] || return 0
	ok "devices, $2" cuda "$2" devices
	check "devices, $2: says where kernels come from" has_line "$out" "kernels from PTX: ${1:0:60}"
}
if part cuda; then
	for method in exact histogram; do
		succeeds cuda FAKE_CUDA=oom debye "$sample" # so short a run stays on the CPU
		succeeds cuda FAKE_CUDA=oom debye "$sample" --device auto
		succeeds cuda debye "$sample" --device gpu
		succeeds cuda debye "$sample" --device cuda:0
		succeeds cuda debye "$sample" --device cuda:0 --launch-limit 0.0001
		succeeds cuda debye "$sample"
		succeeds cuda FAKE_CUDA_DEVICES=3 debye "$sample" --device all
		succeeds cuda FAKE_CUDA_DEVICES=3 debye "$sample" --device cuda:2,0,cpu
		chosen=no
		cuda_fault 'the driver finds no device' cuda FAKE_CUDA=nodevice
		cuda_fault "driver does not start: no CUDA-capable device is detected" cuda FAKE_CUDA=initfail
		cuda_fault 'libcuda\.so\.1 is too old: it has no cuLaunchKernelEx' old_cuda
		cuda_fault 'compute capability is below 7\.0' cuda FAKE_CUDA=old
		cuda_fault "compute mode is 'prohibited'" cuda FAKE_CUDA=prohibited
		chosen=shut
		cuda_fault 'context.*busy or unavailable.*46' cuda FAKE_CUDA=busy
		chosen=opened
		cuda_fault 'unsupported toolchain.*222' cuda FAKE_CUDA=imagefail
		cuda_fault 'self-test.*wrong' cuda FAKE_CUDA=ok
		cuda_fault 'out of memory' cuda FAKE_CUDA=oom
		cuda_fault 'illegal memory access.*700' cuda FAKE_CUDA=lost
		cuda_fault 'cannot compile kernel [a-z_]+: [a-z_]+\(12\): error: identifier "nonsense" is undefined' \
			cuda FAKE_NVRTC=error XDG_CACHE_HOME="$scratch/empty"
		# without a compiler that serves: PTX, where the build could make it
		without_compiler 'NVRTC 12\.8 cannot compile for compute capability 9\.0' FAKE_NVRTC=noarch
		without_compiler 'NVRTC 13\.8 is newer than the driver' FAKE_NVRTC=newer
		without_compiler 'SONDE_NVRTC=/nowhere is not a usable libnvrtc' SONDE_NVRTC=/nowhere
		cuda_fault 'made no machine code' cuda FAKE_NVRTC=empty XDG_CACHE_HOME="$scratch/empty"
		# at any time
		for fault in lost oom; do
			sweep ends cuda:0 "$(echo {0..100})" FAKE_CUDA cuda FAKE_CUDA=$fault debye "$sample" --device cuda:0
			steps=$(seq $((reached / 6)) $((reached / 5 + 1)) $reached)
			sweep survives cuda:0 "$steps" FAKE_CUDA cuda FAKE_CUDA=$fault debye "$sample" --device gpu
			sweep survives cuda:0 "$steps" FAKE_CUDA cuda FAKE_CUDA=$fault debye "$sample" --device cuda:0,cpu
			for k in 0 1; do
				for list in cuda:0,1 all cuda:1,cpu,cuda:0; do
					[[ $k$list == '1all' ]] && continue
					sweep survives cuda:$k "$steps" FAKE_CUDA cuda FAKE_CUDA=$fault FAKE_CUDA_DEVICES=2 \
						FAKE_CUDA_DEVICE=$k debye "$sample" --device $list
				done
			done
			both_end cuda:0 cuda:1 cuda FAKE_CUDA=$fault FAKE_CUDA_DEVICES=2 debye "$sample" --device cuda:0,1
			both_end cuda:0 cuda:1 cuda FAKE_CUDA=$fault FAKE_CUDA_DEVICES=2 debye "$sample" --device all
		done
	done
	method=exact
	# GPUs of a kind give the same bits, however many they are, and whichever fails
	ok "one GPU" cuda debye "$sample" --q $q --method exact --device cuda:0 -o "$inputs/one-gpu.xy" --quiet
	for settings in FAKE_CUDA=works 'FAKE_CUDA=lost FAKE_CUDA_AFTER=9' 'FAKE_CUDA=lost FAKE_CUDA_AFTER=12' 'FAKE_CUDA=oom'; do
		read -ra settings <<<"$settings FAKE_CUDA_DEVICES=3 FAKE_CUDA_DEVICE=1"
		cuda "${settings[@]}" debye "$sample" --q $q --method exact --device all -o x.xy --quiet >"$out" 2>"$err"
		check "three GPUs, ${settings[*]}: the bits of one" [ "$(body x.xy)" = "$(body "$inputs/one-gpu.xy")" ]
		rm -f x.xy
	done
	# GPUs of CUDA come first; OpenCL would give the same ones again
	succeeds with cuda,nvrtc,opencl debye "$sample"
	survives 'opencl:0.*self-test' with cuda,nvrtc,opencl FAKE_CUDA=nodevice debye "$sample" --device gpu
	# the summary for programs
	cuda FAKE_CUDA=lost debye "$sample" --device gpu --q $q --json -o x.xy >"$out" 2>"$err"
	check "--json: exit code" [ $? = 0 ]
	all_json=yes
	while IFS= read -r line; do
		is_json "$line" || all_json="$line"
	done <"$err"
	check "--json: stderr is JSON, not '$all_json'" [ "$all_json" = yes ]
	check "--json: names the device" has_line "$err" 'cuda:0'
	rm -f x.xy
fi

# OpenCL without a driver --------------------------------------------------------------------------
if part opencl; then
	counts=opencl
	for method in exact histogram; do
		for case in 'noplatform:0:no:no OpenCL platform is installed' 'nof64:0:no:it has no float64 arithmetic' \
			'nocompiler:0:no:its driver has no compiler' 'offline:0:no:not available' \
			'small:0:no:it has too little local memory' 'ok:0:opened:self-test.*wrong' \
			'nocontext:0:shut:a context on the device: out of resources .OpenCL error -5' \
			"buildfail:0:opened:kernel [a-z_]+ cannot be compiled: kernel\\.cl:12:5: error: use of undeclared identifier" \
			'broken:0:other:platform is broken or has no device' 'broken:1:opened:self-test.*wrong' \
			'empty:0:other:platform is broken or has no device' 'empty:1:opened:self-test.*wrong'; do
			IFS=: read -r fault k chosen regex <<<"$case"
			ends "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device opencl:$k
			survives "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device opencl:$k,cpu
			survives "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device cpu,opencl:$k
			case $chosen in
			opened)
				survives "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device gpu
				ends "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device all
				;;
			shut)
				survives "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device gpu
				survives "opencl:$k.*$regex" opencl FAKE_OPENCL=$fault debye "$sample" --device all
				;;
			no)
				succeeds opencl FAKE_OPENCL=$fault debye "$sample"
				succeeds opencl FAKE_OPENCL=$fault debye "$sample" --device all
				;;
			esac
			if [[ $method == exact && $chosen == no ]]; then
				ok "devices, $fault" opencl FAKE_OPENCL=$fault devices
				check "devices, $fault: the reason" has_line "$out" "$regex"
			fi
		done
	done
	method=exact
	# files that are not libraries
	mkdir "$inputs/broken"
	for name in libcuda.so.1 libcuda.so libOpenCL.so.1 libOpenCL.so libnvrtc.so; do
		echo 'no library' >"$inputs/broken/$name"
	done
	with_broken() { LD_LIBRARY_PATH=$inputs/broken sonde "$@"; }
	ok "files that are not libraries: devices" with_broken devices
	check "files that are not libraries: CUDA" has_line "$out" 'libcuda\.so\.1 is not installed'
	check "files that are not libraries: OpenCL" has_line "$out" 'libOpenCL\.so\.1 is not installed'
	succeeds with_broken debye "$sample"
	ends 'cuda:0 cannot be used: libcuda\.so\.1' with_broken debye "$sample" --device cuda:0
	ends 'opencl:0 cannot be used: libOpenCL\.so\.1' with_broken debye "$sample" --device opencl:0
	counts=cuda
fi

# OpenCL with a driver that fails ------------------------------------------------------------------
has_pocl=no
if part pocl || part cache || part memory; then
	if find_pocl; then
		has_pocl=yes
	else
		skip "OpenCL with a driver" "PoCL is not installed"
	fi
fi
if part pocl && [[ $has_pocl == yes ]]; then
	counts=opencl
	two='POCL_DEVICES=pthread pthread'
	pocl "$two" devices >"$out" 2>"$err"
	has_two=no
	has_line "$out" 'opencl:1 +.*(pthread|cpu)' && has_two=yes
	[[ $has_two == yes ]] || skip "two OpenCL devices" "PoCL gives only one"
	for method in exact histogram; do
		succeeds pocl debye "$sample" --device opencl:0
		succeeds pocl debye "$sample" --device opencl:0 --launch-limit 0.001
		succeeds pocl debye "$sample" --device opencl:0,cpu
		succeeds pocl FAKE_OPENCL_GPU=1 debye "$sample" --device gpu
		succeeds pocl debye "$sample" # PoCL is the processor: never chosen
		# the fault, after how many calls, and what is said
		for case in 'launch:0 1 2 3 4 5 6 7 8 10 13 17 22 30 50:out of resources .*-5' \
			'buffer:0 4 9 14 20 23 26 29 33 40 60:out of device memory .*-4' \
			'read:0 1 2 3 4 6 9 14 20 40:out of resources .*-5' 'wait:0 1 2 4 40:-5' \
			'write:0 6 12 18 24 30 50:-5' 'fill:0 10 20 30 60:-5' 'kernel:0 3 40:-6' 'build:0 2 40:-11' \
			'context:0 1:-5' 'queue:0 1:-6' 'wrong:0:self-test'; do
			IFS=: read -r fault steps regex <<<"$case"
			[[ $method == exact && $fault == wait ]] && continue # nothing waits there
			# the same calls as before
			[[ $thorough == 0 && $method == histogram && ! $fault =~ ^(launch|buffer|wait|wrong)$ ]] && continue
			sweep ends "opencl:0.*$regex" "$steps" FAKE_OPENCL pocl FAKE_OPENCL_FAULT=$fault debye "$sample" \
				--device opencl:0
			late=$reached
			sweep survives "opencl:0.*$regex" "0 $late" FAKE_OPENCL pocl FAKE_OPENCL_FAULT=$fault debye "$sample" \
				--device opencl:0,cpu
			sweep survives "opencl:0.*$regex" "$((late / 2)) $late" FAKE_OPENCL pocl FAKE_OPENCL_FAULT=$fault \
				FAKE_OPENCL_GPU=1 debye "$sample" --device gpu
			[[ $has_two == yes ]] || continue
			# either of two fails: in turn, unless all cases are wanted
			turn=$((1 - ${turn:-1}))
			for k in 0 1; do
				[[ $thorough == 0 && $k != $turn && $fault != launch ]] && continue
				sweep survives "opencl:$k.*$regex" $((late * 3 / 4)) FAKE_OPENCL pocl "$two" \
					FAKE_OPENCL_FAULT=$fault FAKE_OPENCL_DEVICE=$k debye "$sample" --device opencl:0,1
			done
			sweep survives "opencl:1.*$regex" $((late / 2)) FAKE_OPENCL pocl "$two" FAKE_OPENCL_FAULT=$fault \
				FAKE_OPENCL_DEVICE=1 FAKE_OPENCL_GPU=1 debye "$sample" --device all
		done
	done
	# turned samples: either of two GPUs fails, before or among the pictures, and the other one gives the same numbers
	turned=(pattern "$sample" --detector 40,40 --distance 50 --pixel-size 1 --wavelength 1 --orientations random:9
		--method fast --tolerance 1e-3 --force --quiet)
	pocl "${turned[@]}" --device emulated -o expected.csv >"$out" 2>"$err" || fail "turned sample" "$(<"$err")"
	for case in launch:{20,50,60,70,80} read:{3,12,15} buffer:{12,85,105}; do
		turn=$((1 - turn))
		for devices in opencl:0,emulated emulated,opencl:0; do
			# either order, in turn, unless all cases are wanted
			[[ $thorough == 0 && $turn == 0 && $devices == opencl* ]] && continue
			[[ $thorough == 0 && $turn == 1 && $devices == emulated* ]] && continue
			rm -f result.csv
			pocl FAKE_OPENCL_FAULT="${case%:*}" FAKE_OPENCL_AFTER="${case#*:}" "${turned[@]}" --device $devices \
				-o result.csv >"$out" 2>"$err" || fail "turned sample, $case, $devices" "$(<"$err")"
			cmp -s <(body expected.csv) <(body result.csv) ||
				fail "turned sample, $case, $devices" "other numbers; $(<"$err")"
			[[ $(grep -c . "$err") -le 1 ]] && ! grep -qv 'warning: opencl:0' "$err" ||
				fail "turned sample, $case, $devices" "messages: $(<"$err")"
		done
	done
	counts=cuda
fi

# the cache of kernels -----------------------------------------------------------------------------
# Files and folders of a folder, not of those in it.
entries() { # FOLDER
	local names
	shopt -s nullglob dotglob
	names=("$1"/*)
	shopt -u nullglob dotglob
	printf '%s\n' "${names[@]##*/}"
}
only_kernels() { # FOLDER: some, and nothing else
	local name
	[[ -n $(entries "$1") ]] || return 1
	while IFS= read -r name; do
		[[ $name =~ ^[0-9a-f]{64}\.kernel$ ]] || return 1
	done < <(entries "$1")
}
# Damages a file: bytes FROM to FROM + 15 become others.
damage() { # FILE FROM
	local bytes=()
	bytes=$(tail -c +$(($2 + 1)) "$1" | head -c 16 | od -An -v -tx1 | tr '0123456789abcdef' '123456789abcdef0')
	read -r -d '' -a bytes <<<"$bytes"
	printf '%b' "${bytes[@]/#/\\x}" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
# DEVICE with COMMAND..., where NOTHING_NEW makes everything fail that is compiled anew.
test_cache() { # DEVICE NOTHING_NEW COMMAND [NAME=VALUE...]
	local device=$1 nothing_new=$2 folder=$scratch/kernels key file from size
	# the files are read by the same code for all back ends: the second one meets fewer kinds of damage, unless all are wanted
	local few=$((thorough == 0 && ${caches_tested:-0} > 0))
	caches_tested=$((${caches_tested:-0} + 1))
	local use=("${@:3}")
	cached() { "${use[@]}" debye "$sample" --device "$device" --kernel-cache "$folder" "$@"; }
	cached_only() { "${use[@]}" "$nothing_new" debye "$sample" --device "$device" --kernel-cache "$folder" "$@"; }

	# off
	rm -rf "$cache"
	succeeds "${use[@]}" debye "$sample" --device "$device" --kernel-cache off
	check "$device: off: no folder is made" [ ! -e "$cache" ]
	check "$device: off: nor one of that name" [ ! -e off ]
	# the usual folder
	succeeds "${use[@]}" debye "$sample" --device "$device"
	check "$device: the usual folder" only_kernels "$cache/sonde"
	check "$device: the usual folder is the owner's alone" [ "$(stat -c %a "$cache/sonde")" = 700 ]
	succeeds "${use[@]}" "$nothing_new" debye "$sample" --device "$device"
	ends "$device" "${use[@]}" "$nothing_new" debye "$sample" --device "$device" --kernel-cache off
	# a folder
	rm -rf "$folder"
	succeeds cached
	check "$device: a folder: kernels are kept" only_kernels "$folder"
	succeeds cached_only
	rm -rf "$cache"
	folder=$scratch/a/b/c
	succeeds cached
	check "$device: folders above are made" only_kernels "$folder"
	check "$device: the usual folder is not used besides" [ ! -e "$cache" ]
	folder=$scratch/kernels
	# damaged files are made again
	rm -rf "$scratch/whole"
	cp -r "$folder" "$scratch/whole"
	key=$(entries "$folder" | head -n 1)
	file=$folder/$key
	size=$(stat -c %s "$file")
	local places=$((thorough ? 24 : few ? 4 : 9))
	local step=$((size / places > 16 ? size / places : 16))
	for ((from = 0; from < size - 16; from += step)); do
		damage "$file" $from
		check "$device: damaged at $from" differs "$file" "$scratch/whole/$key"
		((from / step % 4 == 0)) && ends "$device" cached_only
		succeeds cached
	done
	succeeds cached_only
	for from in $((few ? 64 : 0)) $( ((few)) || echo 1 63 64 65 $((size / 2))) $((size - 1)); do
		head -c $from "$scratch/whole/$key" >"$file"
		succeeds cached
	done
	printf 'more' >>"$file"
	succeeds cached
	# garbage with the right checksum: the driver will not have it
	for key in $(entries "$folder"); do
		printf 'garbage' >"$inputs/garbage"
		printf '%s%s' "$(printf '%s' "${key%.kernel}garbage" | sha256sum | cut -c 1-64)" garbage >"$folder/$key"
	done
	succeeds cached
	succeeds cached_only
	# another kernel's file
	for key in $(entries "$folder"); do
		cp "$scratch/whole/$(entries "$scratch/whole" | tail -n 1)" "$folder/$key"
	done
	succeeds cached
	# a folder where a file should be
	for key in $(entries "$folder"); do
		rm "$folder/$key"
		mkdir "$folder/$key"
	done
	succeeds cached
	rm -rf "$folder"
	# folders that are not to be used
	for mode in 777 $( ((few)) || echo 770 1777); do
		mkdir "$folder"
		cp "$scratch/whole/"* "$folder/"
		chmod $mode "$folder"
		ends "$device" cached_only # what is there is not trusted
		succeeds cached
		check "$device: folder of mode $mode: as it was" same_folders "$folder" "$scratch/whole"
		rm -rf "$folder"
		mkdir -m $mode "$folder"
		chmod $mode "$folder"
		succeeds cached
		check "$device: folder of mode $mode: nothing is kept" [ -z "$(entries "$folder")" ]
		rm -rf "$folder"
	done
	: >"$folder"
	succeeds cached
	check "$device: a file in the folder's place: as it was" is_empty "$folder"
	rm "$folder"
	folder=/proc/sonde-kernels
	succeeds cached
	folder=$scratch/kernels
	# folders that cannot be written: what is there is used, what is not there is not kept
	if read_only_works; then
		mkdir "$folder"
		launcher=(unshare "${namespace[@]}" "$BASH" -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' "$folder")
		succeeds cached
		check "$device: read-only: nothing is kept" [ -z "$(entries "$folder")" ]
		launcher=()
		cp "$scratch/whole/"* "$folder/"
		launcher=(unshare "${namespace[@]}" "$BASH" -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' "$folder")
		succeeds cached_only
		launcher=()
		rm -rf "$folder"
	else
		skip "$device: a read-only folder" "no mount can be made here"
	fi
	if ((EUID != 0)); then
		mkdir -m 500 "$folder"
		succeeds cached
		check "$device: folder of mode 500: nothing is kept" [ -z "$(entries "$folder")" ]
		rmdir "$folder"
	fi
	# many at once
	local k processes=() wrong=0
	for ((k = 0; k < 8; ++k)); do
		"${use[@]}" debye "$sample" --device "$device" --kernel-cache "$folder" --q $q --method exact \
			>"$inputs/out.$k" 2>"$inputs/err.$k" </dev/null &
		processes+=($!)
	done
	for ((k = 0; k < 8; ++k)); do
		wait "${processes[k]}" || wrong=$((wrong + 1))
		[[ ! -s $inputs/err.$k ]] && same_results exact "$inputs/out.$k" "$inputs/exact.xy" || wrong=$((wrong + 1))
	done
	check "$device: eight at once: $wrong things wrong" [ $wrong = 0 ]
	check "$device: eight at once: only kernels are left" only_kernels "$folder"
	succeeds cached_only
	rm -rf "$folder" "$scratch/whole" "$scratch/a"
}
differs() { [[ $(cksum <"$1") != "$(cksum <"$2")" ]]; }
same_folders() { [[ $(cd "$1" && snapshot) == "$(cd "$2" && snapshot)" ]]; }
namespace=()
read_only_works() {
	local way
	[[ ${#namespace[@]} -gt 0 ]] && return 0
	for way in '-m' '-r -m'; do
		read -ra namespace <<<"$way"
		unshare "${namespace[@]}" "$BASH" -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"' "$inputs" \
			2>/dev/null && return 0
	done
	namespace=()
	return 1
}
if part cache; then
	method=exact
	test_cache cuda:0 FAKE_NVRTC=error cuda
	if [[ $has_pocl == yes ]]; then
		counts=opencl
		export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable # much is compiled again here: it takes half as long
		# under another name, since PoCL has a cache of its own, which is used instead
		test_cache opencl:0 FAKE_OPENCL_FAULT=source pocl FAKE_OPENCL_PLATFORM=another
		rm -rf "$cache"
		succeeds pocl debye "$sample" --device opencl:0
		check "PoCL: no kernels are kept besides" [ -z "$(entries "$cache/sonde")" ]
		unset POCL_EXTRA_BUILD_FLAGS
		counts=cuda
	fi
fi

# memory -------------------------------------------------------------------------------------------
# With less and less of it, a run gives the same result or ends in one line.
less_and_less() { # REGEX COMMAND...
	local regex=$1 size refused=0 done=0 name
	shift
	for size in 256M $( ((thorough)) && echo 64M) 40M $( ((thorough)) && echo 16M) 8M $( ((thorough)) && echo 4M) 1M 100000 1; do
		run "$@" --memory $size
		name="$(name_of "$@"), $size"
		if ((code == 0)); then
			judge_success "$name"
			((refused == 0)) || fail "$name" "less memory was refused, this is not"
			done=$((done + 1))
			continue
		fi
		refused=$((refused + 1))
		check "$name: exit code $code" [ $code = 2 -o $code = 3 ]
		check "$name: said: $(excerpt "$err")" one_line "$regex"
		check "$name: nothing is left" [ "$(echo *)" = '*' ]
	done
	check "$(name_of "$@"): some is enough ($done)" [ $done -gt 0 ]
	check "$(name_of "$@"): some is not ($refused)" [ $refused -gt 0 ]
}
if part memory; then
	small=$sample
	sample=$inputs/block.xyz
	sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 6,6,6 -o "$sample" --quiet
	cp "$inputs/exact.xy" "$inputs/exact.small"
	q=0.5:20:50
	for method in exact histogram; do
		ok "1728 atoms, $method" sonde debye "$sample" --q $q --device cpu --method $method -o "$inputs/$method.xy" --quiet --force
	done
	for method in exact histogram; do
		less_and_less 'not enough memory' sonde debye "$sample" --device cpu
	done
	method=histogram
	less_and_less 'not enough memory|do not fit into its memory' cuda debye "$sample" --device cuda:0
	if [[ $has_pocl == yes ]]; then
		counts=opencl
		less_and_less 'not enough memory|do not fit into its memory' pocl debye "$sample" --device opencl:0
		counts=cuda
	fi
	# memory that the device has, not the user's word
	for bytes in 100000000 50000000 10000000 1000000; do
		run cuda FAKE_CUDA_MEMORY=$bytes debye "$sample" --device cuda:0
		name="a GPU of $bytes bytes"
		if ((code == 0)); then
			judge_success "$name"
		else
			judge_end "$name" 'cuda:0'
		fi
		survives_or_succeeds=succeeds
		((code == 0)) || survives_or_succeeds='survives cuda:0'
		$survives_or_succeeds cuda FAKE_CUDA_MEMORY=$bytes debye "$sample" --device gpu
	done
	sample=$small
fi
finish
