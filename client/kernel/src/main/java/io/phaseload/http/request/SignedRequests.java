package io.phaseload.http.request;

import io.phaseload.journey.Session;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.RequestSigner;
import io.phaseload.plan.Target;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Signed requests, encoded once per signature. Shared by all users: the one that finds a signature due for renewal
 * signs again, while the others go on with the old one.
 */
final class SignedRequests implements RequestSource {

    private final Target target;
    private final List<Operation> operations;
    private final RequestSigner signer;
    private final LongSupplier clock;
    private final AtomicReferenceArray<Signed> signed;
    private final ReentrantLock signing = new ReentrantLock();

    private record Signed(PreparedRequest request, long dueNanos) {}

    /**
     * Signs all of them.
     *
     * @param clock like {@link System#nanoTime()}
     * @throws RuntimeException if the signer does
     */
    SignedRequests(Target target, List<Operation> operations, RequestSigner signer, LongSupplier clock) {
        this.target = target;
        this.operations = operations;
        this.signer = signer;
        this.clock = clock;
        this.signed = new AtomicReferenceArray<>(operations.size());
        for (int i = 0; i < operations.size(); i++) {
            signed.set(i, sign(i));
        }
    }

    @Override
    public PreparedRequest get(int index, @Nullable Session session) {
        if (due(index) && signing.tryLock()) {
            try {
                if (due(index)) {
                    signed.set(index, sign(index));
                }
            } finally {
                signing.unlock();
            }
        }
        return signed.get(index).request();
    }

    private boolean due(int index) {
        return clock.getAsLong() - signed.get(index).dueNanos() >= 0;
    }

    private Signed sign(int index) {
        // From before it was signed: signing may take a while.
        long due = clock.getAsLong() + signer.renewal().toNanos();
        return new Signed(sign(operations.get(index)), due);
    }

    private PreparedRequest sign(Operation operation) {
        RequestHeaders headers = new RequestHeaders(target, operation);
        URI base = target.uri();
        String address = base.getScheme() + "://" + base.getRawAuthority() + target.requestTarget(operation.path());
        byte[] body = operation.body().map(Body::bytes).orElse(new byte[0]);
        signer.sign(new RequestSigner.Unsigned(operation.method(), URI.create(address), headers.all(), body))
                .forEach(headers::put);
        return new PreparedRequest(
                EncodedOperation.of(target, operation, headers, new ResponseChecks(operation.checks())));
    }
}
