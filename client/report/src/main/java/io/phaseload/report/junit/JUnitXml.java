package io.phaseload.report.junit;

import io.phaseload.report.junit.TestSuite.Case;
import io.phaseload.report.junit.TestSuite.CaseStatus;
import java.io.StringWriter;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes test suites in the XML format of JUnit and Surefire, which CI systems read. */
public final class JUnitXml {

    /** In the format of Ant's task, which has no time zone: it is UTC. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

    private static final Pattern NOT_ALLOWED =
            Pattern.compile("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private final XMLStreamWriter out;

    private JUnitXml(XMLStreamWriter out) {
        this.out = out;
    }

    /**
     * Writes suites.
     *
     * @param suites in order
     * @return a document that declares UTF-8
     */
    public static String write(List<TestSuite> suites) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter out = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            new JUnitXml(out).document(suites);
            out.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a text takes all that is written to it", e);
        }
        return text.toString();
    }

    private void document(List<TestSuite> suites) throws XMLStreamException {
        out.writeStartDocument("UTF-8", "1.0");
        line(0);
        out.writeStartElement("testsuites");
        attribute("name", "phaseload");
        attribute(
                "tests", suites.stream().mapToInt(suite -> suite.cases().size()).sum());
        attribute("failures", count(suites, CaseStatus.FAILED));
        attribute("errors", count(suites, CaseStatus.ERROR));
        attribute("time", seconds(suites.stream().map(TestSuite::lasted).reduce(Duration.ZERO, Duration::plus)));
        for (TestSuite suite : suites) {
            suite(suite);
        }
        line(0);
        out.writeEndElement();
        line(0);
        out.writeEndDocument();
    }

    private void suite(TestSuite suite) throws XMLStreamException {
        line(1);
        out.writeStartElement("testsuite");
        attribute("name", suite.name());
        attribute("tests", suite.cases().size());
        attribute("failures", suite.count(CaseStatus.FAILED));
        attribute("errors", suite.count(CaseStatus.ERROR));
        attribute("skipped", suite.count(CaseStatus.SKIPPED));
        attribute("time", seconds(suite.lasted()));
        attribute("timestamp", TIME.format(suite.startedAt()));
        if (suite.host().isPresent()) {
            attribute("hostname", suite.host().get());
        }
        line(2);
        out.writeStartElement("properties");
        for (Map.Entry<String, String> property : suite.properties().entrySet()) {
            line(3);
            out.writeEmptyElement("property");
            attribute("name", property.getKey());
            attribute("value", property.getValue());
        }
        line(2);
        out.writeEndElement();
        for (Case of : suite.cases()) {
            testCase(of);
        }
        line(1);
        out.writeEndElement();
    }

    private void testCase(Case of) throws XMLStreamException {
        line(2);
        out.writeStartElement("testcase");
        attribute("classname", of.className());
        attribute("name", of.name());
        attribute("time", seconds(of.lasted()));
        String element =
                switch (of.status()) {
                    case PASSED -> null;
                    case FAILED -> "failure";
                    case ERROR -> "error";
                    case SKIPPED -> "skipped";
                };
        if (element != null) {
            line(3);
            out.writeStartElement(element);
            attribute("message", of.message());
            if (of.status() != CaseStatus.SKIPPED) {
                attribute("type", of.kind());
                // Some systems show the attribute, others the text.
                out.writeCharacters(allowed(of.message()));
            }
            out.writeEndElement();
            line(2);
        }
        out.writeEndElement();
    }

    private void attribute(String name, long value) throws XMLStreamException {
        attribute(name, Long.toString(value));
    }

    private void attribute(String name, String value) throws XMLStreamException {
        out.writeAttribute(name, allowed(value));
    }

    private void line(int depth) throws XMLStreamException {
        out.writeCharacters("\n" + "  ".repeat(depth));
    }

    private static long count(List<TestSuite> suites, CaseStatus status) {
        return suites.stream().mapToLong(suite -> suite.count(status)).sum();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }

    /** XML 1.0 can't represent most control characters, nor unpaired surrogates. */
    private static String allowed(String text) {
        return NOT_ALLOWED.matcher(text).replaceAll("\uFFFD");
    }
}
