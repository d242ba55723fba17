#!/usr/bin/env bash
# Builds the bundle and proves that it starts, plays and exports on a Debian without Python.
#
#   tests/setup/bundle.sh [SUITE]        as root, with debootstrap; some five minutes and 3 GB in $TMPDIR
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

step "the bundle"
"${ARMSTEP_VENV:-$root/.venv}/bin/python" "$root/bundle/build.py" --out "$machine-bundle"
trap 'clean_up; rm -rf "$machine-bundle"' EXIT

step "a bare $suite with a display and fonts"
make_machine xvfb libgl1 libopengl0 libegl1 libgl1-mesa-dri fonts-dejavu-core
mv "$machine-bundle/armstep" "$machine/opt/armstep"

inside() {
    chroot "$machine" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 bash -c "cd /root || exit; $1"
}

step "it runs, exports and starts other processes"
inside "! command -v python3 && /opt/armstep/armstep run rr-swing --set duration=1 && /opt/armstep/armstep doctor"
inside "/opt/armstep/armstep render rr-swing --out film.mp4 --to 1 --size 640x360 && [ \$(stat -c %s film.mp4) -gt 10000 ]"
inside "/opt/armstep/armstep sweep rr-swing --over step=0.01:0.1:4 --show steps --out map.csv --workers 2"

step "the window opens, and the arm moves"
# The display's picture is a file; while the arm moves, it is never the same for long.
# Its number is one that is free outside, too: both machines have one network, and so the same displays.
inside "Xvfb -displayfd 3 -screen 0 1280x800x24 -fbdir /tmp -nolisten tcp 3>display & xvfb=\$!
    until [ -s display ]; do sleep 0.1; done
    DISPLAY=:\$(cat display) /opt/armstep/armstep open rr-swing & window=\$!; moved=0
    for _ in \$(seq 120); do
        before=\$(md5sum </tmp/Xvfb_screen0); sleep 1
        [ \"\$before\" = \"\$(md5sum </tmp/Xvfb_screen0)\" ] && moved=0 || moved=\$((moved + 1))
        [ \$moved -lt 5 ] || break
    done
    kill \$window || moved=0; sleep 2; kill \$xvfb; [ \$moved -eq 5 ]"

step "the bundle works on a machine without Python"
