package io.phaseload.cli.doctor;

import io.phaseload.cli.doctor.checks.CheckOutcome;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The doctor's result of one check.
 *
 * @param id of the check, which stays the same in every version
 */
record CheckLine(String id, CheckOutcome outcome) {

    /** {@code OK}, {@code WARN}, {@code FAIL} or {@code SKIP}. */
    String status() {
        return outcome.getClass().getSimpleName().toUpperCase(Locale.ROOT);
    }

    /** Whether there is something to do. */
    boolean matters() {
        return outcome instanceof CheckOutcome.Warn || outcome instanceof CheckOutcome.Fail;
    }

    /** For people: a line, and a second one with what helps. */
    String text() {
        if (outcome instanceof CheckOutcome.Ok ok) {
            return text(ok.found(), ok.meaning());
        }
        if (outcome instanceof CheckOutcome.Warn warn) {
            return text(warn.found(), warn.meaning()) + fix(warn.fix());
        }
        if (outcome instanceof CheckOutcome.Fail fail) {
            return text(fail.found(), fail.meaning()) + fix(fail.fix());
        }
        return text(((CheckOutcome.Skip) outcome).why());
    }

    private String text(String... sentences) {
        return "%-4s  %-16s  %s\n".formatted(status(), id, String.join(": ", sentences));
    }

    private static String fix(String fix) {
        return "%24sfix: %s\n".formatted("", fix);
    }

    /** For programs: {@code id}, {@code status}, and the parts of the outcome. */
    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("id", id).put("status", status());
        return json.setAll(JsonMapper.shared().<ObjectNode>valueToTree(outcome));
    }
}
