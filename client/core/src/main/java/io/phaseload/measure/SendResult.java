package io.phaseload.measure;

/** What came of a request that was to be sent: an {@link Exchange}, or nothing. */
public sealed interface SendResult permits Exchange, SendResult.NotSent {

    /** No connection was there, and none is to be opened any more. */
    SendResult NOT_SENT = new NotSent();

    /** Nothing came of it, and nothing is recorded. */
    record NotSent() implements SendResult {}
}
