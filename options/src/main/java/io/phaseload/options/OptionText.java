package io.phaseload.options;

/**
 * The text of an option in help and messages.
 *
 * @param form the form of a value in help, such as {@code N} or {@code queue|drop}; empty for a flag
 * @param help a sentence, with the default in parentheses
 * @param heading of its section in help; empty for none
 * @param expected the form of a value in a message; empty if the value has no other than a count, a time and the like
 */
public record OptionText(String form, String help, String heading, String expected) {

    static final OptionText NONE = new OptionText("", "", "", "");

    /**
     * The same in another section.
     *
     * @param section its heading
     * @return a copy
     */
    public OptionText under(String section) {
        return new OptionText(form, help, section, expected);
    }

    /** With a default, unless there is no help. */
    OptionText withDefault(String value) {
        return value.isEmpty() || help.isEmpty()
                ? this
                : new OptionText(form, help + " (" + value + ")", heading, expected);
    }
}
