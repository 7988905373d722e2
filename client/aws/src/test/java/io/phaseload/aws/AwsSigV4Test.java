package io.phaseload.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.Header;
import io.phaseload.plan.RequestSigner.Unsigned;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The expected signatures are those that botocore, another implementation, makes. */
class AwsSigV4Test {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final AwsCredentials KEYS = AwsBasicCredentials.create("AKIDEXAMPLE", SECRET);
    private static final URI URL = URI.create("https://abc.lambda-url.eu-west-1.on.aws/");
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2015-08-30T12:36:00Z"), ZoneOffset.UTC);

    @Test
    void aGetWithoutABody() {
        Unsigned request = new Unsigned(
                "GET", URL, List.of(header("Host", URL.getHost()), header("User-Agent", "phaseload")), new byte[0]);

        assertThat(signer(KEYS).sign(request))
                .contains(
                        header("X-Amz-Date", "20150830T123600Z"),
                        header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/lambda"
                                        + "/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date,"
                                        + " Signature=6a9b02eec13c8e7e7e5fb3113d2d2efbf76f0188e22fb816e661b2d1ecc00504"))
                .noneMatch(header -> header.name().equalsIgnoreCase("Host"));
    }

    @Test
    void aPostThatNeedsEncodingWithTemporaryCredentials() {
        Unsigned request = new Unsigned(
                "POST",
                URL.resolve("/items/a%20b?x=1&a=%C3%A4%20b"),
                List.of(header("Host", URL.getHost()), header("Content-Type", "text/plain; charset=utf-8")),
                "länge".getBytes(StandardCharsets.UTF_8));

        AwsCredentials temporary = AwsSessionCredentials.create("AKIDEXAMPLE", SECRET, "TOKEN/+=");
        assertThat(signer(temporary).sign(request))
                .contains(
                        header("X-Amz-Security-Token", "TOKEN/+="),
                        header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/lambda"
                                        + "/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256"
                                        + ";x-amz-date;x-amz-security-token,"
                                        + " Signature=c05729b1921f2b81c6272437339e05d4b23774106f18dc0a5a9128aaa657219c"));
    }

    @Test
    void eachSignatureHasItsOwnTimeAndCredentials() {
        MovingClock clock = new MovingClock();
        AwsSigV4 signer = AwsSigV4.of("aws:amz", URL, StaticCredentialsProvider.create(KEYS), clock);
        Unsigned request = new Unsigned("GET", URL, List.of(), new byte[0]);

        List<Header> first = signer.sign(request);
        clock.now = clock.now.plus(signer.renewal());
        List<Header> second = signer.sign(request);

        assertThat(first).contains(header("X-Amz-Date", "20150830T123600Z"));
        assertThat(second).contains(header("X-Amz-Date", "20150830T123700Z"));
        assertThat(second).isNotEqualTo(first);
        assertThat(signer.renewal()).isLessThan(Duration.ofMinutes(5).dividedBy(2));
    }

    @ParameterizedTest
    @CsvSource({
        "aws:amz, abc.lambda-url.eu-west-1.on.aws, 'aws-sigv4 (lambda, eu-west-1)'",
        "aws:amz, ABC.Lambda-URL.us-gov-east-1.on.aws, 'aws-sigv4 (lambda, us-gov-east-1)'",
        "aws:amz, abc.execute-api.us-east-2.amazonaws.com, 'aws-sigv4 (execute-api, us-east-2)'",
        "aws:amz:eu-north-1, abc.lambda-url.eu-west-1.on.aws, 'aws-sigv4 (lambda, eu-north-1)'",
        "aws:amz:eu-west-3:lambda, 127.0.0.1, 'aws-sigv4 (lambda, eu-west-3)'"
    })
    void regionAndServiceComeFromOptionsOrTheHost(String parameters, String host, String said) {
        assertThat(of(parameters, host)).hasToString(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aws:amz", "aws:amz:eu-west-1"})
    void aHostWithoutRegionAndServiceIsRejected(String parameters) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(parameters, "target.example"))
                .withMessage("expected aws:amz:region:service, since the host target.example doesn't" + " name them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "aws", "lambda", "aws:amz:", "aws:amz:a:b:c", "aws:amz:EU", "osc"})
    void invalidParametersAreRejected(String parameters) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(parameters, URL.getHost()))
                .withMessage("expected aws:amz[:region[:service]]");
    }

    private static AwsSigV4 of(String parameters, String host) {
        return AwsSigV4.of(
                parameters, URI.create("https://" + host + "/"), StaticCredentialsProvider.create(KEYS), CLOCK);
    }

    private static AwsSigV4 signer(AwsCredentials credentials) {
        return AwsSigV4.of("aws:amz", URL, StaticCredentialsProvider.create(credentials), CLOCK);
    }

    private static Header header(String name, String value) {
        return new Header(name, value);
    }

    private static final class MovingClock extends Clock {

        private Instant now = CLOCK.instant();

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
