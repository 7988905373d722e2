package io.phaseload.report.junit;

import io.phaseload.result.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judgements in the terms of test reports, as {@link JUnitXml} writes them.
 *
 * @param name of what was judged
 * @param properties facts by name, in order
 * @param cases the judgements
 */
public record TestSuite(
        String name,
        Instant startedAt,
        Duration lasted,
        Optional<String> host,
        Map<String, String> properties,
        List<Case> cases) {

    /** The result of a case. */
    public enum CaseStatus {
        /** It passed. */
        PASSED,
        /** It failed, or couldn't be judged where that counts as a failure. */
        FAILED,
        /** It couldn't be measured because of a fault. */
        ERROR,
        /** It counts neither as passed nor as failed. */
        SKIPPED
    }

    /**
     * One judgement.
     *
     * @param name the same in every run, so that CI systems can show its history
     * @param status its result
     * @param kind the kind of judgement, in a word
     * @param message why it didn't pass; empty if it did
     * @param lasted the time that it took; zero where that means nothing
     */
    public record Case(String className, String name, CaseStatus status, String kind, String message, Duration lasted) {

        static Case passed(String className, String name) {
            return new Case(className, name, CaseStatus.PASSED, "", "", Duration.ZERO);
        }

        static Case failed(String className, String name, String kind, String message) {
            return new Case(className, name, CaseStatus.FAILED, kind, message, Duration.ZERO);
        }

        static Case skipped(String className, String name, String kind, String message) {
            return new Case(className, name, CaseStatus.SKIPPED, kind, message, Duration.ZERO);
        }
    }

    /** Keeps the properties' order. */
    public TestSuite {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        cases = List.copyOf(cases);
    }

    /** Of judgements that took no time of their own. */
    TestSuite(String name, Instant startedAt, Environment on, Map<String, String> properties, List<Case> cases) {
        this(name, startedAt, Duration.ZERO, on.host(), properties, cases);
    }

    long count(CaseStatus status) {
        return cases.stream().filter(of -> of.status() == status).count();
    }
}
