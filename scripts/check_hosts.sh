#!/usr/bin/env bash
# Ranks on two machines that are none: network namespaces with a cable between them, each with a host name, mounts, and shared memory of its
# own, which Open MPI takes for two hosts. Every engine must have the numbers of one process. For root, where there are `ip` and `unshare`:
#
#     scripts/check_hosts.sh build/src/sonde
#
# It takes a minute, and is no part of `make test`, since containers without CAP_SYS_ADMIN cannot do it.
program=$(realpath "${1:?usage: $0 PROGRAM}")
mpirun=${2:-mpirun}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export SONDE_DATA=${SONDE_DATA:-$here/data} LC_ALL=C
scratch=$(mktemp -d /tmp/sonde-hosts-XXXXXX) || exit 1
first=sonde-a-$$ second=sonde-b-$$ failed=0

clean_up() {
	ip netns del $first 2>/dev/null
	ip netns del $second 2>/dev/null
	rm -rf /etc/netns/$first /etc/netns/$second "$scratch"
}
trap clean_up EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 1

ip netns add $first && ip netns add $second && ip link add va$$ type veth peer name vb$$ || exit 1
ip link set va$$ netns $first && ip link set vb$$ netns $second || exit 1
ip netns exec $first ip addr add 10.77.0.1/24 dev va$$
ip netns exec $second ip addr add 10.77.0.2/24 dev vb$$
for name in $first:va$$ $second:vb$$; do
	ip netns exec ${name%:*} ip link set lo up
	ip netns exec ${name%:*} ip link set ${name#*:} up
	mkdir -p /etc/netns/${name%:*}
	printf '127.0.0.1 localhost\n10.77.0.1 hosta\n10.77.0.2 hostb\n' >/etc/netns/${name%:*}/hosts
done
mkdir private own
cat >enter <<END
#!/bin/bash
# enter NAMESPACE HOST COMMAND...: private/ has the files of own/HOST there
space=\$1 host=\$2
shift 2
exec ip netns exec \$space unshare --uts --mount --ipc bash -c 'hostname "\$0" && mount -t tmpfs tmpfs "$scratch/private" &&
	mount -t tmpfs tmpfs /dev/shm && { [ ! -d "$scratch/own/\$0" ] || cp -r "$scratch/own/\$0/." "$scratch/private"; } && exec "\$@"' "\$host" "\$@"
END
printf '#!/bin/bash\nhost=$1\nshift\nexec %s/enter %s "$host" /bin/sh -c "$*"\n' "$scratch" $second >agent
chmod +x enter agent
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
hosts() { # RANKS ARGUMENTS...
	timeout -k 5 300 ./enter $first hosta "$mpirun" --host hosta:4,hostb:4 --map-by node --bind-to none --mca plm_rsh_agent "$scratch/agent" \
		--mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 -n "$1" "$program" "${@:2}" </dev/null
}
report() { # NAME CODE
	printf '%-12s %s\n' "$1" "$([[ $2 = 0 ]] && echo fine || echo FAILED)"
	[[ $2 = 0 ]] || failed=1
}
numbers() { grep -v '^#' "$1"; }
same() { # NAME ARGUMENTS...
	"$program" "${@:2}" --device cpu --quiet -o "$1-one.csv" && hosts 3 "${@:2}" --device cpu --quiet -o "$1-hosts.csv" 2>messages &&
		[[ -s $1-one.csv ]] && cmp -s <(numbers "$1-one.csv") <(numbers "$1-hosts.csv")
	report "$1" $?
}

"$program" build --cell rocksalt --species Co,O --a 4.2614 --sphere 12 --displace 0.05 -o ball.xyz --quiet
"$program" build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 3,3,3 -o cube.xyz --quiet
printf '%s\n' 'fdtd:' '  size: 600 nm, 600 nm, 600 nm' '  cell: 20 nm' '  steps: 150' '  materials: [{name: g, index: 1.5}]' \
	'  bodies: [{material: g, shape: sphere, radius: 150 nm}]' \
	'  sources: [{kind: dipole, polarization: [1, 0, 0], center: [0, 0, 0], wavelength: 500 nm, bandwidth: 300 THz}]' \
	'  monitors: [{name: m, kind: flux, center: [0, 0, 0], size: [0, 300 nm, 300 nm], frequencies: "500 THz:700 THz:5"}]' >light.yaml
hosts 2 devices --device cpu >out && grep -q 'hosta: cpu' out && grep -q 'hostb: cpu' out
report "two hosts" $?
same histogram debye ball.xyz --q 0.1:20:100 --method histogram
same exact debye ball.xyz --q 0.1:20:100 --method exact
same periodic debye cube.xyz --q 0.5:10:40 --boundary periodic --cutoff 12 --method exact
same picture pattern ball.xyz --q 0.5:7:60 --phi 64 --wavelength 0.5
same fast pattern ball.xyz --q 0.5:7:60 --phi 64 --wavelength 0.5 --method fast
same slabs coulomb ball.xyz --charges Co=2,O=-2 --spacing 3 --method direct --quantity both
same blocks coulomb ball.xyz --charges Co=2,O=-2 --spacing 1 --method fast
same ewald coulomb cube.xyz --charges Na=1,Cl=-1 --boundary periodic --spacing 3 --origin 0.1,0.1,0.1 --method ewald --tolerance 1e-3
same ions ions --ion Au --energy 20keV --target Au@19.3 -n 40
same fdtd fdtd light.yaml
# a file of one host, and a file that only the first one can write
mkdir own/hosta own/hostb
cp ball.xyz own/hosta
hosts 2 debye private/ball.xyz --q 1:2:5 --device cpu >out 2>messages
grep -q '^sonde debye: rank 1: private/ball\.xyz: cannot be read' messages
report "own file" $?
hosts 2 coulomb ball.xyz --charges Co=2,O=-2 --spacing 1 --method fast --device cpu -o private/v.h5 >out 2>messages &&
	grep -q 'the ranks cannot all write to the file: the first one writes all values' messages
report "own folder" $?
exit $failed
