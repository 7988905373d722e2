package io.phaseload.ab;

import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import java.util.Optional;

/**
 * The effect on one figure.
 *
 * @param figure the figure
 * @param a its mean in all runs of the first side, in its unit; geometric unless it is failures
 * @param b its mean in all runs of the other side
 * @param effect the change from A to B; empty with fewer than two blocks
 * @param control the change from A to A again, which is none if the machine holds still
 * @param margin the accepted change for the worse, in the unit of the effect
 * @param decides true if the outcome depends on this figure
 */
public record FigureEffect(
        AbFigure figure,
        double a,
        double b,
        Optional<Effect> effect,
        Optional<Effect> control,
        double margin,
        boolean decides) {

    /**
     * The change in a word.
     *
     * @return worse or better if the interval excludes no change; the same if it is within the margin to both sides
     */
    public Word word() {
        Word change = effect.map(of -> of.word(0, figure.better())).orElse(Word.UNDECIDED);
        return change == Word.UNDECIDED && effect.isPresent() ? effect.get().word(margin, figure.better()) : change;
    }

    /**
     * The same figure with another effect, such as that of the control.
     *
     * @param other the effect
     * @return a copy
     */
    public FigureEffect with(Effect other) {
        return new FigureEffect(figure, a, b, Optional.of(other), control, margin, decides);
    }

    /**
     * The smallest change that can be detected: the interval of the control reaches as far.
     *
     * @return in the unit of the effect; empty without a control
     */
    public Optional<Double> resolution() {
        return control.map(of -> Math.max(of.high() - of.change(), of.change() - of.low()));
    }

    /**
     * Whether the figure is worse by more than the margin.
     *
     * @return {@code true} if the whole interval is
     */
    public boolean isRegression() {
        return effect.filter(of -> of.isWorseBy(margin, figure.better())).isPresent();
    }

    /** Whether it is known to be no worse than the margin allows. */
    boolean isWithinMargin() {
        return effect.filter(of -> figure.better() == Effect.Better.MORE ? of.low() >= -margin : of.high() <= margin)
                .isPresent();
    }

    /**
     * Whether A differs from itself.
     *
     * @return {@code true} if the interval of the control excludes no change
     */
    public boolean controlMoved() {
        return control.filter(of -> of.low() > 0 || of.high() < 0).isPresent();
    }
}
