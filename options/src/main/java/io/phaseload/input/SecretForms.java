package io.phaseload.input;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Secrets in each form that a text may have them in: as they are, percent-encoded (of a path's, a query's or a form's
 * characters only some), as JSON or HTML escapes them, and in base 64.
 */
final class SecretForms {

    /** Of each form, the texts that its characters may have in it, in their order. */
    private final List<List<List<String>>> forms;

    SecretForms(List<String> secrets) {
        forms = secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .flatMap(SecretForms::of)
                .toList();
    }

    private static Stream<List<List<String>>> of(String secret) {
        byte[] octets = secret.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                each(secret, SecretForms::plain),
                each(secret, SecretForms::percentEncoded),
                each(secret, SecretForms::inJson),
                each(secret, SecretForms::inHtml),
                List.of(List.of(Base64.getEncoder().withoutPadding().encodeToString(octets))),
                List.of(List.of(Base64.getUrlEncoder().withoutPadding().encodeToString(octets))));
    }

    /**
     * The longest secret at a place of a text.
     *
     * @param cut {@code true} if the text may end within one
     * @return the index of its end; {@code from} if there is none
     */
    int end(String text, int from, boolean cut) {
        int longest = from;
        for (List<List<String>> form : forms) {
            longest = Math.max(longest, end(text, from, form, cut));
        }
        return longest;
    }

    private static int end(String text, int from, List<List<String>> form, boolean cut) {
        int at = from;
        for (List<String> character : form) {
            int length = length(text, at, character, cut);
            if (length == 0) {
                return cut && at == text.length() ? at : from;
            }
            at += length;
        }
        return at;
    }

    private static int length(String text, int at, List<String> character, boolean cut) {
        int left = text.length() - at;
        for (String form : character) {
            int length = cut ? Math.min(form.length(), left) : form.length();
            if (text.regionMatches(isEscape(form), at, form, 0, length)) {
                return length;
            }
        }
        return 0;
    }

    /** Whether capitals don't matter: those of hexadecimal digits. */
    private static boolean isEscape(String form) {
        return form.length() > 2 && "%\\&".indexOf(form.charAt(0)) >= 0;
    }

    private static List<List<String>> each(String secret, IntFunction<List<String>> forms) {
        return secret.codePoints().mapToObj(forms).toList();
    }

    private static List<String> plain(int character) {
        return List.of(Character.toString(character));
    }

    private static List<String> percentEncoded(int character) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            encoded.append("%%%02X".formatted(octet));
        }
        return List.of(encoded.toString(), character == ' ' ? "+" : Character.toString(character));
    }

    private static List<String> inJson(int character) {
        List<String> forms = new ArrayList<>();
        StringBuilder units = new StringBuilder();
        Character.toString(character).chars().forEach(unit -> units.append("\\u%04X".formatted(unit)));
        forms.add(units.toString());
        int named = "\b\f\n\r\t\"\\/".indexOf(character);
        if (named >= 0) {
            forms.add("\\" + "bfnrt\"\\/".charAt(named));
        }
        forms.add(Character.toString(character));
        return forms;
    }

    private static List<String> inHtml(int character) {
        List<String> forms = new ArrayList<>(List.of("&#%d;".formatted(character), "&#x%x;".formatted(character)));
        int named = List.of("&", "<", ">", "\"", "'").indexOf(Character.toString(character));
        if (named >= 0) {
            forms.add(List.of("&amp;", "&lt;", "&gt;", "&quot;", "&apos;").get(named));
        }
        forms.add(Character.toString(character));
        return forms;
    }
}
