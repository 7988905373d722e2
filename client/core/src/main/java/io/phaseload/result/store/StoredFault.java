package io.phaseload.result.store;

/** The stored text of what ended the run, which begins with its class. */
final class StoredFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;

    StoredFault(String text) {
        super(text.replaceFirst("^[\\w.$]+: ", ""));
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
