# A new agent's instance runs this as root at its first boot. deploy-agents puts a #! line and these variables before it:
# JAVA_VERSION, BUCKET (its s3:// address), JAR_SHA256, KEYS_SHA256, COORDINATOR and REGION.
# Its output is on the instance's console: aws ec2 get-console-output --latest
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
useradd --system --create-home --home-dir /var/lib/phaseload --shell /sbin/nologin phaseload
umask 077
for name in phaseload.jar secret agent.p12; do
    try "$name" aws s3 cp --only-show-errors --region "$REGION" "$BUCKET/$name" "/var/lib/phaseload/$name"
done
cd /var/lib/phaseload
echo "$JAR_SHA256  phaseload.jar" | sha256sum -c -
echo "$KEYS_SHA256  -" >/tmp/keys.sha256
cat secret agent.p12 | sha256sum -c /tmp/keys.sha256
chown -R phaseload: /var/lib/phaseload

# Many connections to the target come and go.
cat >/etc/sysctl.d/90-phaseload.conf <<'SYSCTL'
net.ipv4.ip_local_port_range = 1024 65535
SYSCTL
sysctl -q -p /etc/sysctl.d/90-phaseload.conf

cat >/etc/systemd/system/phaseload-agent.service <<UNIT
[Unit]
Description=Phaseload agent
Wants=network-online.target
After=network-online.target

[Service]
User=phaseload
WorkingDirectory=/var/lib/phaseload
ExecStart=/usr/bin/java -XX:MaxRAMPercentage=60 -jar phaseload.jar agent --coordinator $COORDINATOR --name %H --cluster-secret-file secret --cluster-keys agent.p12
SuccessExitStatus=143
Restart=on-failure
RestartSec=5
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now phaseload-agent
