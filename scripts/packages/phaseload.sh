#!/bin/sh
# Starts Phaseload: with the runtime in this folder, otherwise with JAVA_HOME's Java or the one on PATH, 17 or newer.
#   PHASELOAD_JAVA_OPTS   options for the JVM, split at blanks, e.g. "-Xmx2g -XX:+UseZGC"
set -eu

script=$0
while [ -L "$script" ]; do
    link=$(PATH=$PATH:/usr/bin:/bin readlink "$script")
    case $link in
        /*) script=$link ;;
        *) script=${script%/*}/$link ;;
    esac
done
home=$(cd -P "${script%/*}/.." && pwd)

die() { echo "phaseload: $*" >&2; exit 1; }
if [ -x "$home/runtime/bin/java" ]; then
    java=$home/runtime/bin/java
elif [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || die "JAVA_HOME is $JAVA_HOME, but it has no bin/java"
else
    java=$(command -v java) || die "no Java found: install Java 17 or newer, or set JAVA_HOME"
fi

set -- -jar "$home/lib/phaseload.jar" "$@"
# The archive of classes. Skipped if the JVM's own options are about archives. A JVM that it doesn't fit ignores it, and
# must not say so on standard output.
aot=$home/lib/phaseload.aot
case ${PHASELOAD_JAVA_OPTS:-} in
    *Archive* | *-Xshare* | *AOT*) ;;
    *) [ ! -f "$aot" ] || set -- "-XX:AOTCache=$aot" "-Xlog:aot*=off" "-Xlog:cds*=off" "$@" ;;
esac
# shellcheck disable=SC2086
exec "$java" ${PHASELOAD_JAVA_OPTS:-} "$@"
