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
    /** What sends it. */
    CLIENT,
    /** What users remember and answer. */
    SESSION,
    /** Messages over WebSocket. */
    MESSAGES,
    /** Pauses of a closed model. */
    CLOSED,
    /** Rates of an open model. */
    OPEN,
    /** What is sent. */
    REQUESTS,
    /** Conditions for the run to pass. */
    THRESHOLDS,
    /** What the results are called. */
    RESULTS,
    /** Settings that the command line describes itself. */
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
