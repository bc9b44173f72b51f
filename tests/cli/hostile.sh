# no_hostile NAME PROGRAM LIBRARY: runs PROGRAM in a folder where LIBRARY (of tests/fakes in the build folder) lies under the name of every
# library that the program links or opens; none of them may be loaded.
no_hostile() {
	local name=$1 victim=$2 library=$3 mark=$scratch/mark copy place value
	local small="debye Au2.xyz --q 1:2:2 -o a.xy --force --kernel-cache off" fakes
	fakes=$(dirname "$(dirname "$library")")
	local folder=$scratch/hostile-${name//[^a-z]/-}
	local linked opened
	if [[ ! -f $library ]]; then
		fail "$name" "no library '$library' to play the hostile one"
		return
	fi
	linked=$(ldd "$victim" | sed -nE 's/^\s*(\S*\/)?([^/ ]+\.so[.0-9]*) .*/\2/p' | sort -u)
	check "$name: knows what the program links" [ "$(wc -w <<<"$linked")" -ge 2 ]
	# the other names that are written in the program are those that it opens
	opened=$(
		grep -aoE 'lib[A-Za-z0-9_+-]+\.so[.0-9]*' "$victim" | sort -u | grep -vxF "$linked"
		echo libnvrtc-builtins.so.12.0
	)
	check "$name: knows what the program opens" [ "$(grep -cE 'libcuda\.|libnvrtc\.|libOpenCL\.' <<<"$opened")" -ge 3 ]
	lay() { # FOLDER NAME...
		local folder=$1
		shift
		for place in . tls tls/x86_64 x86_64 glibc-hwcaps/x86-64-v2 glibc-hwcaps/x86-64-v3 lib lib64; do
			mkdir -p "$folder/$place"
			for copy; do
				cp "$library" "$folder/$place/$copy"
			done
		done
	}

	# Linked ones: where the loader would take them from. They are not run, for without the right functions in them it
	# would stop before their first instruction.
	lay "$folder/linked" $linked
	(cd "$folder/linked" && LD_TRACE_LOADED_OBJECTS=1 "$victim") >"$out" 2>"$err"
	check "$name: links nothing of the current folder: $(grep -m3 -e '=> [^/]' -e "$folder" "$out" | tr -s '\n\t ' ' ')" \
		[ -s "$out" -a -z "$(grep -e '=> [^/]' -e "$folder" "$out")" ]

	# Opened ones: the library tells.
	lay "$folder/opened" $opened
	cd "$folder/opened" || exit 1
	cp "$data/Au2.xyz" .
	rm -f "$mark"
	HOSTILE_MARK=$mark LD_PRELOAD=./libcuda.so.1 /bin/true
	check "$name: the hostile library can be loaded" grep -q libcuda "$mark"
	rm -f "$mark"
	(
		export HOSTILE_MARK=$mark
		timeout 60 "$victim" --version
		timeout 60 "$victim" devices
		# NVIDIA's compiler is looked for once there is a driver
		export LD_LIBRARY_PATH=$fakes/cuda
		for value in . '' lib; do
			CUDA_HOME=$value CUDA_PATH=$value CONDA_PREFIX=$value timeout 60 "$victim" $small --device cuda:0
		done
		for value in ./libnvrtc.so lib/libnvrtc.so . lib; do
			SONDE_NVRTC=$value timeout 60 "$victim" $small --device cuda:0
		done
		PATH=:$PATH timeout 60 "$victim" $small --plot a.png
		PATH=.:$PATH timeout 60 "$victim" $small --plot b.png
	) >"$out" 2>"$err"
	if [[ -e $mark ]]; then
		fail "$name" "loaded or run from the current folder: $(sort -u "$mark" | tr '\n' ' ')"
	else
		pass
	fi
	cd "$scratch/work" || exit 1
}
