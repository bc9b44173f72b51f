#!/usr/bin/env bash
# The installed files work, also after the tree was moved. Arguments: the program, cmake, the build folder, the folder of
# libraries below the prefix.
. "$(dirname "$0")/lib.sh"
. "$here/hostile.sh"
cmake=$2 build=$3 libdir=$4
unset SONDE_DATA LD_LIBRARY_PATH PKG_CONFIG_PATH DESTDIR

"$cmake" --install "$build" --prefix "$scratch/first" >"$out" 2>"$err"
check "install" [ $? -eq 0 ]
mkdir "$scratch/away"
mv "$scratch/first" "$scratch/away/prefix"
prefix=$scratch/away/prefix
installed=$prefix/bin/sonde

ok "--version" "$installed" --version
no_hostile "installed" "$installed" "$HOSTILE_LIBRARY"
check "run paths" "$here/../../scripts/check_run_paths.sh" "$prefix"

# Hardened, unless the build was configured otherwise (cmake/hardening.cmake): relocations are made at the start and then read-only, no stack can
# be executed, functions with arrays look at their stack's guard, calls of the C library know the sizes of buffers.
hardened() { # FILE
	readelf -dlW "$1" >"$out" 2>"$err"
	check "$1: BIND_NOW" grep -qE 'BIND_NOW|Flags:.* NOW' "$out"
	check "$1: RELRO" grep -q GNU_RELRO "$out"
	check "$1: no executable stack" grep -qE 'GNU_STACK .* RW +0x' "$out"
	check "$1: no relocations of code" lacks "$out" TEXTREL
	readelf --dyn-syms -W "$1" >"$out" 2>"$err"
	check "$1: stack protector" contains "$out" __stack_chk_fail
	[[ ${HARDENED_CONFIG:-} == Debug ]] || check "$1: checked functions" grep -qE '__(v?[a-z]*printf|mem[a-z]+)_chk' "$out"
}
if [[ ${HARDENED:-} == 1 ]] && command -v readelf >/dev/null 2>&1; then
	hardened "$installed"
	check "the program's place is not fixed" grep -qE 'Type: +DYN' <(readelf -hW "$installed")
	for library in "$prefix/$libdir"/libsonde*.so; do
		hardened "$library"
	done
fi

# the sources' and the build folder's names are nowhere in it
check "no path of the build" [ -z "$(grep -rlF -e "$build" -e "$(cd "$here/../.." && pwd)" "$prefix")" ]

# a page for the program and each command, with a date
commands=$("$installed" --help | sed -nE '/^usage/,/--help/s/^  ([a-z]+) .*/\1/p' | grep -vx -e help -e sonde)
check "commands are known" [ "$(wc -w <<<"$commands")" -ge 9 ]
for page in sonde $(printf 'sonde-%s ' $commands); do
	check "$page.1 is installed, with a date" \
		grep -qE '^\.TH [A-Za-z\\-]+ 1 "[0-9]{4}-[0-9]{2}-[0-9]{2}" ' "$prefix/share/man/man1/$page.1"
done

# tables are found next to the program
table="stopping --ion He --target Si --energies 1MeV --stopping dpass21"
check "tables are installed" [ -n "$(find "$prefix/share/sonde" -name '*.i16')" ]
ok "tables of a moved tree" "$installed" $table
mv "$prefix/share/sonde" "$prefix/share/elsewhere"
fails 2 "stopping_dpass21\\.i16: not found in $prefix/bin/\\.\\./share/sonde, .*; set SONDE_DATA" "$installed" $table
ok "SONDE_DATA" env SONDE_DATA="$prefix/share/elsewhere" "$installed" $table
mv "$prefix/share/elsewhere" "$prefix/share/sonde"

# A program of a user, elsewhere, with the shared and the static library; its own functions have names of Sonde's inner ones.
if ! command -v cc >/dev/null 2>&1 || ! command -v pkg-config >/dev/null 2>&1; then
	skip "users of the library" "no compiler or pkg-config here"
	finish
fi
export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
mkdir "$scratch/user"
# users' trees have no reason to be where pkg-config thinks that the system's libraries are
flags=$(pkg-config --cflags --libs sonde)
check "sonde.pc names folders that are there" [ -d "$(pkg-config --variable=libdir sonde)" -a \
	-f "$(pkg-config --variable=includedir sonde)/sonde/sonde.h" -a -d "$(pkg-config --variable=prefix sonde)/bin" ]
cc -o "$scratch/user/shared" "$here/user.c" $flags 2>"$err"
built=$?
check "a user compiles with pkg-config: $(head -3 "$err")" [ $built -eq 0 ]
ok "a library's user finds tables next to the library" env LD_LIBRARY_PATH="$prefix/$libdir" "$scratch/user/shared"
want=$(cat "$out")
if [[ -f $prefix/$libdir/libsonde.a ]]; then
	cc -o "$scratch/user/static" "$here/user.c" $(pkg-config --cflags sonde) \
		"$prefix/$libdir/libsonde.a" $(pkg-config --static --libs sonde | sed 's/-lsonde//') 2>"$err"
	built=$?
	check "a user links the archive: $(head -3 "$err")" [ $built -eq 0 ]
	ok "the archive's user" env SONDE_DATA="$prefix/share/sonde" "$scratch/user/static"
	check "the same number" [ "$(cat "$out")" = "$want" ]
fi

# find_package(sonde): both libraries by name
mkdir "$inputs/project"
cat >"$inputs/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(sonde REQUIRED COMPONENTS shared static)
add_executable(shared $here/user.c)
target_link_libraries(shared PRIVATE sonde::sonde)
add_executable(static $here/user.c)
target_link_libraries(static PRIVATE sonde::sonde_static)
END
"$cmake" -S "$inputs/project" -B "$scratch/project" -DCMAKE_PREFIX_PATH="$prefix" >"$out" 2>&1 &&
	"$cmake" --build "$scratch/project" >>"$out" 2>&1
built=$?
check "find_package(sonde): $(grep -m1 -iA3 error "$out")" [ $built -eq 0 ]
for kind in shared static; do
	ok "find_package, $kind" env SONDE_DATA="$prefix/share/sonde" "$scratch/project/$kind"
	check "find_package, $kind: the same number" [ "$(cat "$out")" = "$want" ]
done

# other folders for libraries: relative to the prefix at any depth, or absolute
for folder in lib/x86_64-linux-gnu lib "$scratch/absolute/lib"; do
	"$cmake" -DPROJECT_FOLDER="$here/../.." -DCMAKE_INSTALL_LIBDIR="$folder" -DCMAKE_INSTALL_PREFIX="$scratch/other" \
		-DOUTPUT="$scratch/other/made.pc" -P "$here/make_pc.cmake" >"$out" 2>"$err"
	absolute=$folder
	[[ $folder == /* ]] || absolute=$scratch/other/$folder
	mkdir -p "$absolute/pkgconfig"
	mv "$scratch/other/made.pc" "$absolute/pkgconfig/sonde.pc"
	export PKG_CONFIG_PATH=$absolute/pkgconfig
	check "sonde.pc in $folder: libraries" [ "$(realpath -m "$(pkg-config --variable=libdir sonde)")" = "$(realpath -m "$absolute")" ]
	check "sonde.pc in $folder: headers" [ "$(realpath -m "$(pkg-config --variable=includedir sonde)")" = \
		"$(realpath -m "$scratch/other/include")" ]
done
finish
