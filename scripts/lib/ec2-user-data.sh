# The rest of the new instance's first boot, after first-boot.sh. It needs these variables of deploy-ec2:
# TOMCAT_VERSION, TOMCAT_SHA512, PORT, WAR (its s3:// address), WAR_SHA256 and REGION.
# shellcheck shell=bash

# Maven Central keeps every version, Apache's own mirrors only the newest.
central=https://repo1.maven.org/maven2/org/apache/tomcat/tomcat
try Tomcat curl -fsS -o /tmp/tomcat.tar.gz "$central/$TOMCAT_VERSION/tomcat-$TOMCAT_VERSION.tar.gz"
echo "$TOMCAT_SHA512  /tmp/tomcat.tar.gz" | sha512sum -c -
useradd --system --home-dir /opt/tomcat --shell /sbin/nologin tomcat
mkdir -p /opt/tomcat
tar -xzf /tmp/tomcat.tar.gz -C /opt/tomcat --strip-components 1
rm -rf /tmp/tomcat.tar.gz /opt/tomcat/webapps/*

try "the WAR" aws s3 cp --only-show-errors --region "$REGION" "$WAR" /opt/tomcat/webapps/ROOT.war
echo "$WAR_SHA256  /opt/tomcat/webapps/ROOT.war" | sha256sum -c -

# 500 threads; connections are kept for any number of requests (Tomcat's default is 100, after which the client would
# measure reconnecting) and wait in the kernel, not refused, when there are many at once.
cat >/opt/tomcat/conf/server.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<Server port="-1">
  <Service name="Catalina">
    <Connector port="$PORT" protocol="org.apache.coyote.http11.Http11NioProtocol"
               maxThreads="500" acceptCount="1024" maxConnections="16384"
               maxKeepAliveRequests="-1" connectionTimeout="20000" keepAliveTimeout="60000"/>
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="webapps" autoDeploy="false"/>
    </Engine>
  </Service>
</Server>
XML
chown -R tomcat: /opt/tomcat

# The kernel's queues must hold what Tomcat asks for, and many connections come and go.
cat >/etc/sysctl.d/90-phaseload.conf <<'SYSCTL'
net.core.somaxconn = 4096
net.ipv4.tcp_max_syn_backlog = 8192
net.ipv4.ip_local_port_range = 1024 65535
SYSCTL
sysctl -q -p /etc/sysctl.d/90-phaseload.conf

cat >/etc/systemd/system/tomcat.service <<'UNIT'
[Unit]
Description=Tomcat with Phaseload's target
Wants=network-online.target
After=network-online.target

[Service]
User=tomcat
Environment=CATALINA_OPTS=-XX:MaxRAMPercentage=50
ExecStart=/opt/tomcat/bin/catalina.sh run
SuccessExitStatus=143
Restart=on-failure
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now tomcat
