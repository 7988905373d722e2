package io.phaseload.engine;

import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.UserConnection;
import io.phaseload.measure.PhaseRecorder;
import io.phaseload.measure.Recorder;
import io.phaseload.plan.Load;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * The users of one phase, a thread each. A barrier holds all of them and the coordinator, so that
 * no user's first request precedes another's thread; when it trips, the phase's clock starts. A
 * second one joins them and stops the clock. Run once, by the coordinator's thread.
 */
final class PhaseRun implements PhaseUsers {

    private final PhaseCourse course;
    private final Connector connector;
    private final List<PreparedRequest> requests;
    private final PhaseRecorder recorder;
    private final CyclicBarrier start;
    private final CyclicBarrier end;

    // There while the phase's users are.
    private volatile Deadlines deadlines;

    PhaseRun(PhaseCourse course, Connector connector, List<PreparedRequest> requests) {
        this.course = course;
        this.connector = connector;
        this.requests = requests;
        this.recorder = new PhaseRecorder(requests.size());
        this.start = new CyclicBarrier(course.users() + 1, course::begin);
        this.end = new CyclicBarrier(course.users() + 1, course::end);
    }

    @Override
    public Recorder recorder() {
        return recorder;
    }

    @Override
    public void drain(Duration limit) {
        Deadlines watching = deadlines;
        if (watching != null) {
            watching.abandonAfter(limit.toNanos());
        }
    }

    @Override
    public void run() {
        List<Thread> threads = new ArrayList<>(course.users());
        try (Deadlines watching = watch(course.plan().target())) {
            deadlines = watching;
            startThreads(threads);
            if (course.fault().isEmpty()) {
                awaitUsers();
            }
            if (course.fault().isPresent()) {
                // Not a reset: it would hold those that come to the barrier later.
                threads.forEach(Thread::interrupt);
            }
            threads.forEach(Joining::join);
        } catch (OutOfMemoryError e) {
            noThread("no thread to watch the deadlines", e);
        }
    }

    private static Deadlines watch(Target target) {
        long connect = target.connectTimeout().toNanos();
        return new Deadlines(Math.min(connect, target.responseTimeout().toNanos()));
    }

    /** An {@link OutOfMemoryError} is the JVM's word for a limit of the system on threads, too. */
    private void noThread(String what, OutOfMemoryError why) {
        course.fail(new IllegalStateException(what + ": " + why.getMessage(), why));
    }

    private void startThreads(List<Thread> threads) {
        try {
            for (int i = 0; i < course.users(); i++) {
                UserConnection connection =
                        new UserConnection(connector, deadlines, this::awaitTurn);
                int index = i;
                Thread thread =
                        UserThreads.newThread(
                                course.plan().virtualThreads(),
                                "phaseload-" + course.phase().name() + "-" + (i + 1),
                                () -> runUser(index, connection));
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError e) {
            noThread(threads.size() + " of " + course.users() + " threads could be started", e);
        }
    }

    /** What would begin after the end isn't waited for any longer than that. */
    private boolean awaitTurn() {
        ConnectPace pace = course.connectPace();
        if (pace == null) {
            return true;
        }
        long turn = pace.next(System.nanoTime());
        boolean inTime = turn - course.endsNanos() < 0;
        return Waiting.until(inTime ? turn : course.endsNanos(), course.stop()) && inTime;
    }

    /** Returns when all users have ended, or this thread is interrupted. */
    private void awaitUsers() {
        try {
            start.await();
            course.watch(end::await);
        } catch (InterruptedException e) {
            // The barrier is broken now, and users end without it.
            course.drain();
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException e) {
            course.fail(e);
        } catch (OutOfMemoryError e) {
            noThread("no thread to take the intervals", e);
        }
    }

    private void runUser(int index, UserConnection connection) {
        try (connection) {
            start.await();
            send(index, connection);
            end.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            // Called off: the coordinator was interrupted or couldn't start all threads.
            Thread.currentThread().interrupt();
        }
    }

    private void send(int index, UserConnection connection) {
        UserTime time = course.newUserTime();
        User user =
                new User(
                        index,
                        connection,
                        requests,
                        recorder,
                        course.stop(),
                        course.health(),
                        course.newBackoff(),
                        time);
        try {
            long startNanos = course.startNanos();
            long endNanos = course.endsNanos();
            if (course.phase().load() instanceof Load.Closed closed) {
                user.iterate(
                        closed,
                        course.random(index),
                        course.iterations(),
                        startNanos + course.rampNanos(index),
                        endNanos);
                course.add(time);
            } else {
                user.serve(course.arrivals());
                if (course.phase().length() instanceof PhaseLength.Lasting) {
                    // Else the last gap would be missing from the time that the rate is made of.
                    Waiting.until(endNanos, course.stop());
                }
            }
        } catch (RuntimeException | Error e) {
            // Whatever it is, the others must still be joined and what was measured be kept.
            course.fail(e);
        }
    }
}
