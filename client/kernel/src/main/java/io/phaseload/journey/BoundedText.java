package io.phaseload.journey;

/**
 * A text in which a regular expression may look for some time only: one that goes back again and again would hold up
 * all users of an event loop. Owned by one thread.
 */
final class BoundedText implements CharSequence {

    /** An expression looked at too many characters, again and again. */
    static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLong() {
            super("a regular expression takes too long", null, false, false);
        }
    }

    /** Some milliseconds; an expression that doesn't go back looks once at each character. */
    private static final int LEAST_LOOKS = 1_000_000;

    private static final int LOOKS_PER_CHARACTER = 20;

    private final String text;
    private long left;

    BoundedText(String text) {
        this.text = text;
        this.left = LEAST_LOOKS + (long) LOOKS_PER_CHARACTER * text.length();
    }

    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooLong();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
