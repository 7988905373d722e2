package io.phaseload.plan;

import io.phaseload.plan.journey.Template;
import java.util.List;
import java.util.stream.Stream;

/** Steps, with those within them. */
final class Steps {

    private Steps() {}

    /**
     * The steps among steps that results have figures of.
     *
     * @param steps of a journey
     * @return in order, with those within others
     */
    static List<Step.Measured> requests(List<Step> steps) {
        return flat(steps, Step.Measured.class).toList();
    }

    /** Each step of a kind, in order, with those within others. */
    static <S extends Step> Stream<S> flat(List<Step> steps, Class<S> kind) {
        return steps.stream()
                .flatMap(step -> Stream.concat(
                        Stream.of(step).filter(kind::isInstance).map(kind::cast), flat(within(step), kind)));
    }

    /**
     * The steps within a step.
     *
     * @param step any
     * @return none of a request or a pause
     */
    static List<Step> within(Step step) {
        if (step instanceof Step.Group group) {
            return group.steps();
        }
        if (step instanceof Step.Repeat repeat) {
            return repeat.steps();
        }
        return step instanceof Step.When when ? when.steps() : List.of();
    }

    /** The moments from which a step's metrics count, which may be values that it takes itself. */
    static List<Template> moments(Step.Measured step) {
        return step.operation().metrics().stream()
                .flatMap(metric -> metric.moment().stream())
                .map(Template::parse)
                .toList();
    }
}
