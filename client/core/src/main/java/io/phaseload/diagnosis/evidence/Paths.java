package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.Association;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Paths of an operation, each asked for several times, whose requests are cases far more often than those of its
 * others.
 *
 * @param such these paths, the one with the most cases first
 * @param of the number of all paths
 * @param share the part of these paths' requests that are cases, from 0 to 1
 * @param encoded {@code true} if each of them has an encoded character, such as {@code %2F}, that no other path has
 * @param ofParameter {@code true} if each of them has a parameter with a word, such as {@code size=full}, that no other
 *     path has
 */
public record Paths(List<String> such, int of, double share, boolean encoded, boolean ofParameter) {

    private static final int LEAST_REQUESTS = 50;
    private static final int LEAST_EACH = 3;
    private static final double HALF = 0.5;
    private static final Pattern ENCODED = Pattern.compile("%\\p{XDigit}{2}");
    private static final Pattern PARAMETER = Pattern.compile("(?<=[?&])[^=&]+=\\p{Alpha}+(?=&|$)");

    /** Of the cases. */
    private static final double MOST_CASES = 0.8;

    /** Of the share of these paths: the most of the share of the others. */
    private static final double MOST_ELSEWHERE = 0.1;

    /** Of the time in which all were sent: those of a path that is asked for once in a while show how it is then. */
    private static final double LEAST_TIME = 0.3;

    /** One path's requests. */
    private record Group(String path, List<SampledRequest> requests, long cases) {

        private double share() {
            return (double) cases / requests.size();
        }

        private long nanos() {
            return requests.get(requests.size() - 1).sentNanos()
                    - requests.get(0).sentNanos();
        }

        /** Whether it has more cases than all others by more than chance, of so many paths. */
        private boolean isSignificant(long cases, int requests, int paths) {
            int own = this.requests.size();
            return Significance.isMoreOfSeveral(paths, cases - this.cases, requests - own, this.cases, own);
        }
    }

    /**
     * Looks for them.
     *
     * @param requests a uniform sample, in the order in which they were sent
     * @param isCase true of a case
     * @return empty if paths don't decide, or aren't known
     */
    static Optional<Paths> of(List<SampledRequest> requests, Predicate<SampledRequest> isCase) {
        List<SampledRequest> known =
                requests.stream().filter(of -> !of.path().isEmpty()).toList();
        List<SampledRequest> cases = known.stream().filter(isCase).toList();
        Map<String, List<SampledRequest>> byPath = known.stream().collect(Collectors.groupingBy(SampledRequest::path));
        if (known.size() < LEAST_REQUESTS || cases.isEmpty() || byPath.size() < 2) {
            return Optional.empty();
        }
        long time = known.get(known.size() - 1).sentNanos() - known.get(0).sentNanos();
        List<Group> such = new ArrayList<>();
        boolean significant = true;
        for (Map.Entry<String, List<SampledRequest>> path : byPath.entrySet()) {
            Group group = new Group(
                    path.getKey(),
                    path.getValue(),
                    path.getValue().stream().filter(isCase).count());
            boolean more = group.isSignificant(cases.size(), known.size(), byPath.size());
            if (group.requests().size() >= LEAST_EACH
                    && group.nanos() >= LEAST_TIME * time
                    && (more || group.share() >= HALF)) {
                such.add(group);
                significant &= more;
            }
        }
        such.sort(Comparator.comparingLong(Group::cases).reversed());
        long explained = such.stream().mapToLong(Group::cases).sum();
        long all = such.stream().mapToLong(of -> of.requests().size()).sum();
        double share = (double) explained / Math.max(1, all);
        double elsewhere = (double) (cases.size() - explained) / Math.max(1, known.size() - all);
        if (explained < MOST_CASES * cases.size()
                || all == known.size()
                || elsewhere > MOST_ELSEWHERE * share
                || !significant && !decide(known, cases, isCase)) {
            return Optional.empty();
        }
        List<String> paths = such.stream().map(Group::path).toList();
        Set<String> others = new HashSet<>(byPath.keySet());
        paths.forEach(others::remove);
        return Optional.of(new Paths(
                paths, byPath.size(), share, haveAlone(paths, others, ENCODED), haveAlone(paths, others, PARAMETER)));
    }

    /** Whether each of some paths has something that none of the others has. */
    private static boolean haveAlone(List<String> paths, Set<String> others, Pattern what) {
        Set<String> known = others.stream().flatMap(of -> in(of, what)).collect(Collectors.toSet());
        return paths.stream().allMatch(path -> in(path, what).anyMatch(one -> !known.contains(one)));
    }

    private static Stream<String> in(String path, Pattern what) {
        return what.matcher(path).results().map(MatchResult::group);
    }

    private static boolean decide(
            List<SampledRequest> known, List<SampledRequest> cases, Predicate<SampledRequest> isCase) {
        return Association.of(
                        cases,
                        known.stream().filter(isCase.negate()).toList(),
                        of -> Integer.toUnsignedLong(of.path().hashCode()))
                .explains(HALF);
    }

    /** {@return these paths, such as {@code '/items/7'}, or {@code 33 of 100 paths, such as '/items/7'}} */
    public String inWords() {
        String first = "'" + such.get(0) + "'";
        return such.size() == 1 ? first : such.size() + " of " + of + " paths, such as " + first;
    }
}
