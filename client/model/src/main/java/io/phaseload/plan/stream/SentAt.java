package io.phaseload.plan.stream;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * Where an event says when its server sent it.
 *
 * @param pointer its place in the data, as a JSON Pointer (RFC 6901) such as {@code /sentAt}
 * @param unit of a number since 1970; empty for a text as in RFC 3339
 */
public record SentAt(String pointer, Optional<EpochUnit> unit) {

    /** The unit of a time since 1970. */
    public enum EpochUnit {
        /** Seconds. */
        S(1e9),
        /** Milliseconds. */
        MS(1e6),
        /** Microseconds. */
        US(1e3),
        /** Nanoseconds. */
        NS(1);

        private final double nanos;

        EpochUnit(double nanos) {
            this.nanos = nanos;
        }

        /** {@return nanoseconds of one} */
        public double nanos() {
            return nanos;
        }
    }

    /**
     * Checks the pointer.
     *
     * @throws IllegalArgumentException naming it
     */
    public SentAt {
        checkPointer("sentAt", pointer);
    }

    /** Checks a JSON pointer that leads to a part. */
    static void checkPointer(String name, String pointer) {
        try {
            Args.notBlank(name, pointer);
            JsonPointer.compile(pointer);
        } catch (IllegalArgumentException e) {
            throw new ValueException(
                    "%s '%s'".formatted(name, pointer), "a JSON Pointer such as /choices/0/delta/content");
        }
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @param text such as {@code /sentAt:ms}, or {@code /sentAt}
     * @throws IllegalArgumentException if it isn't that
     */
    static SentAt parse(String text) {
        for (EpochUnit unit : EpochUnit.values()) {
            String suffix = ":" + unit.name().toLowerCase(Locale.ROOT);
            if (text.endsWith(suffix)) {
                String pointer = text.substring(0, text.length() - suffix.length());
                return new SentAt(pointer, Optional.of(unit));
            }
        }
        return new SentAt(text, Optional.empty());
    }

    /** The form of a plan. */
    @Override
    public String toString() {
        return pointer
                + unit.map(of -> ":" + of.name().toLowerCase(Locale.ROOT)).orElse("");
    }
}
