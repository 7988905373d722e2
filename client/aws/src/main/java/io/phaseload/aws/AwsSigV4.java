package io.phaseload.aws;

import io.phaseload.options.ValueException;
import io.phaseload.plan.Header;
import io.phaseload.plan.RequestSigner;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Signs requests with AWS Signature Version 4. Immutable and thread-safe.
 *
 * <p>AWS accepts a signature for five minutes. It is renewed each minute with the current credentials; the SDK
 * refreshes expiring ones if it can.
 */
public final class AwsSigV4 implements RequestSigner {

    private static final Duration RENEWAL = Duration.ofMinutes(1);

    private static final Pattern PARAMETERS = Pattern.compile("aws:amz(?::([a-z0-9-]+))?(?::([a-z0-9-]+))?");

    /** Hosts that contain their region: function URLs, and HTTP or REST APIs of API Gateway. */
    private static final Pattern HOST = Pattern.compile("[^.]+\\.(?:lambda-url\\.(?<url>[a-z0-9-]+)\\.on\\.aws"
            + "|execute-api\\.(?<api>[a-z0-9-]+)\\.amazonaws\\.com(?:\\.cn)?)");

    /** Proxies may change or add all others. */
    private static final Set<String> SIGNED_HEADERS = Set.of("host", "content-type");

    private final String region;
    private final String service;
    private final AwsCredentialsProvider credentials;
    private final Clock clock;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    AwsSigV4(String region, String service, AwsCredentialsProvider credentials, Clock clock) {
        this.region = region;
        this.service = service;
        this.credentials = credentials;
        this.clock = clock;
    }

    /**
     * A signer with the credentials that the AWS SDK finds: system properties, environment variables, the profile, the
     * container's or the instance's role. Looks for them at once.
     *
     * @param parameters as curl's option {@code --aws-sigv4} takes them: {@code aws:amz[:region[:service]]}
     * @param url its host gives region and service if they aren't in the parameters
     * @return the signer
     * @throws IllegalArgumentException if the parameters are malformed, if neither they nor the host give region and
     *     service, or if there are no credentials
     */
    public static AwsSigV4 of(String parameters, URI url) {
        AwsSigV4 signer =
                of(parameters, url, DefaultCredentialsProvider.builder().build(), Clock.systemUTC());
        try {
            signer.credentials.resolveCredentials();
        } catch (SdkException e) {
            // Its own message lists a dozen places on as many lines.
            throw new ValueException(
                    "",
                    "AWS credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile with keys, or a role",
                    e);
        }
        return signer;
    }

    static AwsSigV4 of(String parameters, URI url, AwsCredentialsProvider credentials, Clock clock) {
        Matcher given = PARAMETERS.matcher(parameters);
        if (!given.matches()) {
            throw new ValueException("aws:amz[:region[:service]]");
        }
        Matcher host = HOST.matcher(url.getHost().toLowerCase(Locale.ROOT));
        String region = given.group(1);
        String service = given.group(2);
        if (host.matches()) {
            boolean functionUrl = host.group("url") != null;
            region = region != null ? region : host.group(functionUrl ? "url" : "api");
            service = service != null ? service : functionUrl ? "lambda" : "execute-api";
        }
        if (region == null || service == null) {
            throw new ValueException(
                    "aws:amz:region:service, since the host %s doesn't name them".formatted(url.getHost()));
        }
        return new AwsSigV4(region, service, credentials, clock);
    }

    @Override
    public Duration renewal() {
        return RENEWAL;
    }

    /**
     * {@inheritDoc}
     *
     * @throws SdkException if there are no credentials any more
     */
    @Override
    public List<Header> sign(Unsigned request) {
        SdkHttpRequest.Builder unsigned = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(request.method()))
                .uri(request.uri());
        request.headers().stream()
                .filter(header -> SIGNED_HEADERS.contains(lowerCase(header.name())))
                .forEach(header -> unsigned.putHeader(header.name(), header.value()));
        SignedRequest signed = signer.sign(r -> r.identity(credentials.resolveCredentials())
                .request(unsigned.build())
                .payload(() -> new ByteArrayInputStream(request.body()))
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                .putProperty(HttpSigner.SIGNING_CLOCK, clock));
        return signed.request().headers().entrySet().stream()
                .filter(header -> !SIGNED_HEADERS.contains(lowerCase(header.getKey())))
                .map(header -> new Header(header.getKey(), header.getValue().get(0)))
                .toList();
    }

    /** How requests are signed, without secrets. */
    @Override
    public String toString() {
        return "aws-sigv4 (%s, %s)".formatted(service, region);
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
