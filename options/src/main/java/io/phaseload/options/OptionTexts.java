package io.phaseload.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The texts of a bean's options. They are in a file beside its class, with the class's name and {@code .txt}: the names
 * of an option, or of several with the same text, and the form of a value on a line, then help on indented lines. A
 * colon between spaces is followed by the form in messages, if it is another one. Any other line is the heading of the
 * options below it.
 *
 * <p>The file is read when a text is needed, which is for help and messages.
 */
public final class OptionTexts {

    private final Class<?> bean;
    private Map<String, OptionText> texts;

    /**
     * Makes texts that aren't read yet.
     *
     * @param bean the class that declares the options
     */
    public OptionTexts(Class<?> bean) {
        this.bean = bean;
    }

    /**
     * The text of an option.
     *
     * @param name its long name
     * @return an empty text if there is no such file
     */
    public OptionText of(String name) {
        if (texts == null) {
            texts = read();
        }
        OptionText text = texts.isEmpty() ? OptionText.NONE : texts.get(name);
        if (text == null) {
            throw new IllegalStateException(bean.getName() + ": no text of " + name);
        }
        return text;
    }

    private Map<String, OptionText> read() {
        Map<String, OptionText> read = new HashMap<>();
        String heading = "";
        String head = "";
        StringBuilder help = new StringBuilder();
        for (String line : (content() + "\n-").lines().toList()) {
            if (line.startsWith(" ")) {
                help.append(help.isEmpty() ? "" : " ").append(line.strip());
            } else {
                if (!head.isEmpty()) {
                    add(head, help.toString(), heading, read);
                }
                help.setLength(0);
                head = line.startsWith("-") ? line : "";
                heading = line.startsWith("-") || line.isBlank() ? heading : line;
            }
        }
        return read;
    }

    private static void add(String head, String help, String heading, Map<String, OptionText> to) {
        String value = head.replaceAll("^(--\\S+ ?)*", "");
        String[] forms = value.split(" : ", 2);
        OptionText text = new OptionText(forms[0], help, heading, forms[forms.length - 1]);
        for (String name : head.substring(0, head.length() - value.length()).split(" ")) {
            to.put(name, text);
        }
    }

    private String content() {
        try (InputStream in = bean.getResourceAsStream(bean.getSimpleName() + ".txt")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
