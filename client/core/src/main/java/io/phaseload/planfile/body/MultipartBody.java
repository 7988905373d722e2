package io.phaseload.planfile.body;

import io.phaseload.plan.Body;
import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32;

/** The parts of a {@code multipart/form-data} body (RFC 7578). Texts are templates; a file is sent as it is. */
public final class MultipartBody {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final String boundary;
    private final boolean templates;
    // A body that isn't text can't be a template.
    private final boolean binary;

    private MultipartBody(Given parts, boolean templates, String boundary) {
        this.boundary = boundary;
        this.templates = templates;
        this.binary = parts.elements().stream()
                .flatMap(part -> part.part("file").stream())
                .anyMatch(file -> Body.ofBytes(content(file)).text().isEmpty());
        parts.elements().forEach(this::add);
        write("--" + boundary + "--\r\n");
    }

    /**
     * Reads parts.
     *
     * @param parts a list
     * @param templates true if texts are templates
     * @throws io.phaseload.settings.SettingsException naming a part that is none
     */
    public static MultipartBody of(Given parts, boolean templates) {
        // What follows from the parts alone is the same each time that the plan is read.
        CRC32 sum = new CRC32();
        sum.update(new MultipartBody(parts, templates, "").bytes.toByteArray());
        return new MultipartBody(parts, templates, "phaseload-" + HexFormat.of().toHexDigits(sum.getValue()));
    }

    /** {@return the header {@code Content-Type} that it needs} */
    public String type() {
        return "multipart/form-data; boundary=" + boundary;
    }

    /** {@return the parts with their boundaries} */
    public Body body() {
        return Body.ofBytes(bytes.toByteArray());
    }

    private void add(Given part) {
        String name = part.part("name").map(Given::text).orElse("");
        Optional<Given> file = part.part("file");
        Optional<Given> text = part.part("text");
        if (file.isPresent() == text.isPresent()) {
            throw part.wrong("expected one of text and file");
        }
        write("--" + boundary + "\r\nContent-Disposition: form-data; name=" + quoted(name));
        file.ifPresent(given -> write(
                "; filename=" + quoted(part.part("fileName").map(Given::text).orElse(nameOf(given)))));
        Optional<String> type = part.part("type").map(Given::text);
        if (type.isPresent() || file.isPresent()) {
            String own = type.orElse("application/octet-stream").replaceAll("\\p{Cntrl}", "");
            write("\r\nContent-Type: " + literal(own));
        }
        write("\r\n\r\n");
        text.ifPresent(this::addText);
        file.ifPresent(this::addFile);
        write("\r\n");
    }

    private void addText(Given text) {
        if (!templates) {
            write(text.text());
            return;
        }
        Template template = text.read(Template::parse, "a text");
        if (binary && !template.isLiteral()) {
            throw text.wrong("expected no values beside a file that isn't UTF-8 text");
        }
        write(binary ? template.literals() : template.text());
    }

    private void addFile(Given file) {
        byte[] content = content(file);
        if (binary || !templates) {
            bytes.writeBytes(content);
        } else {
            write(literal(new String(content, StandardCharsets.UTF_8)));
        }
    }

    /**
     * Reads a file.
     *
     * @param file a value that names it
     * @return its bytes
     * @throws io.phaseload.settings.SettingsException if it can't be read
     */
    public static byte[] content(Given file) {
        try {
            return Files.readAllBytes(file.file());
        } catch (IOException e) {
            throw file.wrong("expected a readable file");
        }
    }

    private static String nameOf(Given file) {
        Path name = Path.of(file.text()).getFileName();
        return name == null ? file.text() : name.toString();
    }

    /** As browsers do: without what would end it. */
    private String quoted(String text) {
        String escaped = text.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
        return '"' + literal(escaped) + '"';
    }

    private String literal(String text) {
        return binary || !templates ? text : Template.quoted(text);
    }

    private void write(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
