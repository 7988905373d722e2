package io.phaseload.httpclient;

import io.phaseload.journey.Bytes;
import io.phaseload.journey.FollowUp;
import io.phaseload.journey.NotFollowedException;
import io.phaseload.journey.UserAgent;
import io.phaseload.measure.Cause;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.journey.SessionRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.client5.http.auth.AuthSchemeFactory;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.AuthenticationException;
import org.apache.hc.client5.http.auth.ChallengeType;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.MalformedChallengeException;
import org.apache.hc.client5.http.auth.StandardAuthScheme;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.Cookie;
import org.apache.hc.client5.http.cookie.CookieOrigin;
import org.apache.hc.client5.http.cookie.CookiePathComparator;
import org.apache.hc.client5.http.cookie.CookieSpec;
import org.apache.hc.client5.http.cookie.MalformedCookieException;
import org.apache.hc.client5.http.impl.DefaultAuthenticationStrategy;
import org.apache.hc.client5.http.impl.DefaultRedirectStrategy;
import org.apache.hc.client5.http.impl.auth.AuthenticationHandler;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.auth.BasicSchemeFactory;
import org.apache.hc.client5.http.impl.auth.DigestSchemeFactory;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.config.Lookup;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.message.BasicHttpResponse;

/** The rules of a session as HttpClient has them. Owned by the user's thread. */
final class SessionAgent implements UserAgent {

    /** A method that stays the same where others become {@code GET} (RFC 9110 §15.4). */
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    /** The schemes that a name and a password are an answer to. */
    private static final Lookup<AuthSchemeFactory> SCHEMES = RegistryBuilder.<AuthSchemeFactory>create()
            .register(StandardAuthScheme.BASIC, BasicSchemeFactory.INSTANCE)
            .register(StandardAuthScheme.DIGEST, DigestSchemeFactory.INSTANCE)
            .build();

    private final SessionRules rules;
    private final HttpHost host;
    private final boolean secure;
    private final CookieSpec spec;
    private final Supplier<String> credentials;
    private final BasicCookieStore cookies = new BasicCookieStore();
    private final AuthenticationHandler authentication = new AuthenticationHandler();
    private final AuthExchange challenges = new AuthExchange();
    private final HttpClientContext context;

    SessionAgent(Target target, SessionRules rules, CookieSpec spec, Supplier<String> credentials) {
        this.rules = rules;
        this.host = new HttpHost(target.uri().getScheme(), target.host(), target.port());
        this.secure = host.getSchemeName().equalsIgnoreCase("https");
        this.spec = spec;
        this.credentials = credentials;
        this.context = HttpClientContext.create();
        context.setAuthSchemeRegistry(SCHEMES);
    }

    @Override
    public void clear() {
        cookies.clear();
        challenges.reset();
    }

    @Override
    public void write(String method, String path, Bytes head) {
        if (rules.cookies()) {
            List<Cookie> matching = matching(path);
            if (!matching.isEmpty()) {
                spec.formatCookies(matching).forEach(header -> add(header, head));
            }
        }
        if (rules.credentials().isPresent()) {
            BasicHttpRequest request = request(method, path);
            authentication.addAuthResponse(host, ChallengeType.TARGET, request, challenges, context);
            for (Header header : request.getHeaders(HttpHeaders.AUTHORIZATION)) {
                add(header, head);
            }
        }
    }

    private static void add(Header header, Bytes head) {
        head.addLine(header.getName(), header.getValue());
    }

    private List<Cookie> matching(String path) {
        CookieOrigin origin = origin(path);
        Instant now = Instant.now();
        List<Cookie> matching = new ArrayList<>();
        for (Cookie cookie : cookies.getCookies()) {
            if (!cookie.isExpired(now) && spec.match(cookie, origin)) {
                matching.add(cookie);
            }
        }
        // Those of longer paths first (RFC 6265 §5.4).
        matching.sort(CookiePathComparator.INSTANCE);
        return matching;
    }

    private CookieOrigin origin(String path) {
        int query = path.indexOf('?');
        return new CookieOrigin(
                host.getHostName(), host.getPort(), query < 0 ? path : path.substring(0, query), secure);
    }

    @Override
    public FollowUp answered(String method, String path, int status, byte[] head, int followed)
            throws NotFollowedException {
        HttpResponse response = response(status, head);
        if (rules.cookies()) {
            keepCookies(response, origin(path));
        }
        if (rules.credentials().isPresent() && isToAnswer(response, followed)) {
            return new FollowUp(method, path, true);
        }
        return rules.redirects() > 0 ? redirected(request(method, path), response, followed) : null;
    }

    private void keepCookies(HttpResponse response, CookieOrigin origin) {
        for (Header header : response.getHeaders(HttpHeaders.SET_COOKIE)) {
            try {
                for (Cookie cookie : spec.parse(header, origin)) {
                    spec.validate(cookie, origin);
                    cookies.addCookie(cookie);
                }
            } catch (MalformedCookieException refused) {
                // As browsers do, without it.
            }
        }
    }

    /** Once for each redirect and for the request itself: else it could go on for ever. */
    private boolean isToAnswer(HttpResponse response, int followed) throws NotFollowedException {
        if (response.getCode() == HttpStatus.SC_UNAUTHORIZED) {
            context.setCredentialsProvider(answers());
        }
        try {
            return authentication.isChallenged(host, ChallengeType.TARGET, response, challenges, context)
                    && followed <= rules.redirects()
                    && authentication.handleResponse(
                            host,
                            ChallengeType.TARGET,
                            response,
                            DefaultAuthenticationStrategy.INSTANCE,
                            challenges,
                            context);
        } catch (AuthenticationException | MalformedChallengeException noAnswer) {
            return false;
        }
    }

    private CredentialsProvider answers() throws NotFollowedException {
        try {
            Credentials own = Credentials.parse(credentials.get());
            BasicCredentialsProvider answers = new BasicCredentialsProvider();
            answers.setCredentials(
                    new AuthScope(host),
                    new UsernamePasswordCredentials(own.name(), own.password().toCharArray()));
            return answers;
        } catch (IllegalArgumentException e) {
            throw new NotFollowedException("credentials without a name", "");
        }
    }

    private FollowUp redirected(BasicHttpRequest request, HttpResponse response, int followed)
            throws NotFollowedException {
        URI to;
        try {
            if (!DefaultRedirectStrategy.INSTANCE.isRedirected(request, response, context)) {
                return null;
            }
            to = location(request, response);
        } catch (HttpException | URISyntaxException e) {
            throw new NotFollowedException("malformed redirect", String.valueOf(e.getMessage()));
        }
        if (!isOurs(to)) {
            throw new NotFollowedException(Cause.REDIRECT_AWAY.key(), to.toString());
        }
        if (followed >= rules.redirects()) {
            throw new NotFollowedException(Cause.TOO_MANY_REDIRECTS.key(), to.toString());
        }
        String path = to.getRawPath().isEmpty() ? "/" : to.getRawPath();
        String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
        boolean same = isSameMethod(request.getMethod(), response.getCode());
        return new FollowUp(same ? request.getMethod() : "GET", path + query, same);
    }

    /** A query alone keeps the path (RFC 3986 §5.2.2); HttpClient takes it for one of the root. */
    private URI location(BasicHttpRequest request, HttpResponse response) throws HttpException, URISyntaxException {
        String location = response.getFirstHeader(HttpHeaders.LOCATION).getValue();
        return location.startsWith("?")
                ? new URI(request.getUri().toString().replaceFirst("\\?.*", "") + location)
                : DefaultRedirectStrategy.INSTANCE.getLocationURI(request, response, context);
    }

    private boolean isOurs(URI to) {
        int port = to.getPort() >= 0 ? to.getPort() : secure ? 443 : 80;
        return host.getSchemeName().equalsIgnoreCase(to.getScheme())
                && host.getHostName().equalsIgnoreCase(to.getHost())
                && host.getPort() == port;
    }

    private static boolean isSameMethod(String method, int status) {
        return switch (status) {
            case 301, 302 -> !method.equals("POST");
            case 303 -> SAFE.contains(method);
            default -> true;
        };
    }

    private BasicHttpRequest request(String method, String path) {
        return new BasicHttpRequest(method, host, path);
    }

    private static HttpResponse response(int status, byte[] head) {
        BasicHttpResponse response = new BasicHttpResponse(status);
        for (String line : new String(head, StandardCharsets.ISO_8859_1).split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                response.addHeader(new BasicHeader(
                        line.substring(0, colon), line.substring(colon + 1).strip()));
            }
        }
        return response;
    }
}
