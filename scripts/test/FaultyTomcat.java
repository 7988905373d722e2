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
import java.util.concurrent.Semaphore;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/**
 * A Tomcat with faults, for diagnoses.py: {@code java -cp phaseload.jar FaultyTomcat.java}. GET /lock holds a lock for 5 ms, GET /leak
 * keeps 16 KiB for ever and makes 80 KiB of garbage, GET /burn?ms=5 takes that much CPU time, GET /pooled?ms=80 holds one of the few
 * connections to a database meanwhile, GET /metrics reports its figures as Spring Boot does. Arguments: most threads, connections to the
 * database.
 */
public class FaultyTomcat extends HttpServlet {

    private static final int KIB_16 = 16 << 10;

    private final List<byte[]> kept = Collections.synchronizedList(new ArrayList<>());
    private final Tomcat tomcat;
    private final Semaphore pool;

    FaultyTomcat(Tomcat tomcat, int pooled) {
        this.tomcat = tomcat;
        pool = new Semaphore(pooled, true);
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("faulty-tomcat");
        folder.toFile().deleteOnExit();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        if (args.length > 0) {
            tomcat.getConnector().setProperty("maxThreads", args[0]);
        }
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "faulty", new FaultyTomcat(tomcat, args.length < 2 ? 5 : Integer.parseInt(args[1])));
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
            case "/burn" -> burn(Long.parseLong(request.getParameter("ms")));
            case "/pooled" -> pooled(Long.parseLong(request.getParameter("ms")));
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

    private static void burn(long ms) {
        var threads = ManagementFactory.getThreadMXBean();
        long until = threads.getCurrentThreadCpuTime() + ms * 1_000_000;
        while (threads.getCurrentThreadCpuTime() < until) {
            Thread.onSpinWait();
        }
    }

    /** Works with one of a few connections to a database. */
    private void pooled(long ms) {
        try {
            pool.acquire();
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pool.release();
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
