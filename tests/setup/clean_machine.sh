#!/usr/bin/env bash
# Proves that ./run and ./test work on a Debian or Ubuntu that has Python 3.11 or newer and nothing else.
#
#   tests/setup/clean_machine.sh [SUITE]        as root, with debootstrap; a few minutes and 4 GB in $TMPDIR
#
# Makes a minimal system in a temporary folder, clones the committed project into it, and runs the two commands there.
# The outer machine's apt and pip settings, certificates and proxies are passed in as they are found here, so that it
# works behind any mirror and none of them is written into the project.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

# Copies what exists of the given settings, to the same place inside.
pass_in() {
    local path
    for path in "$@"; do
        [ -e "$path" ] || continue
        mkdir -p "$machine$(dirname "$path")"
        rm -rf "${machine:?}$path"
        cp -rL "$path" "$machine$path"
    done
}

# Runs a command in the clean machine: nothing of this shell's environment but where packages come from. Nothing is
# compiled ahead: the outer machine's tests prove that, and here it would take minutes.
inside() {
    local settings
    mapfile -t settings < <(env | grep -E '^(PIP_|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)' | grep -v '^PIP_CERT=')
    chroot "$machine" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 ARMSTEP_PREPARE=no "${settings[@]}" PIP_CERT=/root/certificates.crt SSL_CERT_FILE=/root/certificates.crt \
        bash -c "cd /home/armstep && $1"
}

step "a bare $suite with Python, from $(mirror | sed 's,//[^/]*,//...,')"
make_machine python3
pass_in /etc/resolv.conf /etc/hosts /etc/apt /usr/share/keyrings /etc/ssl/certs /etc/pip.conf \
    "$HOME/.config/pip" "$HOME/.pip"
# A place of its own, since installing Debian's ca-certificates writes the usual one anew.
cat "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" >"$machine/root/certificates.crt"
git clone -q "$root" "$machine/home/armstep"
inside "python3 --version && ! command -v pip Xvfb gcc"

step "a person without rights is told the one command, and exit status 2"
inside "chmod -R a+rX . && status=0 && { setpriv --reuid 65534 --regid 65534 --clear-groups ./run --setup || status=\$?; } && [ \$status -eq 2 ]"

step "./run --setup"
inside "./run --setup"

step "a second ./run starts within two seconds"
inside "start=\$(date +%s%N) && ./run --setup && took=\$(((\$(date +%s%N) - start) / 1000000)) &&
    echo \"set-up found ready in \$took ms\" && [ \$took -lt 2000 ]"

step "./run without a display renders the default animation"
inside "./run && ls -l armstep-rr-swing.mp4 && [ \$(stat -c %s armstep-rr-swing.mp4) -gt 10000 ]"

step "a person who may read the project but not write it"
inside "install -d -o 65534 /tmp/person && HOME=/tmp/person setpriv --reuid 65534 --regid 65534 --clear-groups \
    ./run run rr-swing --set duration=0.1 --json"

step "./test --setup, then the tests of the house's rules"
# Not the one that compiles every method: what it proves, the outer machine's tests prove.
inside "./test --setup && ./test -q tests/contracts -k 'not every_method_integrates'"

step "the two commands work on a bare machine"
