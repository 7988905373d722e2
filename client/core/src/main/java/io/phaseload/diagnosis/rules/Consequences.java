package io.phaseload.diagnosis.rules;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.verdict.rules.FindingTexts;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Causes and consequences: one fault is one finding, with its consequences below it. */
final class Consequences {

    /** By the id of a cause: the ids of its consequences. */
    static final Map<String, Set<String>> BY_CAUSE = read();

    /** A cause that explains less than this part of what it is to explain leaves another one. */
    private static final double LEAST_OF = 0.25;

    private Consequences() {}

    private static Map<String, Set<String>> read() {
        FindingTexts texts = new FindingTexts(Consequences.class, "consequences.properties");
        return texts.keys().stream().filter(Consequences::isId).collect(Collectors.toMap(cause -> cause, cause -> words(
                        texts.get(cause))
                .flatMap(word -> isId(word) ? Stream.of(word) : words(texts.get(word)))
                .collect(Collectors.toSet())));
    }

    private static Stream<String> words(String text) {
        return Stream.of(text.split(" +"));
    }

    private static boolean isId(String word) {
        return Character.isLowerCase(word.charAt(0));
    }

    /** The causes among findings, in their order, each with what follows from it. */
    static List<Diagnosis> under(List<Diagnosis> found) {
        Map<Diagnosis, List<String>> follow = new IdentityHashMap<>();
        List<Diagnosis> causes = new ArrayList<>();
        for (Diagnosis one : found) {
            Diagnosis root = root(one, found);
            if (root == one) {
                causes.add(one);
            } else {
                follow.computeIfAbsent(root, any -> new ArrayList<>()).add(one.id() + ": " + one.text());
            }
        }
        return causes.stream()
                .map(cause -> cause.followedBy(follow.getOrDefault(cause, List.of())))
                .toList();
    }

    /** The cause of its cause, and so on; the sets above have no circle. */
    private static Diagnosis root(Diagnosis one, List<Diagnosis> found) {
        return found.stream()
                .filter(other -> explains(other, one))
                .findFirst()
                .map(cause -> root(cause, found))
                .orElse(one);
    }

    private static boolean explains(Diagnosis cause, Diagnosis other) {
        boolean together = cause.phase().isEmpty()
                || other.phase().isEmpty()
                || cause.phase().equals(other.phase());
        return together
                && BY_CAUSE.getOrDefault(cause.id(), Set.of()).contains(other.id())
                && cause.impact() >= LEAST_OF * other.impact();
    }
}
