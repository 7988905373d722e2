package io.phaseload.cli;

import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/** A servlet on a Tomcat that speaks HTTP/1.1, and HTTP/2 to clients that begin with it. */
public final class Site implements AutoCloseable {

    private final Tomcat tomcat = new Tomcat();

    public Site(Path base, HttpServlet servlet) throws LifecycleException {
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setSilent(true);
        tomcat.setBaseDir(base.toString());
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext("", null);
        // There is nothing to clear, and JDK 17 would warn that it needs a flag for it.
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        Tomcat.addServlet(context, "site", servlet);
        context.addServletMappingDecoded("/", "site");
        tomcat.start();
    }

    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
