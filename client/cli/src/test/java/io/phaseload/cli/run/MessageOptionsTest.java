package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageOptionsTest {

    private static final String URL = "ws://127.0.0.1:9/{pair}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5/s --expect status=200|--expect status=200 needs --url http://…",
                "--rate 5/s --http2|--http2 needs --url http://…",
                "--rate 5/s -X POST|--post needs --url http://…",
                "--rate 5/s --keep-cookies|--keep-cookies needs --url http://…",
                "--rate 5/s --think 1s|--rate 5/s cannot be combined with --think",
                "--threads 2|--url ws://127.0.0.1:9/{pair} needs --rate 500/s",
                "--rate 5/s --engine events|--engine events: expected websocket with addresses of ws://,"
                        + " wss://, mqtt:// and mqtts://, and only there",
                "--rate '5 requests/s'|--rate 5 requests/s: expected messages a second, such as"
                        + " 500/s: requests are of http:// and https://",
                "--phases 'a=1 for 1s at 5 journeys/s'|--phases a=1 for 1s at 5 journeys/s:"
                        + " expected messages a second, such as 500/s: journeys are of scenarios",
                "--rate 5/s --message-size 10|--message-size 10: expected a whole number of 64 or"
                        + " more, such as 100 or 10k",
                "--rate 5/s --subscribers 65|--subscribers 65: expected at most 64",
                "--rate 5/s --subprotocols a,,b|--subprotocols a,,b: expected names such as" + " v2.chat,v1.chat",
                "--rate 5/s --ping 0s|--ping 0s: expected a time above 0, such as 250ms, 30s, 5m or" + " 1h",
                "--rate 5/s --cacert x.pem|--cacert x.pem needs an address that begins with"
                        + " https://, wss:// or mqtts://",
                "--rate 5/s -x http://127.0.0.1:1|--proxy http://127.0.0.1:1: an HTTP proxy cannot be combined with"
                        + " ws://",
                "--rate 5/s -H Sec-WebSocket-Key:x|-H Sec-WebSocket-Key: expected one that the"
                        + " client doesn't set itself"
            })
    void whatMessagesCannotHaveIsNamed(String options, String error) {
        assertThat(plan(URL, options)).isEqualTo(new Cli(2, "", error + "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:9/|--subscribers 2|--subscribers 2 needs --url ws://…",
                "http://127.0.0.1:9/|--rate '5 messages/s'|--rate 5 messages/s: expected requests a"
                        + " second, such as 500/s: messages are of ws://, wss://, mqtt:// and mqtts://",
                "ws://127.0.0.1:9/x|--rate 5/s|--url ws://127.0.0.1:9/x: expected {pair} in the"
                        + " path, since each pair has an address of its own"
            })
    void messagesHaveAddressesOfTheirOwn(String url, String options, String error) {
        assertThat(plan(url, options)).isEqualTo(new Cli(2, "", error + "\n"));
    }

    @Test
    void aPlanKeepsItsAddressAsItWasWritten() {
        Cli plan = plan(URL + "?key=secret", "--rate '5 messages/s'");
        assertThat(plan.code()).isZero();
        assertThat(plan.out()).contains("url: \"ws://127.0.0.1:9/{pair}?key=[redacted]\"");
    }

    /** Words in quotes have blanks in them. */
    private static Cli plan(String url, String options) {
        String[] quoted = options.split("'");
        String[] words = quoted[0].strip().split(" ");
        Object[] line = new Object[2 + words.length + quoted.length / 2];
        line[0] = "plan";
        line[1] = url;
        System.arraycopy(words, 0, line, 2, words.length);
        if (quoted.length > 1) {
            line[2 + words.length] = quoted[1];
        }
        return Cli.run(line);
    }
}
