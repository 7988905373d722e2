package io.phaseload.metrics;

/** The metrics. Prometheus's names follow from OpenTelemetry's and their units, as in its own receiver. */
enum MetricName {
    RESPONSE("phaseload.response.duration", "s", "time from when a request was due to the end of its response"),
    SERVICE("phaseload.service.duration", "s", "time from when a request was sent to the end of its response"),
    JOURNEY("phaseload.journey.duration", "s", "time of a journey, or of a group of its steps"),
    REQUESTS("phaseload.requests", "{request}", "requests that ended"),
    FAILURES("phaseload.failures", "{request}", "requests that failed"),
    USERS("phaseload.users", "{user}", "users of the phase that runs"),
    RATE("phaseload.request.rate", "{request}/s", "requests that ended in the last second");

    private final String name;
    private final String unit;
    private final String help;

    MetricName(String name, String unit, String help) {
        this.name = name;
        this.unit = unit;
        this.help = help;
    }

    /** OpenTelemetry's name. */
    String dotted() {
        return name;
    }

    String unit() {
        return unit;
    }

    String help() {
        return help;
    }

    /** Prometheus's name, without the {@code _total} of counters. */
    String underscored() {
        String suffix = unit.equals("s") ? "_seconds" : unit.endsWith("/s") ? "_per_second" : "";
        return name.replace('.', '_') + suffix;
    }
}
