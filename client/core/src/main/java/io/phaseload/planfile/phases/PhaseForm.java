package io.phaseload.planfile.phases;

import io.phaseload.options.Quantities;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads phases from settings, and writes them into a plan's document. Options beside a plan's file hold for every phase
 * in the file, even for one that has its own value.
 */
public final class PhaseForm {

    /** A phase as it was written, and where. */
    private record Written(Given given, PhaseText.Item item) {

        boolean isOpen() {
            return item.rates().isPresent()
                    || item.load().filter(Load.Open.class::isInstance).isPresent();
        }
    }

    /** The phases of a plan that has a total and doesn't name phases. */
    private static final String ONE_PHASE = "peak=1";

    private final Settings settings;
    private final PhaseLength length;
    private final Load.Closed closed;
    private final Optional<Rate> rate;

    private PhaseForm(Settings settings) {
        this.settings = settings;
        this.length = length(settings);
        this.closed = closed(settings);
        this.rate = rate(settings);
    }

    /** The phases in order, each with its length and its load. */
    public static List<Phase> read(Settings settings) {
        return new PhaseForm(settings).phases();
    }

    private List<Phase> phases() {
        List<Written> written = new ArrayList<>();
        for (Written phase : written()) {
            written.add(isFile() ? overridden(phase, written.size()) : phase);
        }
        boolean open = rate.isPresent() || written.stream().anyMatch(Written::isOpen);
        for (String kind : List.of("arrivals", "overload")) {
            settings.text(kind);
            if (settings.has(kind) && !open) {
                throw settings.given(kind)
                        .needs(
                                Setting.RATE,
                                "or 'at' in " + settings.given(kind).origin().nameOf(Setting.PHASES));
            }
        }
        Optional<String> pause = pause(settings);
        if (pause.isPresent() && written.stream().allMatch(Written::isOpen)) {
            throw settings.given(pause.get()).needs("a phase without 'at'");
        }
        List<Phase> phases = new ArrayList<>();
        for (Written phase : written) {
            phases.add(phase(phase, phases.size()));
        }
        return phases;
    }

    private Phase phase(Written written, int index) {
        PhaseText.Item item = written.item();
        PhaseLength lasting = item.length().orElse(length);
        Load load = item.rates()
                .map(rates -> open(schedule(written, rates, lasting, index)))
                .or(item::load)
                .or(() -> rate.map(all -> open(arrivals(shareOf(all, item), index))))
                .orElse(closed);
        return new Phase(item.name(), item.share(), lasting, load);
    }

    private boolean isFile() {
        return settings.one(Setting.PHASES)
                .map(given -> given.origin().isFile())
                .orElse(false);
    }

    private List<Written> written() {
        List<Given> all = settings.has(Setting.PHASES)
                ? settings.all(Setting.PHASES)
                : List.of(Given.text(
                        Setting.PHASES,
                        settings.has("total")
                                ? ONE_PHASE
                                : Setting.of(Setting.PHASES).standard().orElseThrow(),
                        new Origin.Option(Setting.of(Setting.PHASES).option())));
        List<Written> phases = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Given given : all) {
            List<PhaseText.Item> items = given.isObject()
                    ? List.of(item(given))
                    : given.read(PhaseText::parse, Setting.expected(Setting.PHASES));
            for (PhaseText.Item item : items) {
                if (!names.add(item.name())) {
                    throw given.wrong("name " + item.name() + ": this name is already used");
                }
                item.rates().ifPresent(rates -> given.checked(() -> rates.of(sent(settings))));
                phases.add(new Written(given, item));
            }
        }
        return phases;
    }

    private static PhaseText.Item item(Given phase) {
        String name = phase.part("name").orElseThrow().read(PhaseText::checkedName, "a name");
        double share = phase.part("share").orElseThrow().read(PhaseForm::share, "a share");
        Optional<PhaseText.PhaseRate> rates =
                phase.part("rate").map(text -> text.read(PhaseText.PhaseRate::parse, "a rate"));
        Optional<Load> load = phase.part("load").map(LoadForm::read);
        if (load.isPresent() && rates.isPresent()) {
            throw phase.part("rate").orElseThrow().conflict(phase.part("load").orElseThrow());
        }
        return new PhaseText.Item(name, share, length(phase), rates, load);
    }

    private static double share(String text) {
        return new Phase("a", Double.parseDouble(text), new PhaseLength.Iterations(1)).share();
    }

    private static Optional<PhaseLength> length(Given phase) {
        List<PhaseLength> lengths = Stream.of(
                        phase.part("iterations").map(count -> count(count, PhaseLength.Iterations::new)),
                        phase.part("total").map(count -> count(count, PhaseLength.Total::new)),
                        phase.part("duration").map(time -> lasting(time, time.text())),
                        phase.part("durationMs").map(time -> lasting(time, time.text() + "ms")))
                .flatMap(Optional::stream)
                .toList();
        if (lengths.size() > 1) {
            throw phase.wrong("expected one of iterations, total, duration, durationMs");
        }
        return lengths.stream().findFirst();
    }

    private static PhaseLength count(Given count, LongFunction<PhaseLength> length) {
        return count.read(text -> length.apply(Quantities.parseCount(text, 1)), "a count");
    }

    private static PhaseLength lasting(Given time, String text) {
        return time.read(given -> new PhaseLength.Lasting(Quantities.parseDuration(text, false)), "a time");
    }

    private static PhaseLength length(Settings settings) {
        if (settings.has(Setting.DURATION)) {
            return new PhaseLength.Lasting(settings.time(Setting.DURATION));
        }
        return settings.has("total")
                ? new PhaseLength.Total(settings.count("total"))
                : new PhaseLength.Iterations(settings.count("iterations"));
    }

    private static Load.Closed closed(Settings settings) {
        Pause think = pause(settings, "think");
        Pause pacing = pause(settings, "pacing");
        if (!think.isNone() && !pacing.isNone()) {
            throw settings.conflict("pacing", "think");
        }
        return new Load.Closed(think, pacing, settings.period("ramp").orElse(Duration.ZERO));
    }

    private static Pause pause(Settings settings, String setting) {
        return settings.read(setting, PhaseForm::pause).orElse(Pause.NONE);
    }

    public static Pause pause(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return Pause.of(Quantities.parseDuration(text, true));
        }
        return new Pause(
                Quantities.parseDuration(text.substring(0, dots), true),
                Quantities.parseDuration(text.substring(dots + 2), true));
    }

    private static Optional<Rate> rate(Settings settings) {
        return settings.read(Setting.RATE, text -> rate(text, sent(settings)));
    }

    private static PhaseText.RateUnit sent(Settings settings) {
        if (settings.isWebSocket()) {
            return PhaseText.RateUnit.MESSAGES;
        }
        return settings.has(Setting.SCENARIOS) ? PhaseText.RateUnit.JOURNEYS : PhaseText.RateUnit.REQUESTS;
    }

    private static Rate rate(String text, PhaseText.RateUnit sent) {
        PhaseText.PhaseRate rates = PhaseText.PhaseRate.parse(text).of(sent);
        // A ramp is a phase's alone, and so is what is said of it.
        return rates.to().isPresent() ? Rate.parse(text) : rates.from();
    }

    /** A setting that only closed models have, if one is given. */
    private static Optional<String> pause(Settings settings) {
        return Stream.of("think", "pacing", "ramp").filter(settings::has).findFirst();
    }

    private Load open(Schedule schedule) {
        return new Load.Open(schedule, LoadForm.overload(settings.text("overload")));
    }

    private Rate shareOf(Rate all, PhaseText.Item item) {
        try {
            return all.times(item.share());
        } catch (IllegalArgumentException e) {
            throw settings.given(Setting.RATE)
                    .wrong("expected a rate that can be multiplied by the share of " + item.name());
        }
    }

    private Schedule schedule(Written written, PhaseText.PhaseRate rates, PhaseLength lasting, int index) {
        if (rates.to().isEmpty()) {
            return arrivals(rates.from(), index);
        }
        String ramp = "the ramp of " + written.item().name();
        if (!(lasting instanceof PhaseLength.Lasting timed)) {
            throw written.given().needs("a time for %s, such as 'for 30s'".formatted(ramp));
        }
        if (isPoisson()) {
            throw settings.given("arrivals").conflict(ramp);
        }
        return new RampArrivals(rates.from(), rates.to().get(), timed.duration());
    }

    private boolean isPoisson() {
        return settings.text("arrivals").equals("poisson");
    }

    private Schedule arrivals(Rate each, int index) {
        return isPoisson() ? new PoissonArrivals(each, seed(index)) : new ConstantArrivals(each);
    }

    /** Each phase has its own random numbers. */
    private long seed(int index) {
        return settings.count(Setting.SEED) * 31 + index;
    }

    private boolean isBeside(String... any) {
        return Stream.of(any).anyMatch(settings::isBesideFile);
    }

    /** A phase of the file, overridden by options. */
    private Written overridden(Written written, int index) {
        PhaseText.Item item = written.item();
        Optional<PhaseLength> own =
                isBeside(Setting.DURATION, "iterations", "total") ? Optional.empty() : item.length();
        boolean paused = isBeside("think", "pacing", "ramp");
        boolean replaced = isBeside(Setting.RATE)
                || paused && item.load().filter(Load.Closed.class::isInstance).isEmpty();
        return new Written(
                written.given(),
                new PhaseText.Item(
                        item.name(),
                        item.share(),
                        own,
                        item.rates().filter(rates -> !replaced),
                        item.load()
                                .filter(load -> !replaced)
                                .map(load -> load(load, own.orElse(length), item.name(), index))));
    }

    private Load load(Load load, PhaseLength lasting, String name, int index) {
        if (load instanceof Load.Open open) {
            return new Load.Open(
                    scheduled(open.schedule(), lasting, name, index),
                    isBeside("overload") ? LoadForm.overload(settings.text("overload")) : open.overload());
        }
        Load.Closed own = (Load.Closed) load;
        boolean between = isBeside("think", "pacing");
        return new Load.Closed(
                between ? closed.think() : own.think(),
                between ? closed.pacing() : own.pacing(),
                isBeside("ramp") ? closed.ramp() : own.ramp());
    }

    private Schedule scheduled(Schedule own, PhaseLength lasting, String name, int index) {
        boolean chosen = isBeside("arrivals");
        if (own instanceof ConstantArrivals constant) {
            return chosen ? arrivals(constant.rate(), index) : constant;
        }
        if (own instanceof PoissonArrivals poisson) {
            if (chosen && !isPoisson()) {
                return new ConstantArrivals(poisson.rate());
            }
            return isBeside(Setting.SEED) ? new PoissonArrivals(poisson.rate(), seed(index)) : poisson;
        }
        if (chosen && isPoisson()) {
            throw settings.given("arrivals").conflict("the schedule of " + name);
        }
        return own instanceof RampArrivals ramp
                        && isBeside(Setting.DURATION)
                        && lasting instanceof PhaseLength.Lasting timed
                ? new RampArrivals(ramp.from(), ramp.to(), timed.duration())
                : own;
    }

    /** A phase as a document. */
    public static ObjectNode write(Phase phase) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", phase.name()).put("share", phase.share());
        if (phase.length() instanceof PhaseLength.Iterations counted) {
            json.put("iterations", counted.perUser());
        } else if (phase.length() instanceof PhaseLength.Total total) {
            json.put("total", total.count());
        } else if (phase.length() instanceof PhaseLength.Lasting timed) {
            json.put("durationMs", ScheduleForm.millis(timed.duration()));
        }
        json.set("load", LoadForm.write(phase.load()));
        return json;
    }
}
