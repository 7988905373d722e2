package io.phaseload.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ItemStoreTest {

    private static final byte[] BODY = {1};

    @Test
    void boundsKeyAndType() {
        ItemStore store = new ItemStore(1);
        assertThat(store.put("k".repeat(257), null, BODY).status()).isEqualTo(400);
        assertThat(store.put("k", "t".repeat(257), BODY).status()).isEqualTo(400);
        assertThat(store.put("k".repeat(256), "t".repeat(256), BODY).status()).isEqualTo(201);
    }

    @Test
    void rejectsATypeThatNoHeaderCanHave() {
        ItemStore store = new ItemStore(1);
        for (String type : new String[] {"a\r\nX: y", "\0", "\u007f", "日本"}) {
            assertThat(store.put("k", type, BODY).status()).isEqualTo(400);
        }
        assertThat(store.put("k", "text/plain;\tname=\u00e9", BODY).status()).isEqualTo(201);
    }

    @Test
    void rejectedItemsTakeNoRoom() {
        ItemStore store = new ItemStore(1);
        assertThat(store.put("a", null, BODY).status()).isEqualTo(201);
        for (int i = 0; i < 3; i++) {
            assertThat(store.put("b", null, BODY).status()).isEqualTo(507);
            assertThat(store.delete("b").status()).isEqualTo(404);
        }
        assertThat(store.delete("a").status()).isEqualTo(204);
        assertThat(store.put("b", null, BODY).status()).isEqualTo(201);
        assertThat(store.put("c", null, BODY).status()).isEqualTo(507);
    }

    @Test
    void keepsItsLimitsUnderContention() throws Exception {
        int threads = 4;
        int room = 20;
        ItemStore store = new ItemStore(room);
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        int created = 0;
        try {
            List<Future<Integer>> balances = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(t);
                balances.add(pool.submit(() -> {
                    start.await();
                    return churn(store, random);
                }));
            }
            for (Future<Integer> balance : balances) {
                created += balance.get();
            }
        } finally {
            pool.shutdownNow();
        }
        int present = 0;
        for (int key = 0; key < 60; key++) {
            present += store.get(Integer.toString(key)).status() == 200 ? 1 : 0;
        }
        assertThat(present).isEqualTo(created).isLessThanOrEqualTo(room);
        for (int i = present; i < room; i++) {
            assertThat(store.put("more" + i, null, BODY).status()).isEqualTo(201);
        }
        assertThat(store.put("one too many", null, BODY).status()).isEqualTo(507);
    }

    /** Puts and deletes at random; returns how many more it created than it removed. */
    private static int churn(ItemStore store, Random random) {
        int balance = 0;
        for (int i = 0; i < 20_000; i++) {
            String key = Integer.toString(random.nextInt(60));
            if (random.nextBoolean()) {
                balance += store.put(key, null, BODY).status() == 201 ? 1 : 0;
            } else {
                balance -= store.delete(key).status() == 204 ? 1 : 0;
            }
        }
        return balance;
    }
}
