package io.phaseload.content;

import io.phaseload.journey.ContentReader.Finder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import javax.xml.xpath.XPathEvaluationResult;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.jsoup.helper.W3CDom;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

/** XPath 1.0 of HTML, which jsoup reads and the JDK looks at. */
final class XPaths {

    private XPaths() {}

    static Finder finder(String expression) {
        compile(expression);
        // One is for one thread at a time.
        ThreadLocal<XPathExpression> compiled = ThreadLocal.withInitial(() -> compile(expression));
        return body -> find(compiled.get(), body);
    }

    private static XPathExpression compile(String expression) {
        try {
            return XPathFactory.newInstance().newXPath().compile(expression);
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException("expected an XPath: " + e.getMessage(), e);
        }
    }

    private static List<String> find(XPathExpression expression, byte[] body) {
        // Names are as they are written, without HTML's namespace.
        Document document = new W3CDom().namespaceAware(false).fromJsoup(CssSelectors.html(body));
        try {
            XPathEvaluationResult<?> result = expression.evaluateExpression(document);
            List<String> found = new ArrayList<>();
            if (result.value() instanceof XPathNodes nodes) {
                for (Node node : nodes) {
                    found.add(node.getTextContent().strip());
                }
            } else if (result.value() instanceof Double number) {
                if (!number.isNaN() && !number.isInfinite()) {
                    found.add(new BigDecimal(number.toString())
                            .stripTrailingZeros()
                            .toPlainString());
                }
            } else if (!result.value().toString().isEmpty()) {
                found.add(result.value().toString());
            }
            return found;
        } catch (XPathExpressionException noValue) {
            return List.of();
        }
    }
}
