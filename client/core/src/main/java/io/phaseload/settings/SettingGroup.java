package io.phaseload.settings;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What settings are about: the headings of the help. */
public enum SettingGroup {
    /** Where requests go. */
    TARGET,
    /** The server's own figures. */
    SERVER,
    /** How much load there is, and what makes it. */
    LOAD,
    /** What sends it. */
    CLIENT,
    /** Pauses. */
    CLOSED,
    /** Rates. */
    OPEN,
    /** What is sent. */
    REQUESTS,
    /** What must hold. */
    THRESHOLDS,
    /** What is kept. */
    RESULTS,
    /** What the command line has options of its own for. */
    NONE;

    /**
     * Help for the options of a group, an entry for each.
     *
     * @param column where descriptions begin
     * @return lines, each with an option and what it does
     */
    public String help(int column) {
        return Arrays.stream(Setting.values())
                .filter(setting -> setting.group() == this)
                .map(setting -> setting.help(column))
                .collect(Collectors.joining("\n"));
    }
}
