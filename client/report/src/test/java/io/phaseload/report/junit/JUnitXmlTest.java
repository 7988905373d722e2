package io.phaseload.report.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.junit.TestSuite.Case;
import io.phaseload.report.junit.TestSuite.CaseStatus;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;

class JUnitXmlTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00.9Z");

    @Test
    void eachCasesOutcomeIsReportedAndCounted() throws Exception {
        Element suites = parse(
                suite(
                        "nightly",
                        of(CaseStatus.PASSED, ""),
                        of(CaseStatus.FAILED, "expected p99 < 1s, observed: 2000.000 ms"),
                        of(CaseStatus.ERROR, "out of memory"),
                        of(CaseStatus.SKIPPED, "SUSPECT: a busy client")),
                suite("weekly", of(CaseStatus.FAILED, "no")));

        assertThat(attributes(suites, "tests", "failures", "errors", "time")).containsExactly("5", "2", "1", "24.690");
        Element nightly = child(suites, "testsuite", 0);
        assertThat(attributes(nightly, "name", "tests", "failures", "errors", "skipped"))
                .containsExactly("nightly", "4", "1", "1", "1");
        assertThat(attributes(nightly, "time", "timestamp", "hostname"))
                .containsExactly("12.345", "2026-11-20T12:00:00", "bench-1");
        assertThat(attributes(child(nightly, "property", 0), "name", "value")).containsExactly("threads", "10");
        Element failed = child(nightly, "testcase", 1);
        assertThat(attributes(failed, "classname", "name", "time"))
                .containsExactly("nightly.peak", "p99 < 1s", "0.000");
        Element failure = child(failed, "failure", 0);
        assertThat(attributes(failure, "message", "type"))
                .containsExactly("expected p99 < 1s, observed: 2000.000 ms", "threshold");
        assertThat(failure.getTextContent()).isEqualTo(failure.getAttribute("message"));
        assertThat(child(child(nightly, "testcase", 2), "error", 0).getAttribute("message"))
                .isEqualTo("out of memory");
        assertThat(child(child(nightly, "testcase", 3), "skipped", 0).getAttribute("message"))
                .isEqualTo("SUSPECT: a busy client");
    }

    @Test
    void anyTextIsEscaped() throws Exception {
        String hostile = "</testcase>\"'&amp;]]><b>\u0000\u001b[31m\ud83d\ude00\ud83d ß\ufffe\t\n.";
        String readable = "</testcase>\"'&amp;]]><b>\ufffd\ufffd[31m\ud83d\ude00\ufffd ß\ufffd\t\n.";
        Case of = new Case(hostile, hostile, CaseStatus.FAILED, "threshold", hostile, Duration.ofNanos(1));
        TestSuite suite = new TestSuite(
                hostile, START, Duration.ZERO, Optional.of(hostile), Map.of(hostile, hostile), List.of(of));

        Element read = child(parse(suite), "testsuite", 0);

        // A reader of XML makes blanks of tabs and line ends in attributes.
        String blanks = readable.replaceAll("\\s", " ");
        assertThat(attributes(read, "name", "hostname")).containsExactly(blanks, blanks);
        assertThat(attributes(child(read, "property", 0), "name", "value")).containsExactly(blanks, blanks);
        assertThat(attributes(child(read, "testcase", 0), "classname", "name")).containsExactly(blanks, blanks);
        assertThat(child(read, "failure", 0).getTextContent()).isEqualTo(readable);
    }

    @Test
    void isTheSameUnderEveryLocale() {
        TestSuite suite = suite("nightly", of(CaseStatus.PASSED, ""));
        String expected = JUnitXml.write(List.of(suite));
        Locale before = Locale.getDefault();
        try {
            for (String tag : List.of("ar-EG", "de-DE", "tr-TR")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(JUnitXml.write(List.of(suite))).isEqualTo(expected);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    private static TestSuite suite(String name, Case... cases) {
        return new TestSuite(
                name,
                START,
                Duration.ofMillis(12_345),
                Optional.of("bench-1"),
                Map.of("threads", "10"),
                List.of(cases));
    }

    private static Case of(CaseStatus status, String message) {
        return new Case("nightly.peak", "p99 < 1s", status, "threshold", message, Duration.ZERO);
    }

    /** The root of a document that is as the schema says. */
    private static Element parse(TestSuite... suites) throws Exception {
        Schema schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(JUnitXmlTest.class.getResource("junit.xsd"));
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setSchema(schema);
        var builder = factory.newDocumentBuilder();
        builder.setErrorHandler(new Strict());
        Document document = builder.parse(new InputSource(new StringReader(JUnitXml.write(List.of(suites)))));
        return document.getDocumentElement();
    }

    private static Element child(Element parent, String name, int index) {
        return (Element) parent.getElementsByTagName(name).item(index);
    }

    private static List<String> attributes(Element element, String... names) {
        return List.of(names).stream().map(element::getAttribute).toList();
    }

    private static final class Strict implements ErrorHandler {

        @Override
        public void warning(SAXParseException e) throws SAXParseException {
            throw e;
        }

        @Override
        public void error(SAXParseException e) throws SAXParseException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXParseException {
            throw e;
        }
    }
}
