package io.phaseload.plan.connection;

import io.phaseload.input.Secrets;
import io.phaseload.options.ValueException;

/**
 * Whom somebody claims to be, and the proof.
 *
 * @param name not empty, and without a colon
 * @param password any text
 */
public record Credentials(String name, String password) {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is empty or has a colon
     */
    public Credentials {
        if (name.isEmpty() || name.contains(":")) {
            throw new ValueException("a name without a colon");
        }
    }

    /**
     * Reads a text.
     *
     * @param text {@code NAME:PASSWORD}
     * @return both
     * @throws IllegalArgumentException if there is no name or no colon
     */
    public static Credentials parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new ValueException("NAME:PASSWORD");
        }
        return new Credentials(text.substring(0, colon), text.substring(colon + 1));
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return Secrets.REDACTED;
    }
}
