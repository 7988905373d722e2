package io.phaseload.plan.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alive",
                "it's",
                "''",
                "'",
                "a' status=200 body~'b",
                "x' body~'\"y\"",
                "\"both\" and '",
                "line\n' break"
            })
    void isReadAsItWasWritten(String text) {
        Check check = new Check.BodyCheck(text, false);
        assertThat(Check.parseWritten(check.toString())).containsExactly(check);
        assertThat(Check.parse(check + " status=2xx")).containsExactly(check, Check.StatusIs.parse("2xx"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body='alive'",
                "body='it''s' as 'a ''cause'",
                "status=2xx,304 as 'not there'",
                "body~'a' as 'b' status=200 body='as ''x' as 'y'"
            })
    void namesAreReadAsTheyAreWritten(String text) {
        List<Check> checks = Check.parse(text);
        assertThat(checks.stream().map(Check::toString).collect(Collectors.joining(" ")))
                .isEqualTo(text);
        assertThat(checks).allSatisfy(check -> assertThat(Check.parseWritten(check.toString()))
                .containsExactly(check));
    }

    @Test
    void aCauseIsTheNameOrTheText() {
        assertThat(Check.parse("body=alive as \"isn't alive\" status=200 body~as").stream()
                        .map(Check::cause))
                .containsExactly("isn't alive", "check status=200", "check body~'as'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"status=200 as", "as x", "body= as x", "status=200 as x as y", "body='a' as 'x: y'"})
    void whatIsNoNameIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Check.parse(text)).withMessageStartingWith("expected");
    }

    @Test
    void aLongTextTakesNoDeepStack() {
        Check check = new Check.BodyCheck("x''".repeat(20_000), false);
        assertThat(Check.parseWritten(check.toString())).containsExactly(check);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "status<400|status<400",
                "status!=5xx,429|status!=5xx,429",
                "not:status=404|status!=404",
                "not:status>=400|not:status>=400",
                "time<300ms|time<300ms",
                "size<=10k|size<=10k",
                "type=json|type=json",
                "type!='text/html'|type!=text/html",
                "header:Content-Type~json|header:Content-Type~'json'",
                "header:X-Id|header:X-Id",
                "not:header:X-Id|not:header:X-Id",
                "cookie:id=''|cookie:id=''",
                "json:/items/0/id>0|json:/items/0/id>0",
                "json:/a~1b~0=3|json:/a~1b~0=3",
                "json:/name~'1'|json:/name~'1'",
                "json:/name!~/^a+$/|json:/name!~/^a+$/",
                "jsonpath:$.items[?(@.id==3)].name='a b'|jsonpath:$.items[?(@.id==3)].name='a b'",
                "count:json:/items/*>=3|count:json:/items/*>=3",
                "css:'ul > li'=first|css:'ul > li'=first",
                "count:css:li.item=2|count:css:li.item=2",
                "xpath:count(//li[@id='x'])>1|xpath:count(//li[@id='x'])>1",
                "body~/a{2} b/|body~/a{2} b/",
                "body!~'error'|body!~'error'",
                "body~/a/b|body~'/a/b'",
                "bytes~ffd8|bytes~'ffd8'",
                "schema:item.json|schema:item.json",
                "warn:time<1s as slow|warn:time<1s as 'slow'",
                "warn:not:body~x|warn:body!~'x'",
            })
    void eachKindIsReadAsItIsWritten(String text, String written) {
        List<Check> checks = Check.parse(text);
        assertThat(checks).extracting(Check::toString).containsExactly(written);
        assertThat(Check.parse(written + " status=200")).containsExactly(checks.get(0), new Check.StatusIs(200));
    }

    @Test
    void aTextThatBeginsWithASlashEndsAtTheBlank() {
        assertThat(Check.parse("body~/ok/ css:a@href~/next status=200 header:X~/a json:/b~'/c d/' size<3"))
                .extracting(Check::toString)
                .containsExactly(
                        "body~/ok/", "css:a@href~'/next'", "status=200", "header:X~'/a'", "json:/b~'/c d/'", "size<3");
        assertThat(Check.parse("body~/the size of it/ status=200")).hasSize(2);
        assertThat(Check.parse("body~/(?P<n>a) b/ body!~/^$/"))
                .extracting(Check::toString)
                .containsExactly("body~/(?P<n>a) b/", "body!~/^$/");
    }

    @Test
    void anExpressionThatWouldBeReadAsAnotherIsRefused() {
        Subject body = new Subject(Subject.Kind.BODY, "", false);
        for (String expression : List.of("a body~x", "a/ b", "a\\")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ValueCheck(body, new Requirement.Matches(expression)))
                    .withMessageStartingWith("expected quotes around a text that begins with /");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "css:a@href~/next body~/ok/|expected quotes around a text that begins with /",
                "body~/a as 'b' body~c/|expected quotes around a text that begins with /",
                "body~/a as b/|expected quotes around a text that begins with /",
                "status<1000|expected a check that can hold and fail: status<1000 always holds",
                "status>=600|expected a check that can hold and fail: status>=600 never holds",
                "size>=0|expected a check that can hold and fail: size>=0 always holds",
                "count:json:/a<0|expected a check that can hold and fail: count:json:/a<0 never holds",
                "time=1s|expected <, <=, > or >= after time",
                "time<300|expected a time of 0s or more, such as 250ms, 30s, 5m or 1h",
                "size~3|expected =, !=, <, <=, > or >= and a number after size",
                "count:body>1|expected count: before header, cookie, json, jsonpath, css or xpath",
                "count:json:/a~1|expected =, !=, <, <=, > or >= and a number after count:json:/a~1",
                "json>3|expected json:…",
                "body:x=3|expected no expression after body",
                "sha256=abc|expected = and 64 hexadecimal digits after sha256",
                "bytes=xyz|expected = or ~ and pairs of hexadecimal digits after bytes",
                "type~json|expected = and a media type such as json or text/html, after type",
                "schema:a.json=3|expected nothing after schema:file",
                "warn:warn:size<3|expected checks such as",
            })
    void aMistakeSaysWhatIsAllowed(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Check.parse("status=200 " + text))
                .withMessageStartingWith(message)
                .withMessageEndingWith("; found something else at character 12");
    }

    /** Earlier versions didn't double quotes. */
    @Test
    void whatEarlierVersionsWroteIsRead() {
        assertThat(Check.parseWritten("body~'it's'")).isEqualTo(List.of(new Check.BodyCheck("it's", false)));
    }
}
