#!/usr/bin/env bash
# Runs the recipe for SLURM of docs/lab-drivers.md on this machine, which becomes a cluster of one node.
#
#   scripts/test-slurm.sh
#
# It needs root and Debian's packages slurm-wlm and munge; without them it is skipped. The daemons end with
# the script. scripts/setup.sh must have run.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,7p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
skip() {
    echo "skipped: $*"
    echo "test result: ok. 0 passed; 0 failed; 1 ignored"
    exit 0
}
PATH=$PATH:/sbin:/usr/sbin
for program in slurmctld slurmd munged sbatch; do
    command -v "$program" >/dev/null || skip "there is no $program (Debian: packages slurm-wlm and munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
# shellcheck source=/dev/null
. "${DXIL_TOOLS:-$PWD/build}/env.sh"

folder=$(mktemp -d)
started=()
end() {
    for daemon in "${started[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait
    rm -rf -- "$folder"
}
trap end EXIT
node=$(hostname -s)
cat >"$folder/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
NodeName=$node CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
mkdir "$folder/state" "$folder/spool"
(umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
munged --foreground --force --key-file "$folder/munge.key" --socket "$folder/munge.socket" --pid-file "$folder/munge.pid" \
    --log-file "$folder/munge.log" --seed-file "$folder/munge.seed" >"$folder/munged.log" 2>&1 &
started+=($!)
sleep 1
export SLURM_CONF=$folder/slurm.conf
for daemon in slurmctld slurmd; do
    "$daemon" -D -f "$SLURM_CONF" >"$folder/$daemon.log" 2>&1 &
    started+=($!)
done
for ((tries = 0; tries < 60; tries++)); do
    [[ $(sinfo --noheader --format %T 2>/dev/null) != idle ]] || break
    sleep 1
done
[[ $(sinfo --noheader --format %T) == idle ]] || { tail "$folder"/*.log; exit 1; }
cargo test --quiet --package dxil-lab --test integration recipes::slurm -- --nocapture
