package io.phaseload.http.stream;

import java.util.OptionalLong;

/**
 * Checks the ids of events after a reconnect, if they are whole numbers: one that isn't above the last one was received
 * before, and a jump is a loss if ids rose by one until then.
 */
final class EventIds {

    private OptionalLong last = OptionalLong.empty();
    private boolean byOne = true;
    private boolean resumed;
    private long lost;

    /** A new connection begins. */
    void resume() {
        resumed = true;
    }

    /** Takes the next one; returns whether its event was received before. */
    boolean isRepeated(String id) {
        OptionalLong number = number(id);
        if (number.isEmpty() || last.isEmpty()) {
            byOne &= number.isPresent();
            last = number;
            resumed &= number.isEmpty();
            return false;
        }
        long jump = number.getAsLong() - last.getAsLong();
        if (resumed && jump <= 0) {
            return true;
        }
        if (jump != 1 && resumed && byOne) {
            lost += jump - 1;
        } else {
            byOne &= jump == 1;
        }
        resumed = false;
        last = number;
        return false;
    }

    private static OptionalLong number(String id) {
        return id.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(id)) : OptionalLong.empty();
    }

    /** How many events were never received. */
    long lost() {
        return lost;
    }
}
