package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.SocketCall.ExpectCall;
import io.phaseload.http.socket.SocketCall.SendCall;
import io.phaseload.journey.MessageMatch;
import io.phaseload.journey.Session;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.Pause;
import io.phaseload.plan.journey.SocketAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;

/** The protocol as one connection speaks it, from its handshake on. Owned by one loop. */
final class Dialogue {

    private static final byte[] NOTHING = {};

    /** Between texts, where a payload is to be. */
    private static final String PLACEHOLDER = "0-phaseload-payload-0";

    private static final String NOT_HEX = "a value that isn't hexadecimal";

    private static final int MOST_EARLY = 100;

    /** The connection. */
    interface Line {

        void send(ByteBuf message, boolean isText);

        /** Has a task done later if the connection is still open. */
        void after(long nanos, Runnable task);

        /** The opening is over. */
        void ready();

        /** The opening failed. */
        void failed(MessageLost why);

        /** It can't go on. */
        void ended(String why);

        /** The server refused something after the opening. */
        void refused(String why);

        /** A message was of no use. */
        void ignored();
    }

    private record Arrived(byte[] bytes, boolean isText) {

        /** Some servers send text as bytes. */
        boolean fits(MessageMatch.Filled expected) {
            return expected.fits(bytes, isText) || !isText && expected.fits(bytes, true);
        }
    }

    private final PairSpeech speech;
    private final long pair;
    private final int place;
    private final List<PairSpeech.Act> opening;
    private final Line line;
    private final Queue<Arrived> early = new ArrayDeque<>(0);
    // Made when it is needed: a bare message takes no values.
    private Session session;
    private long ref;
    private int next;
    private boolean ready;
    private boolean failed;
    // Null while none is awaited.
    private ExpectCall expected;
    private String last = "";
    private List<MessageMatch.Filled> answered = List.of();
    private byte[] before = NOTHING;
    private byte[] after = NOTHING;

    Dialogue(PairSpeech speech, long pair, int place, Line line) {
        this.speech = speech;
        this.pair = pair;
        this.place = place;
        this.opening = speech.opening(place);
        this.line = line;
    }

    /** Begins the opening. */
    void begin() {
        fill();
        proceed();
    }

    private Session session() {
        if (session == null) {
            session = speech.session(pair, place);
        }
        return session;
    }

    private SocketCall call(PairSpeech.Act act) {
        if (act.numbered()) {
            session().set(PairProtocol.REF, Long.toString(++ref));
        }
        return act.call().apply(session());
    }

    private void send(SocketCall call) {
        if (call instanceof SendCall send) {
            line.send(Unpooled.wrappedBuffer(send.bytes()), send.isText());
        } else {
            failed = true;
            line.ended(NOT_HEX);
        }
    }

    /** Fills in the values that are known, in all that is the same from now on. */
    private void fill() {
        if (!speech.replies().isEmpty()) {
            answered = speech.replies().stream()
                    .map(reply -> ((ExpectCall) call(reply.to())).match())
                    .toList();
        }
    }

    private void proceed() {
        while (next < opening.size()) {
            PairSpeech.Act act = opening.get(next);
            if (act.call() == null) {
                next++;
                line.after(pause(act.pause()), this::proceed);
                return;
            }
            SocketCall call = call(act);
            if (call instanceof ExpectCall expect) {
                expected = expect;
                while (expected != null && !early.isEmpty()) {
                    take(early.remove());
                }
                if (expected != null) {
                    line.after(expect.within().toNanos(), () -> expire(expect));
                }
                if (expected != null) {
                    return;
                }
            } else {
                send(call);
                next++;
            }
            if (failed) {
                return;
            }
        }
        ready = true;
        fill();
        if (place == 0 && !speech.isBare() && !speech.messagesDiffer()) {
            split();
        }
        if (failed) {
            return;
        }
        speech.beats().forEach(this::beat);
        line.ready();
    }

    private static long pause(Pause pause) {
        long least = pause.min().toNanos();
        return ThreadLocalRandom.current().nextLong(least, pause.max().toNanos() + 1);
    }

    private void beat(PairSpeech.Beat beat) {
        line.after(beat.periodNanos(), () -> {
            send(call(beat.send()));
            if (!failed) {
                beat(beat);
            }
        });
    }

    private void expire(ExpectCall expect) {
        if (expected == expect) {
            fail(
                    "%s not received within %s".formatted(expect.name(), SocketAction.text(expect.within())),
                    true,
                    last.isEmpty() ? "no message was received" : "the last message was " + last);
        }
    }

    private void fail(String why, boolean censored, String detail) {
        expected = null;
        failed = true;
        line.failed(new MessageLost("not subscribed: " + why, censored, detail));
    }

    /** Takes the message that is awaited; the next step isn't begun. */
    private boolean take(Arrived message) {
        ExpectCall taking = expected;
        last = taking.quoted(message.bytes());
        if (!message.fits(taking.match())) {
            return false;
        }
        expected = null;
        next++;
        Outcome taken = taking.taken(message.bytes(), System.nanoTime());
        if (taken != Outcome.SUCCESS) {
            fail(taken.cause().key(), false, taken.detail());
        }
        return true;
    }

    /**
     * Reads a message.
     *
     * @param read has just read it
     * @param hasPayload true if there was one in it
     */
    void received(Messages read, boolean isText, boolean hasPayload) {
        if (ready && !speech.listens()) {
            if (!hasPayload) {
                line.ignored();
            }
            return;
        }
        Arrived message = new Arrived(read.copy(), isText);
        boolean used = answer(message) || hasPayload;
        if (!ready && !failed) {
            used |= open(message);
        }
        String refusal = used ? null : speech.refusal(message.bytes(), secrets());
        if (refusal == null) {
            if (!used) {
                line.ignored();
            }
        } else if (ready) {
            line.refused(refusal);
        } else if (!failed) {
            fail(refusal, false, "");
        }
    }

    /** A message of the opening. */
    private boolean open(Arrived message) {
        if (expected == null) {
            // A pause.
            early.add(message);
            if (early.size() > MOST_EARLY) {
                early.remove();
            }
            return true;
        }
        boolean taken = take(message);
        if (taken && !failed) {
            proceed();
        }
        return taken;
    }

    private List<String> secrets() {
        return session == null ? List.of() : session.secrets();
    }

    private boolean answer(Arrived message) {
        for (int i = 0; i < answered.size(); i++) {
            if (message.fits(answered.get(i))) {
                send(call(speech.replies().get(i).with()));
                return true;
            }
        }
        return false;
    }

    /** The texts around the payload of each message. */
    private void split() {
        session().set(PairProtocol.MESSAGE, PLACEHOLDER);
        if (call(speech.message()) instanceof SendCall send) {
            String whole = new String(send.bytes(), StandardCharsets.ISO_8859_1);
            int at = whole.indexOf(PLACEHOLDER);
            before = whole.substring(0, at).getBytes(StandardCharsets.ISO_8859_1);
            after = whole.substring(at + PLACEHOLDER.length()).getBytes(StandardCharsets.ISO_8859_1);
        } else {
            failed = true;
            line.ended(NOT_HEX);
        }
    }

    /** Sends a message of the pair. */
    void send(ByteBufAllocator allocator, Messages messages, Messages.Head head) {
        if (speech.messagesDiffer()) {
            session().set(PairProtocol.MESSAGE, messages.text(head));
            send(call(speech.message()));
        } else {
            line.send(messages.write(allocator, before, head, after), speech.isText());
        }
    }
}
