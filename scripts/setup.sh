# Sourced by the scripts beside it: makes the machine ready. Silent and quick when there is nothing to do.
#
#   setup_packages PACKAGE...   installs the Debian packages that are missing
#   setup_build TARGET...       configures when needed, also after packages have come; builds the targets (all without one)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

isbesim_packages=(build-essential cmake ninja-build ccache pkg-config libsystemc-dev libboost1.81-dev
    libboost-json1.81-dev libboost-program-options1.81-dev libgtest-dev libsqlite3-dev verilator zlib1g-dev python3)

# What scripts/explore and its tests need on top.
exploration_packages=(snakemake python3-pandas python3-plotly python3-jinja2 python3-optuna python3-tqdm)
# What the tests check files against the schemas with.
schema_packages=(python3-jsonschema)
# What `isbesim gl` needs on top: libdrm's headers to build, Mesa's driver to run; piglit for scripts/piglit,
# the compositor for scripts/x11.
gl_packages=(libdrm-dev libgl1-mesa-dri libegl1 piglit weston xwayland)
# What scripts/studies draws its plots with. It needs munkres or scipy; apt may settle on the latter, which needs another
# Boost than ours, and then finds no way out.
studies_packages=(python3-munkres python3-matplotlib)
# To install scripts/python with, and what its notebooks are executed with.
python_packages=(python3-pip python3-setuptools python3-wheel)
notebook_packages=(python3-nbclient python3-ipykernel)
slurm_packages=(slurmctld slurmd slurm-client munge) # its test on a cluster
proof_packages=(yosys libz3-dev) # scripts/prove
fuzz_packages=(clang-16 libclang-rt-16-dev llvm-16) # scripts/fuzz; llvm-16: names in reports of sanitizers
coverage_packages=(gcovr) # scripts/coverage_cpp
lint_packages=(git clang clang-format clang-tidy flake8 mypy python3-numpy libz3-dev) # .ci/lint
documentation_packages=(doxygen graphviz)                     # the target doc

# Where Python finds the exploration, the studies and the package isbesim.
python_path="$root/scripts:$root/scripts/python"

# Seconds to wait for another package manager.
lock_timeout=600

# A compiler cache then knows a file by its place in the checkout: other checkouts and tests/mutation's copy share it.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1

say() { echo "isbesim: $*" >&2; }

die() {
    say "error: $*"
    exit 2
}

setup_packages() {
    command -v dpkg-query >/dev/null || return 0 # not Debian: CMake says what is missing
    local installed missing=() package
    installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -q "^$package installed$" <<<"$installed" || missing+=("$package")
    done
    [[ ${#missing[@]} -eq 0 ]] && return 0
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        command -v sudo >/dev/null || die "packages are missing and there is no sudo; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! setup_apt "$log" -q update; then
        say "apt-get update failed (no network?); trying with the package lists at hand"
    fi
    if ! setup_apt "$log" -qy install --no-install-recommends "${missing[@]}"; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        die "these packages could not be installed (no network, or not Debian 12?): ${missing[*]}"
    fi
    rm -f "$log"
}

# setup_apt LOG ARGUMENT...: apt-get, waiting while another package manager holds a lock. DPkg::Lock::Timeout alone
# would wait without a word, and not for the lock of the package lists.
setup_apt() {
    local log=$1 begin=$SECONDS wait=0
    shift
    until "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
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

setup_build() {
    local targets=() log="$root/build/setup.log"
    [[ $# -gt 0 ]] && targets=(--target "$@")
    mkdir -p "$root/build"
    # What a package brings, and what was not there at the last time, CMake finds only when it looks again.
    [[ -f "$root/build/build.ninja" && "$root/build/setup.configured" -nt /var/lib/dpkg/status ]] || setup_configure "$log"
    local begin=$SECONDS
    rm -f "$root/build/ccache.log"
    if ! setup_compile "$log"; then
        # A build folder of older sources may not know how to make itself new: configure and try once more.
        setup_configure "$log"
        setup_compile "$log" || {
            grep -E "error|FAILED|Error" "$log" | cut -c 1-400 | head -n 40 >&2
            die "the build failed; the whole log: build/setup.log"
        }
    fi
    if ((SECONDS - begin > 10)); then say "built in $((SECONDS - begin)) s$(setup_cached)"; fi
}

# How many compilations the compiler cache spared, when it spared any: that build says little about a first one.
setup_cached() {
    local spared all
    local list="$root/build/ccache.log"
    spared=$(grep -cE "^(direct|preprocessed)_cache_hit$" "$list" 2>/dev/null) || return 0
    all=$(grep -cE "^#" "$list")
    echo ", $spared of $all compilations from the compiler cache"
}

# Writes the log; says so on the terminal when it takes a while.
setup_compile() {
    (cd "$root" && CCACHE_STATSLOG="$root/build/ccache.log" exec cmake --build --preset release "${targets[@]}") >"$1" 2>&1 &
    local build=$! status=0
    (sleep 3 >/dev/null 2>&1 && say "building (log: build/setup.log)") &
    local note=$!
    wait "$build" || status=$?
    kill "$note" 2>/dev/null || true
    wait "$note" 2>/dev/null || true
    return "$status"
}

setup_configure() {
    say "configuring"
    (cd "$root" && cmake --preset release) >"$1" 2>&1 || {
        cat "$1" >&2
        die "the configuration failed"
    }
    touch "$root/build/setup.configured"
}
