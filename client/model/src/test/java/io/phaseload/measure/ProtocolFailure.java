package io.phaseload.measure;

/** A failure that a protocol brings, by the key of its cause. */
public record ProtocolFailure(@Override Cause cause, @Override String detail, @Override boolean censored)
        implements Outcome.OfProtocol {

    public ProtocolFailure(String key, String detail) {
        this(Cause.of(key), detail, false);
    }
}
