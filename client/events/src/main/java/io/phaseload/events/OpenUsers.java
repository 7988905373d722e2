package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.engine.Arrivals;
import io.phaseload.engine.Arrivals.Arrival;
import io.phaseload.engine.PhaseCourse;
import io.phaseload.engine.Reachability.Backoff;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.PhaseLength;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One loop's users in an open phase: whoever has been free for longest sends what is due. */
final class OpenUsers {

    private final UserLoop loop;
    private final PhaseCourse course;
    private final List<LoopRequest> requests;
    private final List<Sender> senders;
    private final Deque<OpenUser> free = new ArrayDeque<>();
    // At most as many as are free, in their order.
    private final Deque<Arrival> claimed = new ArrayDeque<>();
    // Those that keep away from a target that can't be reached, until then.
    private final Map<OpenUser, ScheduledFuture<?>> away = new LinkedHashMap<>();
    private final int users;
    private Arrivals.Share arrivals;
    private ScheduledFuture<?> waiting;
    private boolean none;
    private boolean over;

    OpenUsers(UserLoop loop, int users) {
        this.loop = loop;
        this.course = loop.course();
        this.requests = loop.context().requests();
        this.users = users;
        this.senders = new ArrayList<>(users);
        for (int i = 0; i < users; i++) {
            free.add(new OpenUser());
        }
    }

    void start(Arrivals.Share share) {
        arrivals = share;
        sendWhatIsDue();
    }

    /** Ends them all when those with a request in flight are done. */
    void stop() {
        away.values().forEach(back -> back.cancel(false));
        free.addAll(away.keySet());
        away.clear();
        if (waiting != null) {
            waiting.cancel(false);
            waiting = null;
        }
        sendWhatIsDue();
    }

    private void sendWhatIsDue() {
        // Whoever is free claims at once, as threads do: a claim that comes late means that nobody
        // was free, not that this loop was.
        while (claimed.size() < free.size() && !none && !course.stopped()) {
            Arrival next = arrivals.claim();
            if (next == null) {
                none = true;
            } else {
                claimed.add(next);
            }
        }
        while (waiting == null && !claimed.isEmpty() && !course.stopped()) {
            long wait = claimed.peek().intendedNanos() - System.nanoTime();
            if (wait > 0) {
                waiting = loop.context().schedule(() -> loop.guard(this::awake), wait);
            } else {
                free.poll().send(claimed.poll());
            }
        }
        boolean done = none && claimed.isEmpty() || course.stopped();
        if (done && waiting == null && free.size() == users) {
            finish();
        }
    }

    private void awake() {
        waiting = null;
        sendWhatIsDue();
    }

    /** The last one is answered; a phase by time lasts until its end for all that. */
    private void finish() {
        long left = course.startNanos() + course.durationNanos() - System.nanoTime();
        boolean timed = course.phase().length() instanceof PhaseLength.Lasting;
        if (timed && left > 0 && !course.stopped()) {
            waiting = loop.context().schedule(() -> loop.guard(this::awake), left);
        } else if (!over) {
            over = true;
            senders.forEach(Sender::close);
            loop.ended();
        }
    }

    /** A user with its own sender. */
    private final class OpenUser {

        private final Sender sender;
        private Arrival sent;
        private Backoff backoff;

        OpenUser() {
            sender = loop.newSender(this::answered);
            senders.add(sender);
        }

        void send(Arrival due) {
            sent = due;
            sender.exchange(requests.get((int) (due.index() % requests.size())));
        }

        private void answered(long readyNanos, Exchange exchange) {
            if (exchange == null) {
                free();
                return;
            }
            int operation = (int) (sent.index() % requests.size());
            loop.record(operation, sent.intendedNanos(), exchange);
            if (backoff == null) {
                backoff = course.newBackoff();
            }
            long away = backoff.after(exchange);
            if (away > 0) {
                keepAway(away);
            } else {
                free();
            }
        }

        /** From a target that can't be reached. */
        private void keepAway(long nanos) {
            long left = course.endsNanos() - System.nanoTime();
            away.put(
                    this,
                    loop.context().schedule(() -> loop.guard(this::back), Math.min(nanos, left)));
        }

        private void back() {
            away.remove(this);
            free();
        }

        private void free() {
            free.add(this);
            sendWhatIsDue();
        }
    }
}
