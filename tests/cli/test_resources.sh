# Full disks, limits on files and memory, closed outputs: exit code 3, one line, and no file is left.
# Full disks are small tmpfs in a mount namespace of our own, where the system lets us make one.
if [[ -z ${SONDE_TEST_NAMESPACE:-} ]]; then
	for way in '-m' '-r -m'; do
		if unshare $way true 2>/dev/null; then
			SONDE_TEST_NAMESPACE=yes exec unshare $way "$BASH" "${BASH_SOURCE[0]}" "$@"
		fi
	done
fi
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
umask 022

c60=$data/C60.xyz
ball=(--cell fcc --species Au --a 4 --sphere 40) # 16757 atoms, 380 kB
work=$PWD

# full disks -------------------------------------------------------------------------------------
mounted=
at_end() {
	cd /
	[[ -z $mounted ]] || umount "$mounted"
}
# Mounts an empty tmpfs and goes there.
small_disk() { # OPTIONS
	cd "$work" && mkdir -p "$scratch/disk" && mount -t tmpfs -o "$1" sonde-test "$scratch/disk" 2>/dev/null &&
		mounted=$scratch/disk && cd "$mounted"
}
no_disk() {
	cd "$work" && { [[ -z $mounted ]] || umount "$mounted"; }
	mounted=
}
# Fills the disk except for KB.
fill_disk() { # KB
	head -c $(($1 * 1024)) /dev/zero >spare
	cat /dev/zero >filler 2>/dev/null
	rm spare
}
cannot='cannot be written: (No space left on device|File too large); no file was left'
unchanged='cannot be written: No space left on device; the earlier file is unchanged'

# Every kind of output that is larger than SIZE kB, each with little room. A volume whose size is known is refused before the work.
few=(--device cpu --threads 1 --quiet)
cat >"$inputs/light.yaml" <<'END'
fdtd:
  size: [600 nm, 600 nm, 600 nm]
  cell: 30 nm
  time: 12 fs
  boundaries: [{cells: 5}]
  sources: [{kind: dipole, polarization: [0, 0, 1], frequency: 400 THz, bandwidth: 400 THz}]
  monitors:
    - {name: s, kind: snapshot, size: [600 nm, 600 nm, 0], every: 1 fs}
    - {name: p, kind: point, center: [100 nm, 0, 0], every: 0.06 fs}
END
every_output() { # KB
	local kind
	for kind in xyz extxyz xyz.gz pdb cif cif.gz lmp data vasp h5; do
		fails 3 "x\\.$kind: $cannot" sonde build "${ball[@]}" -o x.$kind
	done
	for kind in h5 hdf5 nxs xy dat txt csv; do
		fails 3 "x\\.$kind: $cannot" sonde debye "$c60" --q 1:5:4000 -o x.$kind "${few[@]}"
	done
	for kind in dx dx.gz cube cube.gz cub mrc map ccp4 vtk h5 hdf5 nxs xy dat txt csv; do
		fails '[23]' "x\\.$kind: ($cannot|[0-9]+ points need .* the disk has .* left)" sonde coulomb "$c60" --charges C=1 --size 24 --spacing 1 \
			--method direct -o x.$kind "${few[@]}"
		fails 3 "x\\.$kind: $cannot" sonde convert "$inputs/phi.dx" x.$kind
	done
	for kind in h5 csv; do
		fails 3 "x\\.$kind: $cannot" sonde ions --ion He --energy 20keV --target Si -n 20 --bins 2000 -o x.$kind "${few[@]}"
		fails 3 "x\\.$kind: $cannot" sonde fdtd "$inputs/light.yaml" -o x.$kind "${few[@]}"
	done
	fails 3 "x\\.csv: $cannot" sonde stopping --ion He --target Si --energies 1keV:10MeV:2000 -o x.csv
	# folders of files: all or none
	fails 3 "srim/[A-Z0-9]+\\.txt: $cannot" sonde ions --ion He --energy 20keV --target Si -n 20 --bins 2000 --srim srim "${few[@]}"
	fails 3 "frames/s-Ez-[0-9]+\\.png: $cannot" sonde fdtd "$inputs/light.yaml" --frames frames "${few[@]}"
	fails 3 "vtk/s-[0-9]+\\.vtk: $cannot" sonde fdtd "$inputs/light.yaml" --vtk vtk "${few[@]}"
	fails 3 "x\\.png: $cannot" sonde debye "$c60" --plot x.png
	fails 3 "x\\.png: $cannot" sonde coulomb "$c60" --charges C=1 --plot x.png "${few[@]}"
	fails 3 "x\\.png: $cannot" sonde ions --ion He --energy 20keV --target Si -n 20 --plot x.png "${few[@]}"
	fails 3 "x\\.png: $cannot" sonde fdtd "$inputs/light.yaml" --plot x.png "${few[@]}"
	fails 3 "x\\.png: $cannot" sonde fdtd "$inputs/light.yaml" --plan --plot x.png "${few[@]}"
}
sonde coulomb "$c60" --charges C=1 --size 24 --spacing 1 --method direct --quiet -o "$inputs/phi.dx"

if [[ -n ${SONDE_TEST_NAMESPACE:-} ]] && small_disk size=256k; then
	fill_disk 4
	every_output
	# a folder that is there keeps what it has
	mkdir vtk
	echo kept >vtk/mine
	fails 3 "vtk/s-[0-9]+\\.vtk: $cannot" sonde fdtd "$inputs/light.yaml" --vtk vtk "${few[@]}"
	rm -r vtk
	for free in 0 8 32; do
		rm -f filler
		fill_disk $free
		fails 3 "x\\.h5: $cannot" sonde debye "$c60" -o x.h5
		fails 3 "x\\.xy: $cannot" sonde debye "$c60" -o x.xy
		fails 3 "x\\.csv: $cannot" sonde debye "$c60" -o x.csv
		fails 3 "x\\.xyz: $cannot" sonde build "${ball[@]}" -o x.xyz
		fails 3 "x\\.xyz\\.gz: $cannot" sonde build "${ball[@]}" -o x.xyz.gz
		fails 3 "x\\.png: $cannot" sonde debye "$c60" --plot x.png
		fails 3 "x\\.h5: $cannot" sonde debye "$c60" -o x.h5 --plot x.png
	done
	rm -f filler
	head -c 2000 /dev/urandom >old.h5
	cp old.h5 old.xyz
	fill_disk 8
	fails 3 "old\\.h5: $unchanged" sonde debye "$c60" -o old.h5 --force
	fails 3 "old\\.xyz: $unchanged" sonde build "${ball[@]}" -o old.xyz --force
	rm -f filler
	ok "with room again: HDF5" sonde debye "$c60" -o old.h5 --force --quiet
	check "with room again: is HDF5" is_hdf5 old.h5
	fill_disk 0
	sonde info "$mounted/old.h5" >"$out" 2>"$err"
	check "info on a full disk" [ $? -eq 0 ]
	no_disk

	small_disk size=1m,nr_inodes=3
	: >first
	: >second
	fails 3 "x\\.h5: $cannot" sonde debye "$c60" -o x.h5
	fails 3 "x\\.xyz\\.gz: $cannot" sonde build "${ball[@]}" -o x.xyz.gz
	no_disk

	small_disk size=1m,ro
	fails 2 "x\\.h5: the folder '\\.' cannot be written: Read-only file system" sonde debye nowhere.xyz -o x.h5
	fails 2 "x\\.xyz: the folder '\\.' cannot be written: Read-only file system" sonde build "${ball[@]}" -o x.xyz
	no_disk
else
	no_disk
	skip "full disks" "a tmpfs cannot be mounted here (needs root, or user namespaces)"
fi
if ((EUID != 0)); then
	mkdir locked
	chmod 555 locked
	fails 2 "locked/x\\.h5: the folder 'locked' cannot be written: Permission denied" sonde debye "$c60" -o locked/x.h5
	rmdir locked
	cp "$c60" "$inputs/secret.xyz"
	chmod 000 "$inputs/secret.xyz"
	fails 2 'secret\.xyz: cannot be read: Permission denied' sonde debye "$inputs/secret.xyz" -o x.h5
fi

# a limit on the size of files -------------------------------------------------------------------
# HDF5 1.10 keeps what belongs to a file whose writing failed
[[ $sanitized == 0 ]] || echo 'leak:libhdf5' >>"$scratch/suppressions"
limited() { # KB COMMAND...
	(
		ulimit -f "$1" || exit 99
		shift
		"$@"
	)
}
limited_outputs() {
	sonde() { limited 4 timeout -k 5 100 "$program" "$@"; }
	every_output
	sonde() { timeout -k 5 100 "$program" "$@"; }
}
limited_outputs
for size in 4 16; do
	fails 3 "x\\.h5: $cannot" limited $size sonde debye "$c60" -o x.h5
	fails 3 "x\\.xy: $cannot" limited $size sonde debye "$c60" -o x.xy
	fails 3 "x\\.csv: $cannot" limited $size sonde debye "$c60" -o x.csv
	fails 3 "x\\.xyz: $cannot" limited $size sonde build "${ball[@]}" -o x.xyz
	fails 3 "x\\.xyz\\.gz: $cannot" limited $size sonde build "${ball[@]}" -o x.xyz.gz
	fails 3 "x\\.png: $cannot" limited $size sonde debye "$c60" --plot x.png
	limited $size sonde debye "$c60" --q 1:2:2 -o x.xy --plot x.png >"$out" 2>"$err"
	check "table fits, picture does not ($size kB): exit code" [ $? -eq 3 ]
	check "table fits, picture does not ($size kB): said" one_line "x\\.xy is written, but: x\\.png: $cannot"
	check "table fits, picture does not ($size kB): the table is whole" [ "$(rows x.xy)" = 2 ]
	check "table fits, picture does not ($size kB): no picture, no leftovers" [ "$(echo *)" = x.xy ]
	rm -f x.*
done

# stdout -----------------------------------------------------------------------------------------
to_full() { "$@" >/dev/full; }
to_closed() { "$@" >&-; }
unwritable='the standard output cannot be written$'
# a reader that leaves early stops the run, and nothing is left of what it had begun to write but a checkpoint, if it had results
"$program" coulomb "$data/C60.xyz" --charges C=1 --size 400 --spacing 0.1 --json --method direct -o gone.h5 2>&1 | head -1 >/dev/null
check "a reader that left: nothing remains" [ -z "$(find . -name 'gone*' ! -name '*.checkpoint')" ]
rm -f gone.h5.checkpoint
for where in to_full to_closed; do
	[[ $where == to_closed || -c /dev/full ]] || continue
	fails 3 "$unwritable" $where "$program" debye "$c60"
	fails 3 "$unwritable" $where "$program" debye "$c60" --q 1:2:2
	fails 3 "$unwritable" $where "$program" info "$c60"
	fails 3 "$unwritable" $where "$program" help
	fails 3 "$unwritable" $where "$program" help --completion
	fails 3 "$unwritable" $where "$program" help --man debye
	fails 3 "$unwritable" $where "$program" --version
	fails 3 "$unwritable" $where "$program" devices
	# the result is whole; only its summary could not be said
	for name in x.h5 x.xy; do
		$where "$program" debye "$c60" -o $name 2>"$err" </dev/null
		check "$where -o $name: exit code 0 or 3" [ $? = 3 -o $? = 0 ]
		check "$where -o $name: at most one line" [ "$(wc -l <"$err")" -le 1 ]
	done
	$where "$program" build --cell fcc --species Au --a 4 --sphere 4 -o x.xyz 2>"$err" </dev/null
	check "$where: the HDF5 file is whole" is_hdf5 x.h5
	check "$where: the table is whole" [ "$(rows x.xy)" = 996 ]
	check "$where: the sample is whole" [ "$(wc -l <x.xyz)" = 21 ]
	rm -f x.*
	ok "$where --quiet -o: nothing to say, all is well" $where "$program" debye "$c60" --quiet -o x.xy
	rm -f x.xy
done
# No standard streams at all: results must not get what was meant for them.
"$program" debye "$c60" -o x.xy --json <&- >&- 2>&-
check "all streams closed: only the table is in the file" [ "$(rows x.xy)" = 996 ]
check "all streams closed: no JSON in the table" lacks x.xy '{"command"'
rm -f x.xy
"$program" debye "$c60" -o x.h5 <&- >&- 2>&-
ok "all streams closed: HDF5" sonde info x.h5
rm -f x.h5
sonde debye "$c60" 2>"$err" | head -n 1 >"$out"
check "a reader that stops early: no complaint" is_empty "$err"

# memory -----------------------------------------------------------------------------------------
# 10^6 atoms: read and built below 200 MB.
built() { sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 50,50,50 -o "$1" --quiet; }
if [[ $sanitized == 1 ]]; then
	built "$inputs/million.xyz"
	skip "limits of address space" "the program is built with sanitizers"
else
	with_memory() { # KB COMMAND...
		(
			ulimit -v "$1" || exit 99
			shift
			"$@"
		)
	}
	ok "10^6 atoms: built below 200 MB" with_memory 200000 built "$inputs/million.xyz"
	ok "10^6 atoms: read below 200 MB" with_memory 200000 "$program" info "$inputs/million.xyz"
	check "10^6 atoms: all of them" has_line "$out" '^atoms +1000000$'
	# With less and less memory it ends in one line with 2 (said before the work) or 3, or does the work. Below what
	# the libraries and the threads need it cannot start (127).
	for kilobytes in 80000 60000 55000; do
		for action in info 'debye -o x.h5 --method histogram --q 1:2:2' \
			'build --cell sc --species Au --a 3 --supercell 100,100,100 --quiet -o x.xyz'; do
			file=$inputs/million.xyz
			[[ $action == build* ]] && file=
			with_memory $kilobytes "$program" $action $file >"$out" 2>"$err" </dev/null
			code=$?
			((code == 127)) && continue
			sed -i '/^sonde: warning: threads that the system refused/d' "$err" # the run continues without them
			check "$kilobytes kB, $action: exit code $code" [ $code = 0 -o $code = 2 -o $code = 3 ]
			((code == 0)) || check "$kilobytes kB, $action: $(excerpt "$err")" one_line 'not enough memory'
			((code == 0)) || check "$kilobytes kB, $action: nothing is left" [ "$(echo *)" = '*' ]
			rm -f x.*
		done
	done
fi
check "10^6 atoms: the file" [ "$(head -n 1 "$inputs/million.xyz")" = 1000000 ]

# The histogram of 10^6 atoms: --memory 200M passes the plan, and when the counting has begun the process has taken
# no more. (The counting itself takes minutes.)
"$program" debye "$inputs/million.xyz" --method histogram --memory 200M --json -o x.h5 >"$out" 2>"$err" </dev/null &
process=$!
for ((k = 0; k < 600; ++k)); do
	contains "$err" '"stage": "pairs (histogram)"' && break
	kill -0 $process 2>/dev/null || break
	sleep 0.1
done
peak=
[[ -r /proc/$process/status ]] && while IFS= read -r line; do
	[[ $line =~ ^VmHWM:\ *$'\t'*\ *([0-9]+)\ kB ]] && peak=${BASH_REMATCH[1]}
done <"/proc/$process/status"
kill -INT $process
wait $process
check "10^6 atoms: --memory 200M is enough by the plan, and it stops" [ $? -eq 130 ]
check "10^6 atoms: nothing is left" [ "$(echo *)" = '*' ]
if [[ $sanitized == 1 || -z $peak ]]; then
	skip "10^6 atoms: memory taken" "cannot be measured here"
else
	check "10^6 atoms: $peak kB taken is below 200 MB" [ "$peak" -lt 200000 ]
fi
fails 2 'not enough memory: .* and 21 MB are allowed' sonde debye "$inputs/million.xyz" --memory 20M -o x.h5
finish
