package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code GET /metrics}: the figures of {@link TargetMeters} as Prometheus text, or as OpenMetrics text if requested.
 * Like {@link MetricsEndpoint}, it isn't counted.
 */
public final class PrometheusEndpoint extends Endpoint {

    private final TargetMeters meters;

    public PrometheusEndpoint(RequestTracker tracker, TargetMeters meters) {
        super(tracker, GET);
        this.meters = meters;
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String accept = request.getHeader("Accept");
        String type = accept != null && accept.contains("application/openmetrics-text")
                ? OpenMetricsTextFormatWriter.CONTENT_TYPE
                : PrometheusTextFormatWriter.CONTENT_TYPE;
        byte[] text = meters.scrape(type).getBytes(StandardCharsets.UTF_8);
        send(response, ServiceResponse.of(200, type, text));
    }
}
