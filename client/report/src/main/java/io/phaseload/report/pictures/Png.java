package io.phaseload.report.pictures;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.DocumentLimits;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import com.github.weisj.jsvg.view.ViewBox;
import java.awt.Color;
import java.awt.Component;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Draws SVG files as pixels. Only this class needs AWT. */
final class Png {

    /** For screens with two pixels per point, as on most phones and laptops. */
    private static final int SCALE = 2;

    /** The files are ours: a heat map has thousands of elements. */
    private static final DocumentLimits LIMITS = new DocumentLimits(
            DocumentLimits.DEFAULT_MAX_NESTING_DEPTH, DocumentLimits.DEFAULT_MAX_USE_NESTING_DEPTH, Integer.MAX_VALUE);

    private Png() {}

    /** As large as the picture itself, at two pixels per point. */
    static byte[] of(byte[] svg) throws IOException {
        return of(svg, 0, 0);
    }

    /** In a size of its own: the picture is as large as fits, from the left. */
    static byte[] of(byte[] svg, int wide, int high) throws IOException {
        SVGDocument document = new SVGLoader()
                .load(
                        new ByteArrayInputStream(svg),
                        null,
                        LoaderContext.builder().documentLimits(LIMITS).build());
        if (document == null) {
            throw new IOException("a picture can't be drawn");
        }
        int width = (int) document.size().width;
        int height = (int) document.size().height;
        double scale = wide == 0 ? SCALE : Math.min((double) wide / width, (double) high / height);
        BufferedImage image = new BufferedImage(
                wide == 0 ? SCALE * width : wide, high == 0 ? SCALE * height : high, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setBackground(Color.WHITE);
            graphics.clearRect(0, 0, image.getWidth(), image.getHeight());
            graphics.scale(scale, scale);
            document.render((Component) null, graphics, new ViewBox(0, 0, width, height));
        } finally {
            graphics.dispose();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }
}
