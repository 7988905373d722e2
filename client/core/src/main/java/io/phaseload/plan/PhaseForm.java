package io.phaseload.plan;

import static io.phaseload.settings.Setting.ARRIVALS;
import static io.phaseload.settings.Setting.DURATION;
import static io.phaseload.settings.Setting.ITERATIONS;
import static io.phaseload.settings.Setting.OVERLOAD;
import static io.phaseload.settings.Setting.PACING;
import static io.phaseload.settings.Setting.PHASES;
import static io.phaseload.settings.Setting.RAMP;
import static io.phaseload.settings.Setting.RATE;
import static io.phaseload.settings.Setting.SEED;
import static io.phaseload.settings.Setting.THINK;

import io.phaseload.options.Quantities;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Phases as settings and as documents. What is said beside a plan's file holds for every phase of
 * the file, whatever the phase says of itself.
 */
final class PhaseForm {

    /** A phase as it was written, and where. */
    private record Written(Optional<Given> given, PhaseText.Item item) {

        boolean isOpen() {
            return item.from() != null || item.load() instanceof Load.Open;
        }
    }

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
    static List<Phase> read(Settings settings) {
        return new PhaseForm(settings).phases();
    }

    private List<Phase> phases() {
        List<Written> written = new ArrayList<>();
        for (Written phase : written()) {
            written.add(isFile() ? overridden(phase, written.size()) : phase);
        }
        boolean open = rate.isPresent() || written.stream().anyMatch(Written::isOpen);
        for (Setting kind : List.of(ARRIVALS, OVERLOAD)) {
            settings.text(kind);
            if (settings.has(kind) && !open) {
                throw settings.one(kind)
                        .orElseThrow()
                        .needs(RATE, "or 'at' in " + nameOf(PHASES, kind));
            }
        }
        Optional<Setting> pause = pause(settings);
        if (pause.isPresent() && written.stream().allMatch(Written::isOpen)) {
            throw settings.one(pause.get()).orElseThrow().needs("a phase without 'at'");
        }
        List<Phase> phases = new ArrayList<>();
        for (Written phase : written) {
            phases.add(phase(phase, phases.size()));
        }
        return phases;
    }

    private String nameOf(Setting setting, Setting beside) {
        return settings.one(beside).orElseThrow().origin().nameOf(setting);
    }

    private Phase phase(Written written, int index) {
        PhaseText.Item item = written.item();
        PhaseLength lasting = item.length() == null ? length : item.length();
        Load load = item.load() == null ? closed : item.load();
        if (item.from() != null) {
            load = open(schedule(written, item.from(), lasting, index));
        } else if (rate.isPresent() && item.load() == null) {
            load = open(arrivals(shareOf(rate.get(), item), index));
        }
        return new Phase(item.name(), item.share(), lasting, load);
    }

    private boolean isFile() {
        return settings.one(PHASES).map(given -> given.origin().isFile()).orElse(false);
    }

    private List<Written> written() {
        if (!settings.has(PHASES)) {
            return PhaseText.parse(PHASES.standard().orElseThrow()).stream()
                    .map(item -> new Written(Optional.empty(), item))
                    .toList();
        }
        List<Written> phases = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Given given : settings.all(PHASES)) {
            List<PhaseText.Item> items =
                    given.value().isObject()
                            ? List.of(item(given))
                            : given.read(PhaseText::parse, PHASES.kind().expected());
            for (PhaseText.Item item : items) {
                if (!names.add(item.name())) {
                    throw given.wrong(
                            "name " + item.name() + ": expected a name that is not taken");
                }
                phases.add(new Written(Optional.of(given), item));
            }
        }
        return phases;
    }

    private static PhaseText.Item item(Given phase) {
        Phase named =
                phase.part("name")
                        .orElseThrow()
                        .read(name -> new Phase(name, 1, new PhaseLength.Iterations(1)), "a name");
        Phase shared =
                phase.part("share")
                        .orElseThrow()
                        .read(
                                share ->
                                        new Phase(
                                                named.name(),
                                                Double.parseDouble(share),
                                                named.length()),
                                "a share");
        @Nullable Rate[] rates =
                phase.part("rate")
                        .map(text -> text.read(PhaseText::rates, "a rate"))
                        .orElse(new @Nullable Rate[2]);
        Optional<Load> load = phase.part("load").map(LoadForm::read);
        if (load.isPresent() && rates[0] != null) {
            throw phase.part("rate").orElseThrow().wrong("cannot be combined with load");
        }
        return new PhaseText.Item(
                shared.name(),
                shared.share(),
                length(phase),
                rates[0],
                rates[1],
                load.orElse(null));
    }

    private static @Nullable PhaseLength length(Given phase) {
        List<PhaseLength> lengths =
                Stream.of(
                                phase.part("iterations").map(PhaseForm::iterations),
                                phase.part("duration").map(time -> lasting(time, time.text())),
                                phase.part("durationMs")
                                        .map(time -> lasting(time, time.text() + "ms")))
                        .flatMap(Optional::stream)
                        .toList();
        if (lengths.size() > 1) {
            throw phase.wrong("expected one of iterations, duration, durationMs");
        }
        return lengths.isEmpty() ? null : lengths.get(0);
    }

    private static PhaseLength iterations(Given count) {
        return count.read(
                text -> new PhaseLength.Iterations(Quantities.parseCount(text, 1)), "a count");
    }

    private static PhaseLength lasting(Given time, String text) {
        return time.read(
                given -> new PhaseLength.Lasting(Quantities.parseDuration(text, false)), "a time");
    }

    private static PhaseLength length(Settings settings) {
        if (!settings.has(DURATION)) {
            return new PhaseLength.Iterations(settings.count(ITERATIONS));
        }
        if (settings.has(ITERATIONS)) {
            throw settings.one(ITERATIONS).orElseThrow().conflict(DURATION);
        }
        return new PhaseLength.Lasting(settings.time(DURATION));
    }

    private static Load.Closed closed(Settings settings) {
        Pause think = pause(settings, THINK);
        Pause pacing = pause(settings, PACING);
        if (!think.isNone() && !pacing.isNone()) {
            throw settings.one(PACING).orElseThrow().conflict(THINK);
        }
        return new Load.Closed(
                think, pacing, settings.has(RAMP) ? settings.time(RAMP) : Duration.ZERO);
    }

    private static Pause pause(Settings settings, Setting setting) {
        return settings.one(setting)
                .map(given -> given.read(PhaseForm::pause, setting.kind().expected()))
                .orElse(Pause.NONE);
    }

    private static Pause pause(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return Pause.of(Quantities.parseDuration(text, true));
        }
        return new Pause(
                Quantities.parseDuration(text.substring(0, dots), true),
                Quantities.parseDuration(text.substring(dots + 2), true));
    }

    private static Optional<Rate> rate(Settings settings) {
        Optional<Given> given = settings.one(RATE);
        Optional<Setting> pause = pause(settings);
        if (given.isPresent() && pause.isPresent()) {
            throw given.get().conflict(pause.get());
        }
        return given.map(value -> value.read(Rate::parse, RATE.kind().expected()));
    }

    /** A setting of closed models alone, if one is given. */
    private static Optional<Setting> pause(Settings settings) {
        return Stream.of(THINK, PACING, RAMP).filter(settings::has).findFirst();
    }

    private Load.Open open(Schedule schedule) {
        return new Load.Open(schedule, LoadForm.overload(settings.text(OVERLOAD)));
    }

    private Rate shareOf(Rate all, PhaseText.Item item) {
        try {
            return all.times(item.share());
        } catch (IllegalArgumentException e) {
            throw settings.one(RATE)
                    .orElseThrow()
                    .wrong("expected a rate that can be multiplied by the share of " + item.name());
        }
    }

    private Schedule schedule(Written written, Rate from, PhaseLength lasting, int index) {
        PhaseText.Item item = written.item();
        if (item.to() == null) {
            return arrivals(from, index);
        }
        if (!(lasting instanceof PhaseLength.Lasting timed)) {
            throw written.given()
                    .orElseThrow()
                    .wrong("expected 'for' and a time beside the ramp of " + item.name());
        }
        if (isPoisson()) {
            throw settings.one(ARRIVALS)
                    .orElseThrow()
                    .wrong("expected constant beside the ramp of " + item.name());
        }
        return new RampArrivals(from, item.to(), timed.duration());
    }

    private boolean isPoisson() {
        return settings.text(ARRIVALS).equals("poisson");
    }

    private Schedule arrivals(Rate each, int index) {
        return isPoisson() ? new PoissonArrivals(each, seed(index)) : new ConstantArrivals(each);
    }

    /** Each phase its own numbers. */
    private long seed(int index) {
        return settings.count(SEED) * 31 + index;
    }

    private boolean isBeside(Setting... any) {
        return Stream.of(any).anyMatch(settings::isBesideFile);
    }

    /** A phase of the file with what options say instead. */
    private Written overridden(Written written, int index) {
        PhaseText.Item item = written.item();
        PhaseLength own = isBeside(DURATION, ITERATIONS) ? null : item.length();
        boolean paused = isBeside(THINK, PACING, RAMP);
        Rate from = item.from();
        Rate to = item.to();
        Load load = item.load();
        if (isBeside(RATE) || paused && !(load instanceof Load.Closed)) {
            from = null;
            to = null;
            load = null;
        } else if (paused && load instanceof Load.Closed kept) {
            load = paused(kept);
        } else if (load instanceof Load.Open open) {
            PhaseLength lasting = own == null ? length : own;
            load =
                    new Load.Open(
                            scheduled(open.schedule(), lasting, item.name(), index),
                            isBeside(OVERLOAD)
                                    ? LoadForm.overload(settings.text(OVERLOAD))
                                    : open.overload());
        }
        return new Written(
                written.given(),
                new PhaseText.Item(item.name(), item.share(), own, from, to, load));
    }

    private Load.Closed paused(Load.Closed own) {
        boolean between = isBeside(THINK, PACING);
        return new Load.Closed(
                between ? closed.think() : own.think(),
                between ? closed.pacing() : own.pacing(),
                isBeside(RAMP) ? closed.ramp() : own.ramp());
    }

    private Schedule scheduled(Schedule own, PhaseLength lasting, String name, int index) {
        boolean chosen = isBeside(ARRIVALS);
        if (own instanceof ConstantArrivals constant) {
            return chosen ? arrivals(constant.rate(), index) : constant;
        }
        if (own instanceof PoissonArrivals poisson) {
            if (chosen && !isPoisson()) {
                return new ConstantArrivals(poisson.rate());
            }
            return isBeside(SEED) ? new PoissonArrivals(poisson.rate(), seed(index)) : poisson;
        }
        if (chosen && isPoisson()) {
            throw settings.one(ARRIVALS)
                    .orElseThrow()
                    .wrong("expected constant beside the schedule of " + name);
        }
        return own instanceof RampArrivals ramp && lasting instanceof PhaseLength.Lasting timed
                ? new RampArrivals(ramp.from(), ramp.to(), timed.duration())
                : own;
    }

    /** A phase as a document. */
    static ObjectNode write(Phase phase) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", phase.name()).put("share", phase.share());
        if (phase.length() instanceof PhaseLength.Iterations counted) {
            json.put("iterations", counted.perUser());
        } else if (phase.length() instanceof PhaseLength.Lasting timed) {
            json.put("durationMs", LoadForm.millis(timed.duration()));
        }
        json.set("load", LoadForm.write(phase.load()));
        return json;
    }
}
