package io.phaseload.settings;

/** The groups of settings, which are the sections of the help. */
public enum SettingGroup {
    /** Where requests go. */
    TARGET("Target (default: --target tomcat)"),
    /** The way to it. */
    ROUTE("The way to the target, one of these"),
    /** The server's own figures. */
    SERVER("The server's own figures"),
    /** How much load, and by which engine. */
    LOAD("Load"),
    /** The agent that sends it. */
    CLIENT("HTTP client of the users"),
    /** The session rules of users. */
    SESSION("Cookies, redirects and challenges, with every client"),
    /** Pauses of a closed model. */
    CLOSED("Closed model (default): a user sends its next request when the previous one has ended"),
    /** Rates of an open model. */
    OPEN("Open model: requests are sent when they are due, by any user that is free; operations take turns"),
    /** Messages over WebSocket. */
    MESSAGES(
            "Messages over WebSocket (ws://, wss://) or MQTT (mqtt://, mqtts://): a user is a pair, and {pair} in the path"
                    + " its number"),
    /** The message to send. */
    REQUESTS("Requests, in order (default: GET / for --url; GET /, then POST / for --target)"),
    /** Conditions for the run to pass. */
    THRESHOLDS("Thresholds: without a phase, one applies to all phases but warmup and cooldown; if one fails, the exit"
            + " code is 99; if one is undecided, 6"),
    /** The name of the results. */
    RESULTS("Results");

    private final String heading;

    SettingGroup(String heading) {
        this.heading = heading;
    }

    /** {@return the line above its options in the help} */
    public String heading() {
        return heading;
    }
}
