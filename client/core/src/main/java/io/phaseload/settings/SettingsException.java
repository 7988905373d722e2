package io.phaseload.settings;

/**
 * A setting isn't as it must be. The message is one line for its author: where it was written, the
 * value, and what is allowed.
 */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Makes one. */
    public SettingsException(String message) {
        super(message);
    }
}
