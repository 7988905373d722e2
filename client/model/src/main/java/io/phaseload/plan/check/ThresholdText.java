package io.phaseload.plan.check;

import io.phaseload.input.Cursor;
import io.phaseload.plan.check.Figure.Count;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Figure.Time;
import io.phaseload.plan.check.Threshold.Operator;
import io.phaseload.plan.check.Threshold.Unit;
import io.phaseload.timing.Timing;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a {@link Threshold}, whose Javadoc has the grammar. */
final class ThresholdText {

    private static final Pattern PHASE = Pattern.compile("\\s*([a-z0-9][a-z0-9_-]*|\\*)\\s*");
    private static final Pattern FIGURE = Pattern.compile("\\s*([A-Za-z0-9.-]+)");
    private static final Pattern OPERATOR = Pattern.compile("\\s*(<=|>=|<|>)");
    private static final Pattern NUMBER = Pattern.compile("\\s*([0-9]{1,15}(?:\\.[0-9]{1,9})?)");
    private static final Pattern SIGNED = Pattern.compile("\\s*(-?[0-9]{1,15}(?:\\.[0-9]{1,9})?)");
    private static final Pattern UNIT = Pattern.compile("(\\s*%|[A-Za-z/]*)");
    private static final Pattern SLOPE_UNIT = Pattern.compile("(\\s*%|[A-Za-z]*)");
    private static final Pattern PER = Pattern.compile("(/[a-z]+)");
    private static final Pattern SLOPE = Pattern.compile("\\s*(slope)\\s");
    private static final Pattern REPORTED = Pattern.compile("\\s*((?:server|client)\\.[A-Za-z][A-Za-z0-9_.]*)");
    private static final Pattern OF = Pattern.compile("\\s*of\\s*\"([^\"]+)\"");
    private static final Pattern QUOTED = Pattern.compile("\\sof\\s*\"");
    private static final Pattern TIMES = Pattern.compile("\\s*([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*x\\s");
    private static final Pattern ABORT = Pattern.compile("\\s+(abort)\\s*\\z");
    private static final Pattern END = Pattern.compile("\\s*(\\z)");

    private final String text;
    private final Cursor cursor;
    private Optional<String> phase = Optional.empty();
    private Optional<String> operation = Optional.empty();

    ThresholdText(String text) {
        this.text = text;
        this.cursor = new Cursor(text);
    }

    Threshold threshold() {
        scope();
        Figure figure = figure();
        operation = operation.or(() -> Optional.ofNullable(cursor.next(OF)));
        Operator operator = operator();
        int start = cursor.skipBlanks();
        String times = figure instanceof Figure.Slope ? null : cursor.next(TIMES);
        boolean compares = times != null
                || !(figure instanceof Figure.Slope)
                        && !cursor.startsWith(NUMBER)
                        && QUOTED.matcher(text.substring(start)).find();
        return compares ? compared(figure, operator, times == null ? "1" : times) : limited(figure, operator, start);
    }

    private void scope() {
        // The last one: an operation's name may contain colons, what follows it does not, without quotes.
        Matcher quoted = QUOTED.matcher(text);
        int colon = text.lastIndexOf(':', quoted.find() ? quoted.start() : text.length());
        if (colon >= 0) {
            String scope = text.substring(0, colon);
            int slash = scope.indexOf('/');
            phase = phase(slash < 0 ? scope : scope.substring(0, slash), slash >= 0);
            if (slash >= 0) {
                operation = operation(scope, slash + 1);
            }
            cursor.moveTo(colon + 1);
        }
    }

    private Optional<String> phase(String name, boolean operationFollows) {
        if (!PHASE.matcher(name).matches() || (name.strip().equals("*") && !operationFollows)) {
            throw cursor.failure("a phase's name, or phase/operation or */operation, before ':'", cursor.skipBlanks());
        }
        return Optional.of(name.strip()).filter(phase -> !phase.equals("*"));
    }

    private Optional<String> operation(String scope, int start) {
        String name = scope.substring(start).strip();
        if (name.isEmpty()) {
            throw cursor.failure("an operation's name, such as GET /,", start);
        }
        return Optional.of(name);
    }

    private Figure figure() {
        int start = cursor.skipBlanks();
        if (cursor.next(SLOPE) != null) {
            int of = cursor.skipBlanks();
            Figure figure = figure();
            if (figure instanceof Figure.Slope) {
                throw cursor.failure("one slope", of);
            }
            return new Figure.Slope(figure, Figure.Slope.Per.H);
        }
        String reported = cursor.next(REPORTED);
        if (reported != null) {
            return reported(reported);
        }
        String word = cursor.next(FIGURE);
        for (Timing timing : Figure.times()) {
            if (timing.key().equals(word)) {
                int second = cursor.skipBlanks();
                Statistic of = statistic(cursor.next(FIGURE)).orElseThrow(() -> noStatistic(timing, second));
                return new Time(timing, of);
            }
        }
        Optional<Figure> counted = written(Count.values(), word).map(Figure.class::cast);
        return counted.or(() -> statistic(word).map(of -> new Time(Timing.RESPONSE, of)))
                .orElseThrow(() -> cursor.failure(Figure.names(), start));
    }

    private Figure reported(String word) {
        int dot = word.indexOf('.');
        int start = cursor.position();
        Optional<Statistic> of =
                statistic(cursor.next(FIGURE)).filter(found -> found == Statistic.MEAN || found == Statistic.MAX);
        if (of.isEmpty()) {
            cursor.moveTo(start);
        }
        return new Figure.Reported(word.startsWith("client"), word.substring(dot + 1), of.orElse(Statistic.MEAN));
    }

    private IllegalArgumentException noStatistic(Timing timing, int at) {
        return cursor.failure("a percentile such as p99 after '%s'".formatted(timing), at);
    }

    private static Optional<Statistic> statistic(String word) {
        return written(Statistic.values(), word);
    }

    /** The constant that a text stands for. */
    private static <E extends Enum<E>> Optional<E> written(E[] constants, String word) {
        return Arrays.stream(constants)
                .filter(constant -> constant.toString().equals(word))
                .findFirst();
    }

    private Operator operator() {
        int start = cursor.skipBlanks();
        String sign = cursor.next(OPERATOR);
        return written(Operator.values(), sign).orElseThrow(() -> cursor.failure("<, <=, > or >=", start));
    }

    /** The record itself checks which units and numbers go with its figure. */
    private Threshold limited(Figure figure, Operator operator, int start) {
        boolean slope = figure instanceof Figure.Slope;
        String number = cursor.next(slope ? SIGNED : NUMBER);
        if (number == null) {
            throw cursor.failure(values(figure), start);
        }
        String written = cursor.next(slope ? SLOPE_UNIT : UNIT).strip();
        Figure limited = figure instanceof Figure.Slope of ? new Figure.Slope(of.of(), per(figure, start)) : figure;
        BigDecimal limit = new BigDecimal(number);
        Unit unit = written(Unit.values(), written).orElseThrow(() -> cursor.failure(values(figure), start));
        try {
            new Threshold(phase, operation, limited, operator, limit, unit, false);
        } catch (IllegalArgumentException e) {
            throw cursor.failure(values(figure), start);
        }
        return new Threshold(phase, operation, limited, operator, limit, unit, abort(figure));
    }

    private Figure.Slope.Per per(Figure figure, int start) {
        String text = cursor.next(PER);
        return written(Figure.Slope.Per.values(), text).orElseThrow(() -> cursor.failure(values(figure), start));
    }

    /** Another figure as the limit. */
    private Threshold compared(Figure figure, Operator operator, String times) {
        int at = cursor.skipBlanks();
        Figure other = figure();
        String name = cursor.next(OF);
        if (name == null) {
            throw cursor.failure("of \"an operation\"", cursor.skipBlanks());
        }
        if (operation.isEmpty()) {
            throw cursor.failure("an operation on both sides, such as p99 of \"GET /a\",", 0);
        }
        Optional<Threshold.Other> second = Optional.of(new Threshold.Other(other, name));
        BigDecimal limit = new BigDecimal(times);
        Threshold threshold;
        try {
            threshold = new Threshold(phase, operation, figure, operator, limit, Unit.TIMES, false, second);
        } catch (IllegalArgumentException e) {
            throw cursor.failure("a time or rps on both sides", at);
        }
        if (!cursor.startsWith(END)) {
            throw cursor.failure("the end", cursor.skipBlanks());
        }
        return threshold;
    }

    private static String values(Figure figure) {
        if (figure instanceof Figure.Slope) {
            return "a change such as 1%/h, 5MB/h or -2ms/min";
        }
        if (figure instanceof Figure.Reported) {
            return "a value such as 80%, 500MB, 20ms, 100/s or 100";
        }
        if (figure instanceof Time) {
            return "a time such as 250ms or 1.5s";
        }
        return switch ((Count) figure) {
            case FAILURES -> "a percentage such as 1% or a count such as 5";
            case RPS -> "requests a second, such as 500 or 500/s,";
            case REQUESTS -> "a count such as 1000";
            case RESENT -> "a count such as 1";
        };
    }

    private boolean abort(Figure figure) {
        int start = cursor.skipBlanks();
        boolean may = Threshold.mayAbort(figure, Optional.empty());
        if (may && cursor.next(ABORT) != null) {
            return true;
        }
        if (!cursor.startsWith(END)) {
            throw cursor.failure(may ? "'abort' or the end" : "the end", start);
        }
        return false;
    }
}
