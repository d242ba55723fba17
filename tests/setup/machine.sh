# Sourced by the scripts beside it: a minimal Debian in a temporary folder, $machine, which is removed at the end. Takes the
# suite as the first argument of the script; needs root and debootstrap.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
suite="${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}"

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "This needs root and debootstrap: sudo apt-get install debootstrap, then sudo $0" >&2
    exit 2
fi

machine="$(mktemp -d -t armstep-machine-XXXXXX)"
chmod 755 "$machine"
mounted=()
clean_up() {
    local place
    for place in "${mounted[@]}"; do umount --lazy "$machine/$place"; done
    rm -rf --one-file-system "$machine"
}
trap clean_up EXIT

mirror() {
    apt-get indextargets --format '$(CREATED_BY) $(CODENAME) $(REPO_URI)' |
        awk -v suite="$suite" '$1 == "Packages" && $2 == suite {print $3; exit}'
}

attach() {
    mkdir -p "$machine/$1"
    if mount --bind "/$1" "$machine/$1" 2>/dev/null; then mounted=("$1" "${mounted[@]}"); fi
}

step() {
    echo
    echo "== $(date +%T) $*"
}

# A minimal Debian with these packages.
make_machine() {
    local packages="$*"
    debootstrap --variant=minbase --include="${packages// /,}" "$suite" "$machine" "$(mirror)" >"$machine.log" || {
        tail "$machine.log"
        exit 1
    }
    rm -f "$machine.log"
    attach proc
    attach dev
    attach dev/pts
    attach dev/shm
}
