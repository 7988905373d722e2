package io.phaseload.settings;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The groups of settings, which are the headings of the help. */
public enum SettingGroup {
    /** Where requests go. */
    TARGET,
    /** The way to it. */
    ROUTE,
    /** The server's own figures. */
    SERVER,
    /** How much load, and by which engine. */
    LOAD,
    /** The agent that sends it. */
    CLIENT,
    /** The session rules of users. */
    SESSION,
    /** Messages over WebSocket. */
    MESSAGES,
    /** Pauses of a closed model. */
    CLOSED,
    /** Rates of an open model. */
    OPEN,
    /** The message to send. */
    REQUESTS,
    /** Conditions for the run to pass. */
    THRESHOLDS,
    /** The name of the results. */
    RESULTS,
    /** Settings that the command line describes itself. */
    NONE;

    /**
     * Help for the options of a group, an entry for each.
     *
     * @param column the first column of descriptions
     * @return lines, each with an option and what it does
     */
    public String help(int column) {
        return Arrays.stream(Setting.values())
                .filter(setting -> setting.group() == this)
                .map(setting -> setting.help(column))
                .collect(Collectors.joining("\n"));
    }
}
