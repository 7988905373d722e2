package io.phaseload.report.pictures;

import io.phaseload.report.Chart;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A chart that can be drawn, below its title and what it is of.
 *
 * @param name the name of its file without the extension: that of the corresponding Vega-Lite file, if there is one
 * @param title what it shows
 * @param panels from top to bottom
 */
record Picture(String name, String title, List<Panel> panels) {

    private static final String SVG = "http://www.w3.org/2000/svg";

    private static final int HEAD = 54;
    private static final int LEFT = 12;

    /** For screens with two pixels per point, as on most phones and laptops. */
    private static final int SCALE = 2;

    /** The picture of a Vega-Lite file of this name; none if it has nothing to show. */
    static List<Picture> of(String name, List<Panel> panels) {
        return panels.isEmpty() ? List.of() : List.of(new Picture(name, Chart.title(name), panels));
    }

    private int height() {
        return HEAD + panels.stream().mapToInt(Panel::height).sum();
    }

    private void paint(Graphics2D graphics, String about) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, ChartStyle.WIDTH, height());
        ChartStyle.heading(graphics, title, LEFT, 24);
        String fitted = ChartStyle.fitted(about, ChartStyle.WIDTH - 2.0 * LEFT);
        ChartStyle.text(graphics, fitted, LEFT, 44, ChartStyle.FAINT);
        AffineTransform origin = graphics.getTransform();
        int top = HEAD;
        for (Panel panel : panels) {
            graphics.translate(0, top);
            panel.paint(graphics);
            graphics.setTransform(origin);
            top += panel.height();
        }
    }

    /** {@code about} says of which run and when. */
    byte[] png(String about) throws IOException {
        BufferedImage image = new BufferedImage(SCALE * ChartStyle.WIDTH, SCALE * height(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.scale(SCALE, SCALE);
            paint(graphics, about);
        } finally {
            graphics.dispose();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    /** Text is drawn as outlines, so that it looks the same without these fonts; its title is text. */
    byte[] svg(String about) throws IOException {
        Document document;
        try {
            document = DocumentBuilderFactory.newInstance()
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
        graphics.setSVGCanvasSize(new Dimension(ChartStyle.WIDTH, height()));
        graphics.setBackground(Color.WHITE);
        paint(graphics, about);
        Element root = graphics.getRoot();
        String text = (title + " – " + about).replaceAll("\\p{Cntrl}", " ");
        root.setAttribute("viewBox", "0 0 %d %d".formatted(ChartStyle.WIDTH, height()));
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", text);
        Element named = document.createElementNS(SVG, "title");
        named.setTextContent(text);
        root.insertBefore(named, root.getFirstChild());
        return bytes(root);
    }

    /** With the JDK: Batik's own serializer would refer to a DTD, which readers fetch from the network. */
    private static byte[] bytes(Element root) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            TransformerFactory.newInstance().newTransformer().transform(new DOMSource(root), new StreamResult(bytes));
        } catch (TransformerException e) {
            throw new IOException("a picture can't be written as SVG: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }
}
