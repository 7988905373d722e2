package io.phaseload.planfile;

import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import io.phaseload.plan.KeptDetails;
import io.phaseload.settings.Settings;
import java.math.BigDecimal;
import tools.jackson.databind.node.ObjectNode;

/** Reads the details of requests that results keep, and writes them into a plan's document. */
final class DetailsForm {

    private static final String TRACE_REQUESTS = "traceRequests";
    private static final String TRACE_URL = "traceUrl";
    private static final String KEEP_HEADERS = "keepHeaders";

    private DetailsForm() {}

    static KeptDetails read(Settings settings) {
        return new KeptDetails(
                settings.read("target." + TRACE_REQUESTS, DetailsForm::percent).orElse(0.0),
                settings.read("target." + TRACE_URL, KeptDetails::checkUrl),
                settings.all("target." + KEEP_HEADERS).stream()
                        .map(given -> given.read(KeptDetails::checkName, "the name of a header, such as X-Request-Id"))
                        .toList());
    }

    private static double percent(String text) {
        double percent = Quantities.parsePercent(text);
        if (percent == 0) {
            throw new ValueException("more than 0%");
        }
        return percent;
    }

    static void write(ObjectNode json, KeptDetails details) {
        if (details.tracedPercent() > 0) {
            BigDecimal percent = BigDecimal.valueOf(details.tracedPercent()).stripTrailingZeros();
            json.put(TRACE_REQUESTS, percent.toPlainString() + "%");
        }
        details.traceUrl().ifPresent(url -> json.put(TRACE_URL, url));
        details.headers().forEach(name -> json.withArray(KEEP_HEADERS).add(name));
    }
}
