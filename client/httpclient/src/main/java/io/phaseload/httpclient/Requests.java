package io.phaseload.httpclient;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.plan.Target;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicHeader;

/** Requests as HttpClient takes them. Thread-safe; shared by all users. */
final class Requests {

    /** Requests that are signed again and again; those that are no longer sent can be forgotten. */
    private static final int MOST = 1_000;

    private final HttpHost host;
    private final String authority;
    private final URI root;
    // By the identity of their bytes.
    private final Map<byte[], MessageTemplate> templates = new ConcurrentHashMap<>();

    private record MessageTemplate(Header[] headers, HttpEntity body) {}

    Requests(Target target) {
        host = new HttpHost(target.uri().getScheme(), target.host(), target.port());
        authority = target.uri().getRawAuthority();
        root = URI.create(target.uri().getScheme() + "://" + authority + "/");
    }

    HttpHost host() {
        return host;
    }

    /** A request that is sent once. */
    HttpUriRequestBase of(PreparedRequest request) {
        MessageTemplate template = request.isSentOnce() ? template(request) : kept(request);
        HttpUriRequestBase sent = new HttpUriRequestBase(request.method(), root);
        // Not as a URI: some that are sent, and understood, are none by Java's rules.
        sent.setPath(request.path());
        sent.setHeaders(template.headers);
        sent.setEntity(template.body);
        return sent;
    }

    private MessageTemplate kept(PreparedRequest request) {
        MessageTemplate template = templates.get(request.wire());
        if (template == null) {
            if (templates.size() >= MOST) {
                templates.clear();
            }
            template = template(request);
            templates.put(request.wire(), template);
        }
        return template;
    }

    private MessageTemplate template(PreparedRequest request) {
        List<Header> headers = new ArrayList<>();
        request.headers().forEach((name, value) -> {
            if (!isHttpClients(name, value)) {
                headers.add(new BasicHeader(name, value));
            }
        });
        byte[] body = request.wireBody();
        return new MessageTemplate(
                headers.toArray(Header[]::new), body.length == 0 ? null : new ByteArrayEntity(body, null));
    }

    /** Its own headers: a redirect may lead to another host, with another body. */
    private boolean isHttpClients(String name, String value) {
        return name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)
                || name.equalsIgnoreCase(HttpHeaders.HOST) && value.equalsIgnoreCase(authority);
    }
}
