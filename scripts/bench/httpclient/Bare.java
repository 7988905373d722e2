import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Apache HttpClient in a loop that measures nothing: what a load client on it adds its cost to. */
public class Bare {
    public static void main(String[] args) throws Exception {
        String url = System.getProperty("bench.url");
        int users = Integer.getInteger("bench.connections");
        String pool = System.getProperty("bench.pool");
        long end = System.nanoTime() + Integer.getInteger("bench.seconds") * 1_000_000_000L;
        boolean own = pool.equals("user");
        List<CloseableHttpClient> clients = new ArrayList<>();
        for (int i = 0; i < (own ? users : 1); i++) {
            clients.add(client(own ? 1 : Integer.parseInt(pool)));
        }
        LongAdder requests = new LongAdder();
        Thread[] threads = new Thread[users];
        for (int i = 0; i < users; i++) {
            CloseableHttpClient client = clients.get(i % clients.size());
            threads[i] =
                    new Thread(
                            () -> {
                                while (System.nanoTime() < end) {
                                    try {
                                        client.execute(
                                                new HttpGet(url),
                                                response -> {
                                                    EntityUtils.consume(response.getEntity());
                                                    return null;
                                                });
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                    requests.increment();
                                }
                            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (CloseableHttpClient client : clients) {
            client.close();
        }
        System.out.println("requests: " + requests.sum());
    }

    private static CloseableHttpClient client(int pool) {
        return HttpClients.custom()
                .setConnectionManager(
                        PoolingHttpClientConnectionManagerBuilder.create()
                                .setMaxConnTotal(pool)
                                .setMaxConnPerRoute(pool)
                                .build())
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableContentCompression()
                .disableAuthCaching()
                .build();
    }
}
