import com.sun.management.OperatingSystemMXBean;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/**
 * A Tomcat with faults, for diagnoses.py: {@code java -cp phaseload.jar FaultyTomcat.java}. GET /lock holds a lock for 5 ms, GET /leak
 * keeps 16 KiB for ever and makes 80 KiB of garbage, GET /metrics tells of itself as Spring Boot would.
 */
public class FaultyTomcat extends HttpServlet {

    private static final int KIB_16 = 16 << 10;

    private final List<byte[]> kept = Collections.synchronizedList(new ArrayList<>());
    private final Tomcat tomcat;

    FaultyTomcat(Tomcat tomcat) {
        this.tomcat = tomcat;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("faulty-tomcat");
        folder.toFile().deleteOnExit();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "faulty", new FaultyTomcat(tomcat));
        context.addServletMappingDecoded("/", "faulty");
        tomcat.start();
        System.out.println("Serving on http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
        tomcat.getServer().await();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getRequestURI()) {
            case "/lock" -> lock();
            case "/leak" -> kept.add(Arrays.copyOf(new byte[5 * KIB_16], KIB_16));
            case "/metrics" -> {
                metrics(response);
                return;
            }
            default -> {}
        }
        response.getOutputStream().print("done");
    }

    private synchronized void lock() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void metrics(HttpServletResponse response) throws IOException {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var pool = (ThreadPoolExecutor) tomcat.getConnector().getProtocolHandler().getExecutor();
        response.setContentType("text/plain; version=0.0.4");
        response.getOutputStream().print(
                "process_cpu_usage %f%nsystem_cpu_usage %f%njvm_memory_used_bytes{area=\"heap\"} %d%n".formatted(
                                system.getProcessCpuLoad(),
                                system.getCpuLoad(),
                                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed())
                        + "tomcat_threads_busy_threads %d%ntomcat_threads_config_max_threads %d%n".formatted(
                                pool.getActiveCount(), pool.getMaximumPoolSize()));
    }
}
