package io.phaseload.capacity;

/**
 * An objective in a step's steady part.
 *
 * @param objective its text, such as {@code p99 < 250ms}
 * @param unit of figure and limit: {@code ms} or {@code %}
 * @param limit the limit
 * @param figure the figure
 * @param holds the probability that the figure stays within the limit, from 0 to 1
 */
public record ObjectiveResult(String objective, String unit, double limit, double figure, double holds) {}
