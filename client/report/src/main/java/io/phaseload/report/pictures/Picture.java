package io.phaseload.report.pictures;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A chart that can be drawn.
 *
 * @param name the name of its file without the extension: that of the corresponding Vega-Lite file,
 *     if there is one
 * @param chart the chart
 */
record Picture(String name, Chart<?, ?> chart) {

    private static final String SVG = "http://www.w3.org/2000/svg";

    /** For screens with two pixels per point, as on most phones and laptops. */
    private static final int SCALE = 2;

    byte[] png() throws IOException {
        int width = chart.getWidth();
        int height = chart.getHeight();
        BufferedImage image =
                new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.scale(SCALE, SCALE);
            chart.paint(graphics, width, height);
        } finally {
            graphics.dispose();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    /**
     * Text is drawn as outlines, so that it looks the same without these fonts; its title is text.
     */
    byte[] svg() throws IOException {
        Document document;
        try {
            document =
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .getDOMImplementation()
                            .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("a JDK has a parser", e);
        }
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(1);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(chart.getWidth(), chart.getHeight()));
        graphics.setBackground(Color.WHITE);
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 %d %d".formatted(chart.getWidth(), chart.getHeight()));
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", chart.getTitle());
        Element title = document.createElementNS(SVG, "title");
        title.setTextContent(chart.getTitle());
        root.insertBefore(title, root.getFirstChild());
        return bytes(root);
    }

    /**
     * With the JDK: Batik's own serializer would refer to a DTD, which readers fetch from the
     * network.
     */
    private static byte[] bytes(Element root) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            TransformerFactory.newInstance()
                    .newTransformer()
                    .transform(new DOMSource(root), new StreamResult(bytes));
        } catch (TransformerException e) {
            throw new IOException("a picture can't be written as SVG: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }
}
