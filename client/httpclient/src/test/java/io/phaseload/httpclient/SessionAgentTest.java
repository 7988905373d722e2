package io.phaseload.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.journey.Bytes;
import io.phaseload.journey.FollowUp;
import io.phaseload.journey.NotFollowedException;
import io.phaseload.journey.UserAgent;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.SessionRules;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cookies by RFC 6265, and redirects by RFC 9110. */
class SessionAgentTest {

    private final UserAgent agent = agent("https://shop.example.co.uk/");

    private static UserAgent agent(String uri) {
        Target target = new Target(URI.create(uri), List.of(), Duration.ofSeconds(1), Duration.ofSeconds(1), false);
        return new SessionAgents()
                .newAgent(target, new SessionRules(true, 3, false, false, Optional.empty()), () -> "a:b");
    }

    private FollowUp answered(String method, int status, String... lines) throws Exception {
        return answered(method, status, 0, lines);
    }

    private FollowUp answered(String method, int status, int followed, String... lines) throws Exception {
        byte[] head = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.ISO_8859_1);
        return agent.answered(method, "/a/b?c", status, head, followed);
    }

    private String sent(String path) {
        Bytes head = new Bytes();
        agent.write("GET", path, head);
        return head.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k=v|/x|k=v",
                "k=v; Path=/a|/a/b|k=v",
                "k=v; Path=/a|/ab|",
                "k=v; Domain=example.co.uk; Path=/|/|k=v",
                // Public suffixes are nobody's.
                "k=v; Domain=co.uk; Path=/|/|",
                "k=v; Domain=uk; Path=/|/|",
                "k=v; Domain=other.example; Path=/|/|",
                "k=v; Secure; Path=/|/|k=v",
                "k=v; Max-Age=0; Path=/|/|",
                "k=v; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Path=/|/|",
                "k=v; Max-Age=100; HttpOnly; SameSite=Lax; Path=/|/|k=v",
                "=v; Path=/|/|",
            })
    void aCookieIsSentWhereItBelongs(String set, String path, String expected) throws Exception {
        boolean byDefault = !set.contains("Path");
        assertThat(answered("GET", 200, "Server: x", "set-cookie: " + set)).isNull();
        // Without a path, it is for all beside the one that set it.
        String of = byDefault ? "/a" + path : path;
        assertThat(sent(of)).isEqualTo(expected == null ? "" : "Cookie: " + expected + "\r\n");
        agent.clear();
        assertThat(sent(of)).isEmpty();
    }

    @Test
    void cookiesAreOneHeaderWithThoseOfLongerPathsFirst() throws Exception {
        answered("GET", 200, "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/x");
        answered("GET", 200, "Set-Cookie: a=3; Path=/");
        assertThat(sent("/x/y?z")).isEqualTo("Cookie: b=2; a=3\r\n");
    }

    @Test
    void aSecureCookieIsntSentInTheClear() throws Exception {
        UserAgent plain = agent("http://shop.example.co.uk/");
        byte[] head = "Set-Cookie: k=v; Secure; Path=/\n".getBytes(StandardCharsets.ISO_8859_1);
        plain.answered("GET", "/", 200, head, 0);
        Bytes sent = new Bytes();
        plain.write("GET", "/", sent);
        assertThat(sent.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "POST,301,GET,false",
        "POST,302,GET,false",
        "POST,303,GET,false",
        "PUT,303,GET,false",
        "PUT,302,PUT,true",
        "HEAD,303,HEAD,true",
        "POST,307,POST,true",
        "DELETE,308,DELETE,true",
    })
    void aRedirectKeepsTheMethodWhereItMust(String method, int status, String then, boolean body) throws Exception {
        assertThat(answered(method, status, "Location: d?e=f%20g")).isEqualTo(new FollowUp(then, "/a/d?e=f%20g", body));
        assertThat(answered(method, status, "Location: https://SHOP.example.co.uk:443/x"))
                .isEqualTo(new FollowUp(then, "/x", body));
        assertThat(answered(method, status, "Location: ?page=3")).isEqualTo(new FollowUp(then, "/a/b?page=3", body));
    }

    @Test
    void someAreNoRedirects() throws Exception {
        assertThat(answered("GET", 302)).isNull();
        assertThat(answered("GET", 304, "Location: /x")).isNull();
        assertThat(answered("GET", 200, "Location: /x")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "http://shop.example.co.uk/x,0,redirect to another server",
        "https://other.example/,0,redirect to another server",
        "/x,3,too many redirects",
        "https://[,0,malformed redirect",
    })
    void someAreNotFollowed(String location, int followed, String reason) {
        assertThatThrownBy(() -> answered("GET", 302, followed, "Location: " + location))
                .isInstanceOf(NotFollowedException.class)
                .hasMessage(reason);
    }
}
