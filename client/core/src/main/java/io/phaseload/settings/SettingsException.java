package io.phaseload.settings;

/** A setting is wrong. The message is one line for its author: where it was written, its value, and what is allowed. */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Makes one. */
    public SettingsException(String message) {
        super(message);
    }
}
