package io.phaseload.report.text;

import io.phaseload.report.cells.Columns;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.result.Proof;
import io.phaseload.result.Proof.Difference;
import io.phaseload.result.SelfProof;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The comparison of a run with its server's log, for people. */
public final class ProofLines {

    private ProofLines() {}

    /**
     * The outcome.
     *
     * @param proof the comparison
     * @return such as {@code Server's log: 7,400 of 7,400, none unexplained.}
     */
    public static String sentence(Proof proof) {
        return TextFormat.format(
                "Server's log: %,d of %,d, %s unexplained.",
                proof.matched(),
                proof.requests(),
                proof.unexplained() == 0 ? "none" : TextFormat.format("%,d", proof.unexplained()));
    }

    /**
     * The differences, and what else is known.
     *
     * @param proof the comparison
     * @return a line each; empty if client and log agree in everything
     */
    public static List<String> details(Proof proof) {
        Lines out = new Lines();
        for (Difference of : proof.differences()) {
            out.format(
                    "%s, %s: client %,d, log %,d: %s%s",
                    of.operation(),
                    of.status(),
                    of.client(),
                    of.server(),
                    of.explained() ? "" : "unexplained, perhaps ",
                    of.reason());
        }
        if (proof.others() > 0) {
            out.format("%,d lines of %s are of other requests during the run", proof.others(), proof.source());
        }
        return out.toString().lines().toList();
    }

    /** Both, for a report that is text. */
    static void add(Proof proof, Lines out) {
        out.add(sentence(proof));
        details(proof).forEach(line -> out.add("  " + line));
    }

    /**
     * The comparison as text.
     *
     * @param proof the comparison
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(Proof proof, int columns) {
        Lines out = new Lines(columns);
        add(proof, out);
        return out.toString();
    }

    /**
     * A client's check of itself as text.
     *
     * @param proof the outcome
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(SelfProof proof, int columns) {
        Lines out = new Lines(columns);
        out.add(new Columns<SelfProof.Check>()
                .text("figure", SelfProof.Check::figure)
                .number("target", "target", "", SelfProof.Check::target)
                .number("client", "client", "", SelfProof.Check::client)
                .number("allowed", "allowed ±", "", SelfProof.Check::tolerance)
                .text("outcome", of -> of.passed() ? "PASS" : "FAIL")
                .table("self", proof.checks().stream()));
        out.add("");
        out.add(sentence(proof));
        return out.toString();
    }

    /**
     * The outcome of a client's check of itself.
     *
     * @param proof the outcome
     * @return such as {@code 8 of 8 figures were right on this machine at 2026-11-20T12:00:00Z.}
     */
    public static String sentence(SelfProof proof) {
        return "%d of %d figures were right on this machine at %s."
                .formatted(
                        proof.checks().stream().filter(SelfProof.Check::passed).count(),
                        proof.checks().size(),
                        proof.at().truncatedTo(ChronoUnit.SECONDS));
    }
}
