# What a new instance does first, as root: what is in agent-user-data.sh or ec2-user-data.sh comes after it. user_data of ec2.sh
# puts a #! line and variables before it, of which it needs JAVA_VERSION. Its output is on the instance's console:
# aws ec2 get-console-output --latest
# shellcheck shell=bash
set -euo pipefail

# try what command…: retries, because the network has just come up and S3 may not know the role yet.
try() {
    local what=$1 i
    shift
    for ((i = 0; i < 30; i++)); do
        "$@" && return
        sleep 5
    done
    echo "phaseload: gave up on $what" >&2
    exit 1
}

try Java dnf install -y -q "java-$JAVA_VERSION-amazon-corretto-headless"
