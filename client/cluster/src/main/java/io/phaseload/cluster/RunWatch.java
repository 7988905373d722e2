package io.phaseload.cluster;

import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.wire.Message;
import io.phaseload.input.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Waits for what the agents of a run do, and finds those that are lost. For the coordinator's thread; {@link #stop()}
 * may be called by any.
 */
final class RunWatch {

    private static final long SECOND = 1_000_000_000L;

    /** A line names an agent that is silent for longer; each is asked each second. */
    private static final Duration SILENCE = Duration.ofMillis(2_500);

    /** The outcome of an agent's messages. */
    interface Listener {

        /**
         * An agent said something, at a time of this machine's clock.
         *
         * @throws IllegalArgumentException if it can't be; the agent is lost
         */
        void receive(Member from, Message message, long at);
    }

    private final Coordinator coordinator;
    private final String run;
    private final OnAgentLoss onLoss;
    private final Duration patience;
    private final Consumer<String> told;
    private final Listener listener;
    private boolean stopSent;
    private long asked = System.nanoTime();
    private volatile boolean stopAsked;

    /**
     * A watch on a run that is about to begin.
     *
     * @param run its id
     * @param patience an agent that says nothing for so long is lost
     * @param told of what people should know at once, a line each
     */
    RunWatch(
            Coordinator coordinator,
            String run,
            OnAgentLoss onLoss,
            Duration patience,
            Consumer<String> told,
            Listener listener) {
        this.coordinator = coordinator;
        this.run = run;
        this.onLoss = onLoss;
        this.patience = patience;
        this.told = told;
        this.listener = listener;
    }

    /** Has agents end the run. Returns at once. */
    void stop() {
        stopAsked = true;
        coordinator.wake();
    }

    /** The same as the longer one, with nothing due meanwhile. */
    void await(Predicate<Member> enough, Optional<String> late) throws InterruptedException {
        await(enough, late, () -> Long.MAX_VALUE, () -> {});
    }

    /**
     * Handles what happens until all active members are as they should be.
     *
     * @param enough true if no more is to come of a member for now
     * @param tick the time when something is due by this machine's clock
     */
    void await(Predicate<Member> enough, Optional<String> late, LongSupplier tick, Runnable due)
            throws InterruptedException {
        long began = System.nanoTime();
        while (coordinator.members().stream().anyMatch(of -> of.active() && !enough.test(of))) {
            long now = System.nanoTime();
            long next = tick.getAsLong();
            if (now - asked >= SECOND) {
                asked = now;
                coordinator.members().stream().filter(Member::reached).forEach(coordinator::ping);
            }
            long until = Math.min(next, asked + SECOND);
            Optional<Event> event = coordinator.next(until);
            if (event.isPresent()) {
                handle(event.get());
            } else if (until == next) {
                due.run();
            }
            if (coordinator.idle()) {
                loseTheSilent();
                late.ifPresent(why -> loseTheLate(enough, began, why));
            }
            if (stopAsked && !stopSent) {
                stopSent = true;
                coordinator.members().stream()
                        .filter(Member::active)
                        .forEach(member -> coordinator.send(member, new Message.Stop(run)));
            }
        }
    }

    /** Handles what happens until it is enough, or for a second. Nobody is lost by being late. */
    void awaitSoon(BooleanSupplier enough) throws InterruptedException {
        long limit = System.nanoTime() + SECOND;
        while (!enough.getAsBoolean() && limit - System.nanoTime() > 0) {
            coordinator.next(limit).ifPresent(this::handle);
        }
    }

    private void loseTheSilent() {
        long now = System.nanoTime();
        for (Member member : coordinator.members()) {
            if (member.active() && now - member.received() > patience.toNanos()) {
                giveUp(member, "nothing was heard of it");
            }
        }
    }

    private void loseTheLate(Predicate<Member> enough, long began, String why) {
        long now = System.nanoTime();
        for (Member member : coordinator.members()) {
            long since = Math.max(began, member.progressed());
            if (member.active() && !enough.test(member) && now - since > patience.toNanos()) {
                giveUp(member, why);
            }
        }
    }

    private void giveUp(Member member, String why) {
        coordinator.send(member, new Message.Stop(run));
        lose(member, "%s for %d s".formatted(why, patience.toSeconds()));
    }

    private void handle(Event event) {
        if (event instanceof Event.Gone gone) {
            coordinator.find(gone.member()).filter(Member::active).ifPresent(member -> gone(member, gone));
        } else if (event instanceof Event.MessageReceived received) {
            Optional<Member> from = coordinator.find(received.from());
            if (from.isEmpty()) {
                coordinator.refuse(received);
            } else if (from.get().active()
                    || from.get().lost().isEmpty() && received.message().isAboutClocks()) {
                received(from.get(), received.at());
                try {
                    listener.receive(from.get(), received.message(), received.at());
                } catch (IllegalArgumentException e) {
                    lose(from.get(), "it sent an invalid message: " + e.getMessage());
                }
            }
        }
    }

    private void gone(Member member, Event.Gone gone) {
        if (gone.ended()) {
            lose(member, "it isn't running any more");
        } else if (member.reached()) {
            member.cutOff();
            told.accept("agent %s can't be reached; it goes on, and keeps what it measures for up to %d s"
                    .formatted(member.name(), patience.toSeconds()));
        }
    }

    private void received(Member member, long at) {
        Duration silence = Duration.ofNanos(at - member.received());
        if (!member.reached() || silence.compareTo(SILENCE) > 0) {
            told.accept("agent %s is back: nothing was heard of it for %.1f s"
                    .formatted(member.name(), silence.toNanos() / 1e9));
        }
        member.received(at);
    }

    /** Gives up an agent, and by the run's policy the others, too. */
    void lose(Member member, String why) {
        member.lose(why);
        told.accept("agent %s is lost: %s".formatted(member.name(), Printable.of(why)));
        if (onLoss == OnAgentLoss.ABORT) {
            stop();
        }
    }
}
