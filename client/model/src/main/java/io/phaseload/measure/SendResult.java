package io.phaseload.measure;

/** The result of sending a request: an {@link Exchange}, or nothing. */
public sealed interface SendResult permits Exchange, SendResult.NotSent {

    /** There was no connection, and no more are to be opened. */
    SendResult NOT_SENT = new NotSent();

    /** Nothing was sent, and nothing is recorded. */
    record NotSent() implements SendResult {}
}
