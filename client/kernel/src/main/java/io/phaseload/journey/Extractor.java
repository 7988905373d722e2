package io.phaseload.journey;

import io.phaseload.plan.journey.Extraction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes one value from responses. Immutable, and shared by all users. */
public final class Extractor {

    private final Extraction extraction;
    private final int slot;
    private final ValueFinder finder;

    /**
     * Prepares an extraction.
     *
     * @param slots has a place for it
     * @throws IllegalArgumentException if its expression isn't one, or the libraries for it aren't on the class path
     */
    public Extractor(Extraction extraction, Slots slots) {
        this.extraction = extraction;
        this.slot = slots.of(extraction.name());
        this.finder = new ValueFinder(extraction);
    }

    /** Whether it looks at a response's header; else at its body. */
    public boolean ofHead() {
        return extraction.ofHead();
    }

    /** The value's name. */
    public String name() {
        return extraction.name();
    }

    /**
     * Takes the value.
     *
     * @param head lines of the response's header, each with its end
     * @param body the beginning of its body
     * @param session gets the value
     */
    public boolean take(byte[] head, byte[] body, Session session) {
        String found = extraction.take() == Extraction.Take.FIRST
                ? finder.first(head, body)
                : chosen(finder.all(head, body), session);
        if (found == null) {
            found = extraction.otherwise().orElse(null);
        }
        if (found == null) {
            return false;
        }
        session.set(slot, found);
        return true;
    }

    /** {@code null} if there is none. */
    private @Nullable String chosen(List<String> all, Session session) {
        if (extraction.take() == Extraction.Take.COUNT) {
            return Integer.toString(all.size());
        }
        if (all.isEmpty()) {
            return null;
        }
        return switch (extraction.take()) {
            case LAST -> all.get(all.size() - 1);
            case RANDOM -> all.get((int) session.random(0, all.size() - 1));
            case ALL -> String.join(",", all);
            default -> all.get(0);
        };
    }
}
