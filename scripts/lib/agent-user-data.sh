# The rest of a new agent's first boot, after first-boot.sh. It needs these variables of deploy-agents:
# BUCKET (its s3:// address), JAR_SHA256, KEYS_SHA256, COORDINATOR and REGION.
# shellcheck shell=bash disable=SC2164 # first-boot.sh ends at what fails
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
