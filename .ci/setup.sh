# Sourced by ./run and ./test: makes a bare machine ready. Knows two kinds of set-up: "app" and "dev" (app and more).
# ARMSTEP_VENV names another place for the Python environment, for a project folder that cannot be written.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="${ARMSTEP_VENV:-$root/.venv}"

# Python keeps what it compiled: without that a start takes a second longer, and each process of the tests as well.
unset PYTHONDONTWRITEBYTECODE

# Shared libraries that Qt's X11 and Wayland windows and OpenGL (also without a display) load, and Debian's packages.
libraries=(
    libGL.so.1:libgl1 libOpenGL.so.0:libopengl0 libEGL.so.1:libegl1
    libGLX_mesa.so.0:libglx-mesa0 libEGL_mesa.so.0:libegl-mesa0
    libglib-2.0.so.0:libglib2.0-0 libdbus-1.so.3:libdbus-1-3
    libfontconfig.so.1:libfontconfig1 libfreetype.so.6:libfreetype6
    libX11-xcb.so.1:libx11-xcb1 libxkbcommon.so.0:libxkbcommon0 libxkbcommon-x11.so.0:libxkbcommon-x11-0
    libxcb-cursor.so.0:libxcb-cursor0 libxcb-icccm.so.4:libxcb-icccm4 libxcb-image.so.0:libxcb-image0
    libxcb-keysyms.so.1:libxcb-keysyms1 libxcb-randr.so.0:libxcb-randr0 libxcb-render-util.so.0:libxcb-render-util0
    libxcb-shape.so.0:libxcb-shape0 libxcb-sync.so.1:libxcb-sync1 libxcb-xfixes.so.0:libxcb-xfixes0
    libxcb-xkb.so.1:libxcb-xkb1 libwayland-client.so.0:libwayland-client0
    libwayland-cursor.so.0:libwayland-cursor0 libwayland-egl.so.1:libwayland-egl1
)

# A Python that runs the project: 3.11 or newer.
find_python() {
    local candidate
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "Armstep needs Python 3.11 or newer, and none was found as python3." >&2
    exit 2
}

# Programs that must be there too, and Debian's packages; the caller may add to them.
tools=()

is_administrator() {
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

has_font() {
    [ -n "$(find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.fonts" "${HOME:-/root}/.local/share/fonts" \
        -name "$1.[ot]tf" -print -quit 2>/dev/null)" ]
}

# Debian packages that are missing, one per line; $1 is the Python that makes the environment.
missing_packages() {
    local python="$1" known pair
    known="$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p)"
    for pair in "${libraries[@]}"; do
        grep -qF "${pair%%:*} " <<<"$known" || echo "${pair#*:}"
    done
    # Inter where it can be installed, else the fonts that are there; a bare machine has none at all.
    if ! has_font 'Inter*' && { is_administrator || ! has_font '*'; }; then
        echo fonts-inter
        echo fonts-dejavu-core
    fi
    for pair in "${tools[@]}"; do
        PATH="$PATH:/sbin:/usr/sbin" command -v "${pair%%:*}" >/dev/null || echo "${pair#*:}"
    done
    if [ ! -x "$venv/bin/python" ] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo python3-venv
        echo python3-pip
    fi
}

install_packages() {
    local python="$1" packages sudo=()
    [ "$(uname -s)" = Linux ] || return 0
    mapfile -t packages < <(missing_packages "$python")
    [ "${#packages[@]}" -gt 0 ] || return 0
    echo "Armstep needs these system packages: ${packages[*]}"
    if ! command -v apt-get >/dev/null; then
        echo "This system has no apt-get: install what they contain with its own package manager, then start again." >&2
        exit 2
    fi
    if ! is_administrator; then
        echo "Installing them needs an administrator. Please run this, then start again:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}" >&2
        exit 2
    fi
    [ "$(id -u)" -eq 0 ] || sudo=(sudo -n)
    # The lists may be old or absent; an update that fails in part is no reason to stop. Ubuntu updates itself in the
    # background just after it has started: wait for it.
    "${sudo[@]}" apt-get update -q || true
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -q -y \
        --no-install-recommends "${packages[@]}"
}

# What the environment must match: lock file, project file, and the place of the project.
fingerprint() {
    { cat "$root/requirements/$1.txt" "$root/pyproject.toml"; echo "$root"; } | sha256sum
}

install_python_packages() {
    local kind="$1" python="$2" stamp="$venv/armstep-$1.stamp"
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$kind")" ] && return 0
    if ! "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "Making the Python environment in $venv"
        "$python" -m venv --clear "$venv"
    fi
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip
    echo "Installing Python packages (the first time this takes a few minutes)"
    "$venv/bin/python" -m pip install --quiet --progress-bar on --disable-pip-version-check \
        --require-hashes --requirement "$root/requirements/$kind.txt"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --editable "$root"
    fingerprint "$kind" >"$stamp"
    [ "$kind" = app ] || fingerprint app >"$venv/armstep-app.stamp"
}

# prepare KIND: everything, in the order it is needed. Does nothing, quickly, on a machine that is ready.
prepare() {
    local python
    python="$(find_python)"
    install_packages "$python"
    install_python_packages "$1" "$python"
}
