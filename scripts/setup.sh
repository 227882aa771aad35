# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of this folder: sets the machine up. Silent and quick if there is nothing to do.
#
#   setup_packages NEED...      installs the missing Debian packages of these rows of the table below
#   setup_build TARGET...       configures if needed, also after new packages; builds the targets (default: all)

# With --help or -h among the arguments of a script, the comment at its top is printed, and nothing else happens.

for argument in "$@"; do
    [[ $argument == --help || $argument == -h ]] || continue
    [[ $0 == /* || -f $0 ]] || cd - >/dev/null # where the script was started
    sed -n '1d; /^# SPDX-/d; /^#/!q; s/^# \{0,1\}//p' "$0"
    exit 0
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# need | what it is for | packages of every release | those of Debian 12 alone | those of later releases alone
# munkres is for matplotlib, which needs it or scipy; scipy conflicts with Debian 12's Boost 1.81.
package_table='
build       | building isbesim and its tests    | build-essential cmake ninja-build ccache pkg-config libsystemc-dev libgtest-dev libsqlite3-dev libdrm-dev libvulkan-dev verilator zlib1g-dev python3 | libboost1.81-dev libboost-json1.81-dev libboost-program-options1.81-dev | libboost-dev libboost-json-dev libboost-program-options-dev
exploration | scripts/explore                   | snakemake python3-pandas python3-optuna python3-tqdm
studies     | the plots of scripts/studies      | python3-munkres python3-matplotlib
gl          | isbesim gl                        | libgl1-mesa-dri libegl1
windows     | scripts/x11, scripts/piglit       | weston xwayland apitrace piglit
vk          | testing isbesim vk, scripts/vkrun | | | mesa-vulkan-drivers glslang-tools
schemas     | testing files against the schemas | python3-jsonschema
python      | installing scripts/python         | python3-pip python3-setuptools python3-wheel python3-venv
packages    | scripts/package and release       | build-essential debhelper dh-python lintian git
notebooks   | testing the notebooks             | python3-nbclient python3-ipykernel
slurm       | testing a sweep on a cluster      | slurmctld slurmd slurm-client munge
pages       | testing pages in a browser        | chromium
pictures    | scripts/pictures                  | chromium neverball
proofs      | scripts/prove                     | yosys libz3-dev
area        | scripts/area, .ci/lint rtl        | yosys
clang       | scripts/fuzz and .ci/sanitized | | clang-16 libclang-rt-16-dev llvm-16 | clang libclang-rt-dev llvm
libcxx      | .ci/libcxx                        | | | libc++-dev libc++abi-dev
coverage    | scripts/coverage_cpp              | gcovr
format      | .ci/lint format                   | git clang-format
flake       | .ci/lint flake                    | git flake8
mypy        | .ci/lint mypy                     | git mypy python3-numpy
tidy        | .ci/lint tidy                     | clang clang-tidy libz3-dev
roots       | .ci/bare                          | mmdebstrap ccache
documents   | the target doc                    | doxygen graphviz
site        | scripts/docs                      | mkdocs
editor      | working in a container            | git ca-certificates gtkwave
'

# The path on which Python finds the exploration, the studies and the package isbesim.
python_path="$root/scripts:$root/scripts/python"

# The other ways to isbesim where packages can't be installed.
no_packages="or use a container or the wheel, as README.md shows"

# Seconds to wait for another package manager.
lock_timeout=600

# A compiler cache then identifies files by their paths in the checkout: other checkouts and tests/mutation share it.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1

say() { echo "isbesim: $*" >&2; }

die() {
    say "error: $*"
    exit 2
}

setup_packages() {
    command -v dpkg-query >/dev/null || return 0 # no Debian packages: CMake names the missing dependencies
    local release installed need purpose common only_12 later package missing=()
    local -A purposes=()
    for need in "$@"; do
        grep -q "^$need *|" <<<"$package_table" || die "scripts/setup.sh knows no packages for '$need'"
    done
    release=$(source /etc/os-release 2>/dev/null && echo "${VERSION_ID:-}")
    while IFS='|' read -r need purpose common only_12 later; do
        [[ " $* " == *" ${need// /} "* ]] || continue
        read -r purpose <<<"$purpose" # without the blanks of the table's columns
        [[ $release == 12 ]] && later=$only_12
        for package in $common $later; do purposes[$package]=$purpose; done
    done <<<"$package_table"
    installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${!purposes[@]}" 2>/dev/null || true)
    for package in "${!purposes[@]}"; do
        grep -q "^$package installed$" <<<"$installed" || missing+=("$package")
    done
    [[ ${#missing[@]} -eq 0 ]] && return 0
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        command -v sudo >/dev/null ||
            die "packages are missing and there is no sudo; as root: apt-get install ${missing[*]} ($no_packages)"
        as_root=(sudo)
    fi
    local log
    log=$(mktemp)
    if setup_apt "$log" -q update; then
        setup_require "${missing[@]}"
    else
        say "apt-get update failed (no network?); trying with the package lists at hand"
    fi
    say "installing ${missing[*]}"
    setup_watch "$log" packages &
    local watch=$! status=0
    setup_apt "$log" -qy install --no-install-recommends "${missing[@]}" || status=$?
    setup_unwatch "$watch"
    if ((status)); then
        tail -n 20 "$log" >&2
        grep -q "^sudo: " "$log" &&
            die "sudo is refused to $(id -un); as root: apt-get install ${missing[*]} ($no_packages)"
        rm -f "$log"
        die "these packages could not be installed (no network?): ${missing[*]}"
    fi
    rm -f "$log"
}

# setup_require PACKAGE...: fails before anything is installed if apt knows no version of one of the packages.
setup_require() {
    local known package lacking=
    known=$(LC_ALL=C apt-cache policy "$@" | sed -n '/^[^ ]/{s/:$//;h}; /^ *Candidate: [^(]/{g;p}')
    for package in "$@"; do
        grep -qx "$package" <<<"$known" || lacking+=", $package (for ${purposes[$package]})"
    done
    [[ -z $lacking ]] || die "this release ($(source /etc/os-release && echo "$PRETTY_NAME")) lacks ${lacking#, }; isbesim needs Debian 13 or 12 ($no_packages)"
}

# setup_apt LOG ARGUMENT...: apt-get, which waits while another package manager holds a lock. DPkg::Lock::Timeout alone
# would wait without a message, and not for the lock of the package lists.
setup_apt() {
    local log=$1 begin=$SECONDS wait=0
    shift
    until "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout="$wait" "$@" >"$log" 2>&1; do
        grep -qE "^E: (Could not get|Unable to acquire|Unable to lock)" "$log" || return 1
        ((SECONDS - begin < lock_timeout)) || return 1
        if ((wait == 0)); then
            say "another package manager is at work; waiting until it is done ($lock_timeout s at most)"
            wait=$lock_timeout
        fi
        sleep 1
    done
}

# Uses caches in the build folder where those of the home can't be written: a compiler cache would end the build.
setup_caches() {
    local folder
    if command -v ccache >/dev/null; then
        folder=$(ccache --get-config cache_dir 2>/dev/null) || folder=
        setup_writable "$folder/tmp" || export CCACHE_DIR="$root/build/ccache"
    fi
    setup_writable "${ISBESIM_RTL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/isbesim/rtl}" ||
        export ISBESIM_RTL_CACHE="$root/build/rtl/cache"
}

setup_writable() { mkdir -p "$1" 2>/dev/null && [[ -w $1 ]]; }

setup_build() {
    setup_caches
    local targets=() log="$root/build/setup.log" configured=
    [[ $# -gt 0 ]] && targets=(--target "$@")
    setup_writable "$root/build" ||
        die "$root/build can't be written; copy the sources to a folder of yours, or as root: chown -R $(id -un) $root"
    # CMake finds the content of new packages only in a new configuration.
    if [[ ! -f "$root/build/build.ninja" || ! "$root/build/setup.configured" -nt /var/lib/dpkg/status ]]; then
        setup_configure "$log"
        configured=1
    fi
    local begin=$SECONDS
    rm -f "$root/build/ccache.log"
    if ! setup_compile "$log"; then
        # A build folder of older sources may not be able to update itself: configure and try once more.
        [[ -z $configured ]] || setup_fail "$log"
        setup_configure "$log"
        setup_compile "$log" || setup_fail "$log"
    fi
    if ((SECONDS - begin > 10)); then say "built in $((SECONDS - begin)) s$(setup_cached)"; fi
}

setup_fail() {
    grep -E "error|FAILED|Error" "$1" | cut -c 1-400 | head -n 40 >&2 || true # no such line, or many more than these
    die "the build failed; the whole log: build/setup.log"
}

# Prints how many compilations the compiler cache saved, if any: such a build's time says little about a first build.
setup_cached() {
    local spared all
    local list="$root/build/ccache.log"
    spared=$(grep -cE "^(direct|preprocessed)_cache_hit$" "$list" 2>/dev/null) || return 0
    all=$(grep -cE "^#" "$list")
    echo ", $spared of $all compilations from the compiler cache"
}

# Writes the log, and prints how much is done.
setup_compile() {
    (cd "$root" && CCACHE_STATSLOG="$root/build/ccache.log" exec cmake --build --preset release "${targets[@]}") >"$1" 2>&1 &
    local build=$! status=0
    setup_watch "$1" building &
    local watch=$!
    wait "$build" || status=$?
    setup_unwatch "$watch"
    return "$status"
}

# setup_watch LOG WHAT: prints how many of how many steps the log has (those of ninja, or three for each of apt's
# packages) and how long the rest may take. A terminal gets one line that changes, a file a line for each tenth. The
# first seconds are silent, since mostly there is little to do. Ends with the script, whose Ctrl-C it does not get.
setup_watch() {
    local log=$1 what=$2 begin=$SECONDS done all left tenth=0
    sleep 3
    [[ $what == packages ]] || say "$what (log: ${log#"$root/"})"
    while kill -0 "$$" 2>/dev/null; do
        read -r done all < <(awk -F '[][/ ]' '/^\[[0-9]+\/[0-9]+\]/ { done = $2; all = $3 } / newly installed/ { all = 3 * $3 }
            /^(Get:|Unpacking |Setting up )/ { ++done } END { print done + 0, all + 0 }' "$log" 2>/dev/null)
        if ((done > 0 && done < all)); then
            left=$(((SECONDS - begin) * (all - done) / done))
            left=$(printf '%3d %%, about %d:%02d left: %s %d of %d' $((100 * done / all)) $((left / 60)) $((left % 60)) "$what" "$done" "$all")
            if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
                printf '\r\e[Kisbesim: %s' "$left" >&2
            elif ((10 * done / all > tenth)); then
                tenth=$((10 * done / all))
                say "$left"
            fi
        fi
        sleep 1
    done
}

# Ends setup_watch and its line.
setup_unwatch() {
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
    if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then printf '\r\e[K' >&2; fi
}

setup_configure() {
    say "configuring"
    command -v cmake >/dev/null || die "cmake was not found; isbesim needs Debian 13 or 12, or the packages that scripts/setup.sh lists ($no_packages)"
    (cd "$root" && cmake --preset release) >"$1" 2>&1 || {
        local missing
        missing=$(grep -m 1 "^isbesim: not found: " "$1") && die "${missing#isbesim: }"
        cat "$1" >&2
        die "the configuration failed"
    }
    touch "$root/build/setup.configured"
}
