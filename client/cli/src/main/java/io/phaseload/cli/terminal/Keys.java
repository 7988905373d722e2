package io.phaseload.cli.terminal;

import io.phaseload.host.Daemons;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.result.ChangedLoad;
import io.phaseload.run.LoadState;
import io.phaseload.run.Steering;
import io.phaseload.schedule.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Keys that change a run's load. While it is open, the terminal passes on each key at once, without showing it; Ctrl-C
 * and Ctrl-Z work as ever.
 */
public final class Keys implements AutoCloseable {

    private static final String HELP =
            """
            + -        10 % more or less: of the rate, or of the users
            250 Enter  this rate a second, or number of users
            p          pause, and go on
            n          end this phase, begin the next one
            s          stop: requests in flight end
            A          abort: requests in flight are cut off
            ?          these keys
            """;

    private static final int MILLIS_BETWEEN_LOOKS = 50;
    private static final int MOST_DIGITS = 8;
    private static final Path OWN = Path.of("/proc/self/stat");

    private final InputStream in;
    private final Consumer<String> lines;
    private final Steering run;
    private final boolean raw;
    private final StringBuilder digits = new StringBuilder();
    private volatile boolean closed;

    /**
     * Reads keys, if standard input and standard error are a terminal whose foreground is this process, and standard
     * output isn't a pipe to a program that may read keys itself.
     *
     * @param lines gets a line for each change, and for a key that does nothing now
     * @param run is steered
     * @param wanted false for no keys
     */
    public Keys(InputStream in, Consumer<String> lines, Steering run, boolean wanted) {
        this.in = in;
        this.lines = lines;
        this.run = run;
        this.raw = wanted
                && Terminal.isTerminal(Terminal.IN)
                && Terminal.isTerminal(Terminal.ERR)
                && !Terminal.isPiped()
                && isForeground()
                && Terminal.raw();
        if (raw) {
            lines.accept("Keys change the load: ? lists them.");
            Daemons.named("phaseload-keys").newThread(this::read).start();
        }
    }

    /** A process of the background that reads from its terminal, or changes it, is stopped. */
    private static boolean isForeground() {
        try {
            // After the name: state, parent, group, session, terminal, the terminal's foreground group.
            String[] fields = Files.readString(OWN).replaceFirst(".*\\) ", "").split(" ");
            return fields[2].equals(fields[5]);
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** A read would go on when the run is over. */
    private void read() {
        try {
            while (!closed) {
                if (in.available() > 0 && isForeground()) {
                    pressed((char) in.read());
                } else {
                    Thread.sleep(MILLIS_BETWEEN_LOOKS);
                }
            }
        } catch (IOException e) {
            // The terminal is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void pressed(char key) {
        try {
            switch (key) {
                case '+' -> change(1.1);
                case '-' -> change(1 / 1.1);
                case 'p', ' ' -> steer(run.load().filter(LoadState::paused).isPresent() ? Kind.RESUME : Kind.PAUSE, "");
                case 'n' -> steer(Kind.NEXT, "");
                case 's' -> steer(Kind.STOP, "");
                case 'A' -> steer(Kind.ABORT, "");
                case '?' -> lines.accept(HELP.stripTrailing());
                case '\n', '\r' -> typed();
                default -> {
                    if (Character.isDigit(key) && digits.length() < MOST_DIGITS) {
                        digits.append(key);
                        return;
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            lines.accept(e.getMessage());
        }
        digits.setLength(0);
    }

    private void typed() {
        if (!digits.isEmpty()) {
            LoadState load = load();
            steer(load.open() ? Kind.RATE : Kind.USERS, digits + (load.open() ? "/s" : ""));
        }
    }

    private void change(double factor) {
        LoadState load = load();
        if (load.open()) {
            double rate = Rate.parse(load.level()).perSecond() * factor;
            // Whole requests a second, unless these are few.
            double round = rate < 10 ? rate : Math.rint(rate);
            steer(Kind.RATE, Rate.perSecond(1).times(round).toString());
        } else {
            int users = Integer.parseInt(load.level());
            int by = (int) Math.max(1, Math.rint(users * Math.abs(factor - 1)));
            steer(Kind.USERS, Integer.toString(Math.max(1, factor > 1 ? users + by : users - by)));
        }
    }

    private LoadState load() {
        return run.load().orElseThrow(() -> new IllegalArgumentException("no phase runs whose load can be changed"));
    }

    private void steer(Kind kind, String to) {
        ChangedLoad done = ChangedLoad.of(run.steer(kind, to, Steering.KEY));
        lines.accept((done.phase().isEmpty() ? "" : done.phase() + ": ") + done.text());
    }

    /** Gives the terminal its settings back. */
    @Override
    public void close() {
        closed = true;
        if (raw) {
            Terminal.restore();
        }
    }
}
