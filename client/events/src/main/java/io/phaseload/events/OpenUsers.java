package io.phaseload.events;

import io.netty.util.concurrent.ScheduledFuture;
import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.Sender;
import io.phaseload.measure.Exchange;
import io.phaseload.user.Arrivals;
import io.phaseload.user.Arrivals.Arrival;
import io.phaseload.user.OpenUser;
import io.phaseload.user.VirtualUser.Action;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One loop's users in an open phase: the one that has been free for longest sends what is due. */
final class OpenUsers {

    private final UserLoop loop;
    private final PhaseRun phase;
    private final List<Sender> senders;
    private final Deque<LoopUser> free = new ArrayDeque<>();
    // At most as many as are free, in their order.
    private final Deque<Arrival> claimed = new ArrayDeque<>();
    // Those that back off from a target that can't be reached, until then.
    private final Map<LoopUser, ScheduledFuture<?>> away = new LinkedHashMap<>();
    private final int users;
    private Arrivals.Share arrivals;
    private ScheduledFuture<?> waiting;
    private boolean none;
    private boolean over;

    OpenUsers(UserLoop loop, int users) {
        this.loop = loop;
        this.phase = loop.phase();
        this.users = users;
        this.senders = new ArrayList<>(users);
        for (int i = 0; i < users; i++) {
            free.add(new LoopUser());
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
        long now = System.nanoTime();
        // A free user claims immediately, as threads do: a claim that comes late means that nobody
        // was free, not that this loop was.
        while (claimed.size() < free.size() && !none && !stopped()) {
            Arrival next = arrivals.claim(now - phase.startNanos());
            if (next == Arrival.NONE) {
                none = true;
            } else {
                claimed.add(next);
            }
        }
        while (waiting == null && !claimed.isEmpty() && !stopped()) {
            long wait = phase.startNanos() + claimed.peek().offsetNanos() - now;
            if (wait > 0) {
                waiting = awakeAfter(wait);
            } else {
                free.poll().send(claimed.poll());
                now = System.nanoTime();
            }
        }
        boolean done = none && claimed.isEmpty() || stopped();
        if (done && waiting == null && free.size() == users) {
            finish(now);
        }
    }

    private boolean stopped() {
        return phase.control().stopped();
    }

    private ScheduledFuture<?> awakeAfter(long nanos) {
        return loop.context().schedule(() -> loop.guard(this::awake), nanos);
    }

    private void awake() {
        waiting = null;
        sendWhatIsDue();
    }

    /** The last one is answered. */
    private void finish(long now) {
        long left = phase.startNanos() + phase.settings().leastNanos() - now;
        if (left > 0 && !stopped()) {
            waiting = awakeAfter(left);
        } else if (!over) {
            over = true;
            senders.forEach(Sender::close);
            loop.ended();
        }
    }

    /** A user with its own sender. */
    private final class LoopUser {

        private final Sender sender;
        // Made when it is first needed: with many users, to make all would take too long.
        private OpenUser user;

        LoopUser() {
            sender = loop.newSender(this::answered);
            senders.add(sender);
        }

        void send(Arrival due) {
            if (user == null) {
                user = phase.newOpenUser();
            }
            user.take(due);
            sender.exchange(loop.context().requests().get(user.operation()));
        }

        private void answered(long readyNanos, Exchange exchange) {
            if (exchange == null) {
                free();
                return;
            }
            int operation = user.operation();
            loop.record(operation, user.answered(readyNanos, exchange), exchange);
            long now = System.nanoTime();
            if (user.next(now, stopped()) == Action.WAIT) {
                keepAway(user.wakeNanos() - now);
            } else {
                free();
            }
        }

        /** From a target that can't be reached. */
        private void keepAway(long nanos) {
            away.put(this, loop.context().schedule(() -> loop.guard(this::back), nanos));
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
