package io.phaseload.diagnosis.rules;

import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.verdict.rules.EvidenceText;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** How findings are concluded, for people. */
public final class Explanations {

    private Explanations() {}

    /**
     * All ids that can be explained.
     *
     * @return those of diagnoses, then those of the verdict's findings
     */
    public static List<String> ids() {
        return Stream.concat(
                        Diagnoses.claims().stream().map(Claim::id),
                        Arrays.stream(Rule.values()).map(Rule::id))
                .toList();
    }

    /**
     * Explains a finding.
     *
     * @param id of a diagnosis or of a verdict's finding
     * @return paragraphs; empty if there is none of that id
     */
    public static Optional<List<String>> of(String id) {
        Stream<List<String>> claims =
                Diagnoses.claims().stream().filter(of -> of.id().equals(id)).map(Explanations::of);
        Stream<List<String>> rules =
                Arrays.stream(Rule.values()).filter(of -> of.id().equals(id)).map(Explanations::of);
        return Stream.concat(claims, rules).findFirst();
    }

    /**
     * Explains findings.
     *
     * @param ids of diagnoses or of a verdict's findings
     * @return JSON on one line: an array with an object for each, with its paragraphs
     */
    public static String json(List<String> ids) {
        return JsonMapper.shared()
                        .writeValueAsString(ids.stream()
                                .map(id -> Map.of("id", id, "text", of(id).orElseThrow()))
                                .toList())
                + "\n";
    }

    private static List<String> of(Claim claim) {
        return List.of(
                "%s: a diagnosis, about the %s"
                        .formatted(claim.id(), claim.about().name().toLowerCase(Locale.ROOT)),
                "It says: " + EvidenceText.withNames(Wording.REQUESTS.text(claim.text())),
                "How it is concluded: " + claim.basis(),
                "What to do: " + Wording.REQUESTS.text(claim.advice()));
    }

    private static List<String> of(Rule rule) {
        return List.of(
                "%s: a reason of the verdict, about the %s"
                        .formatted(rule.id(), rule.about().name().toLowerCase(Locale.ROOT)),
                "It says: " + EvidenceText.withNames(Wording.REQUESTS.text(rule.pattern())),
                "docs/verdict.md says when.");
    }

    /**
     * All diagnoses as a part of a page.
     *
     * @return Markdown, a heading for each
     */
    static String markdown() {
        StringBuilder out = new StringBuilder();
        for (Claim claim : Diagnoses.claims()) {
            List<String> paragraphs = of(claim);
            out.append("## `").append(claim.id()).append("`\n\n");
            for (String paragraph : paragraphs.subList(1, paragraphs.size())) {
                out.append(folded(paragraph.replace("<", "&lt;").replaceFirst("^([^:]+:)", "**$1**")))
                        .append('\n');
            }
        }
        return out.toString().stripTrailing() + "\n";
    }

    /** Lines of at most 120 columns. */
    private static String folded(String paragraph) {
        return paragraph.replaceAll("(.{1,120})(?: |$)", "$1\n");
    }
}
