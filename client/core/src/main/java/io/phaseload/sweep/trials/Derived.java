package io.phaseload.sweep.trials;

import io.phaseload.options.ValueException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column that is computed from others in the same row, such as {@code events_per_second=events/elapsed_s}: numbers,
 * columns, {@code + - * /} and parentheses, with their usual precedence.
 */
public final class Derived {

    private static final Pattern DEFINITION = Pattern.compile("([A-Za-z][A-Za-z0-9_]{0,39})=(.+)", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int DEEPEST = 50;

    private final String name;
    private final String text;
    private final Set<String> columns = new LinkedHashSet<>();
    private final ToDoubleFunction<TrialRow> value;
    private int at;
    private int depth;

    private Derived(String name, String text) {
        this.name = name;
        this.text = text;
        this.value = sum();
        if (at < text.length()) {
            throw expected("+, -, *, / or the end");
        }
    }

    /**
     * Reads a definition.
     *
     * @param definition such as {@code events_per_second=events/elapsed_s}
     * @return the column
     * @throws IllegalArgumentException if it can't be understood, with the place
     */
    public static Derived parse(String definition) {
        Matcher matcher = DEFINITION.matcher(definition);
        if (!matcher.matches()) {
            throw new ValueException("name=expression, such as events_per_second=events/elapsed_s");
        }
        return new Derived(matcher.group(1), matcher.group(2));
    }

    /**
     * Its name.
     *
     * @return letters, digits and underscores
     */
    String name() {
        return name;
    }

    /**
     * The columns that it is computed from.
     *
     * @return their names, in order of appearance
     */
    Set<String> columns() {
        return Set.copyOf(columns);
    }

    /** Its value in a row; empty if a column is empty there, or the value isn't finite. */
    OptionalDouble of(TrialRow row) {
        double number = value.applyAsDouble(row);
        return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    private ToDoubleFunction<TrialRow> sum() {
        return chain(this::product, Map.of('+', Double::sum, '-', (left, right) -> left - right));
    }

    private ToDoubleFunction<TrialRow> product() {
        return chain(this::factor, Map.of('*', (left, right) -> left * right, '/', (left, right) -> left / right));
    }

    private ToDoubleFunction<TrialRow> chain(
            Supplier<ToDoubleFunction<TrialRow>> operand, Map<Character, DoubleBinaryOperator> operators) {
        ToDoubleFunction<TrialRow> all = operand.get();
        while (true) {
            Optional<DoubleBinaryOperator> operator = operators.entrySet().stream()
                    .filter(each -> take(each.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst();
            if (operator.isEmpty()) {
                return all;
            }
            ToDoubleFunction<TrialRow> left = all;
            ToDoubleFunction<TrialRow> right = operand.get();
            all = row -> operator.get().applyAsDouble(left.applyAsDouble(row), right.applyAsDouble(row));
        }
    }

    private ToDoubleFunction<TrialRow> factor() {
        if (++depth > DEEPEST) {
            throw expected("fewer parentheses and signs");
        }
        ToDoubleFunction<TrialRow> factor;
        if (take('-')) {
            ToDoubleFunction<TrialRow> positive = factor();
            factor = row -> -positive.applyAsDouble(row);
        } else if (take('(')) {
            factor = sum();
            if (!take(')')) {
                throw expected(")");
            }
        } else {
            factor = operand();
        }
        depth--;
        return factor;
    }

    private ToDoubleFunction<TrialRow> operand() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            at = number.end();
            double constant = Double.parseDouble(number.group());
            take(' ');
            return row -> constant;
        }
        Matcher column = COLUMN.matcher(text).region(at, text.length());
        if (!column.lookingAt()) {
            throw expected("a column, a number or (");
        }
        at = column.end();
        take(' ');
        String of = column.group();
        columns.add(of);
        return row -> row.number(of).orElse(Double.NaN);
    }

    /** Skips spaces before and after. */
    private boolean take(char c) {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        boolean there = at < text.length() && text.charAt(at) == c;
        if (there) {
            at++;
        }
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return there;
    }

    private IllegalArgumentException expected(String what) {
        return new ValueException("%s at character %d of %s".formatted(what, at + 1, text));
    }
}
