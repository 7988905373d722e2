package io.phaseload.prove;

import io.phaseload.measure.Cause;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Proof;
import io.phaseload.result.Proof.Difference;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Assigns lines of an access log to the requests of a run. Not thread-safe. */
public final class Reconciliation {

    private static final Pattern VALUE = Pattern.compile("\\{[^}]*\\}");

    private static final String NO_LINE =
            "the client has these responses: another server or a cache sent them, or the log lacks lines";
    private static final String NO_REQUEST = "another client sent them, or lines are there twice";

    /** Operations with the same method and path, which are the same in a log. */
    private static final class LoggedPath {
        private final String method;
        private final Pattern path;
        private final List<String> operations = new ArrayList<>();
        private final Map<Integer, Long> sent = new TreeMap<>();
        private final Map<Integer, Long> logged = new TreeMap<>();
        private final Map<String, Long> unanswered = new TreeMap<>();
        private long resent;

        LoggedPath(String method, Pattern path) {
            this.method = method;
            this.path = path;
        }

        String name() {
            return String.join(", ", operations);
        }

        boolean has(AccessLine line) {
            return method.equals(line.method()) && path.matcher(line.path()).matches();
        }
    }

    private final String source;
    private final Result result;
    private final Map<String, Integer> ids;
    private final Predicate<AccessLine> during;
    private final List<LoggedPath> groups = new ArrayList<>();
    private final Set<String> found = new HashSet<>();
    private long ours;
    private long others;
    private long twice;
    private long otherStatus;

    /**
     * A reconciliation without lines so far.
     *
     * @param source the log, for people
     * @param plan the plan as it was run
     * @param result the result of the run
     * @param ids of its requests; without any, requests are counted
     * @param during true for lines of the time of the run
     */
    public Reconciliation(
            String source, Plan plan, Result result, Optional<SentIds> ids, Predicate<AccessLine> during) {
        this.source = source;
        this.result = result;
        this.ids = ids.map(SentIds::statuses).orElse(Map.of());
        this.during = during;
        List<Operation> operations = plan.scenario().operations();
        Map<String, LoggedPath> byRequest = new LinkedHashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Pattern path = pattern(plan, operation.path());
            LoggedPath group = byRequest.computeIfAbsent(
                    operation.method() + " " + path, any -> new LoggedPath(operation.method(), path));
            group.operations.add(operation.name());
            for (PhaseResult phase : result.phases()) {
                count(group, phase.operations().get(i));
            }
        }
        groups.addAll(byRequest.values());
    }

    /** The path of the target comes first; a value of a template is any text. */
    private static Pattern pattern(Plan plan, String path) {
        String base =
                Optional.ofNullable(plan.target().uri().getRawPath()).orElse("").replaceFirst("/$", "");
        String whole = path.equals("/") && !base.isEmpty() ? plan.target().uri().getRawPath() : base + path;
        boolean template = plan.scenario().journeys().isPresent() && path.indexOf('{') >= 0;
        return template
                ? Pattern.compile(VALUE.splitAsStream(whole).map(Pattern::quote).collect(Collectors.joining("[^ ]*"))
                        + (whole.endsWith("}") ? "[^ ]*" : ""))
                : Pattern.compile(Pattern.quote(whole));
    }

    private static void count(LoggedPath group, OperationResult operation) {
        Figures figures = operation.figures();
        figures.counters().statuses().forEach((status, count) -> group.sent.merge(status, count, Long::sum));
        group.resent += figures.counters().resent();
        long lacking = figures.requests() - figures.responses();
        for (Map.Entry<String, Long> failure : figures.failures().entrySet()) {
            Cause cause = Cause.of(failure.getKey());
            // Failures of checks have a response.
            if (lacking > 0 && cause.status().isEmpty() && !cause.isCheck()) {
                long count = Math.min(lacking, failure.getValue());
                group.unanswered.merge(failure.getKey(), count, Long::sum);
                lacking -= count;
            }
        }
    }

    /**
     * Takes a line of the log.
     *
     * @param line of any request
     */
    public void add(AccessLine line) {
        if (!during.test(line)) {
            return;
        }
        Integer known = line.span().map(ids::get).orElse(null);
        if (!ids.isEmpty()) {
            addById(line, known);
            return;
        }
        groups.stream()
                .filter(group -> group.has(line))
                .findFirst()
                .ifPresentOrElse(
                        group -> {
                            ours++;
                            group.logged.merge(line.status(), 1L, Long::sum);
                        },
                        () -> others++);
    }

    private void addById(AccessLine line, Integer known) {
        if (known == null) {
            others++;
            return;
        }
        ours++;
        if (!found.add(line.span().orElseThrow())) {
            twice++;
        } else if (known != 0 && known != line.status()) {
            otherStatus++;
        }
    }

    /**
     * The number of lines that are missing for the responses that the client has.
     *
     * @return 0 or less if there are enough
     */
    public long lacking() {
        return result.totals().responses() - (ids.isEmpty() ? ours : found.size());
    }

    /**
     * Compares both.
     *
     * @return the outcome
     */
    public Proof proof() {
        List<Difference> differences = new ArrayList<>();
        long matched = ids.isEmpty() ? byCounts(differences) : byIds(differences);
        differences.sort(Comparator.comparing(Difference::explained));
        return new Proof(
                source,
                ids.isEmpty() ? "counts" : "ids",
                result.totals().requests(),
                matched,
                differences.stream()
                        .filter(of -> !of.explained())
                        .mapToLong(of -> Math.abs(of.client() - of.server()))
                        .sum(),
                others,
                differences);
    }

    private long byIds(List<Difference> differences) {
        long missing = ids.entrySet().stream()
                .filter(id -> id.getValue() > 0 && !found.contains(id.getKey()))
                .count();
        long responses = ids.values().stream().filter(status -> status > 0).count();
        long resent = result.totals().counters().resent();
        add(differences, "all", "with a response", responses, responses - missing, false, NO_LINE);
        add(differences, "all", "another status", 0, otherStatus, false, "a proxy changed the response");
        long again = Math.min(twice, resent);
        add(differences, "all", "the same id again", 0, again, true, "the client sent these requests again");
        add(differences, "all", "the same id again", 0, twice - again, false, NO_REQUEST);
        long unanswered = ids.size() - responses;
        long seen = found.size() - (responses - missing);
        add(differences, "all", "without a response", unanswered, seen, true, "these never reached the server's log");
        return found.size();
    }

    private static void add(
            List<Difference> all,
            String operation,
            String status,
            long client,
            long server,
            boolean explained,
            String reason) {
        if (client != server) {
            all.add(new Difference(operation, status, client, server, explained, reason));
        }
    }

    private long byCounts(List<Difference> differences) {
        long matched = 0;
        for (LoggedPath group : groups) {
            long unanswered =
                    group.unanswered.values().stream().mapToLong(of -> of).sum();
            // A refused connection has no line; a request that timed out may have one, of any status.
            long mayBeLogged = group.unanswered.entrySet().stream()
                    .filter(of -> !Cause.of(of.getKey()).isUnreachable())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            long resent = group.resent;
            Set<Integer> statuses = new TreeSet<>(group.sent.keySet());
            statuses.addAll(group.logged.keySet());
            for (int status : statuses) {
                long client = group.sent.getOrDefault(status, 0L);
                long server = group.logged.getOrDefault(status, 0L);
                String name = String.valueOf(status);
                matched += Math.min(client, server);
                if (client > server) {
                    add(differences, group.name(), name, client, server, false, NO_LINE);
                    continue;
                }
                long broken = Math.min(server - client, mayBeLogged);
                long again = Math.min(server - client - broken, resent);
                mayBeLogged -= broken;
                resent -= again;
                matched += broken;
                unanswered -= broken;
                add(differences, group.name(), name, 0, broken, true, "the client gave up before these responses");
                add(differences, group.name(), name, 0, again, true, "the client sent these requests again");
                long rest = server - client - broken - again;
                add(differences, group.name(), name, client, client + rest, false, NO_REQUEST);
            }
            add(
                    differences,
                    group.name(),
                    String.join(", ", group.unanswered.keySet()),
                    unanswered,
                    0,
                    true,
                    "these never reached the server's log");
        }
        return matched;
    }
}
