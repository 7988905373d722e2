package io.phaseload.report.tables;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Timeline.Bin;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Throttle;
import java.time.Duration;
import java.util.List;

/** The load of a plan over time. */
final class Demand {

    private Demand() {}

    /** The requested load of open phases; more than was sent if users or the client were short. */
    static Table offered(Plan plan, List<Bin> bins) {
        Column offered = Column.of("per_second", "offered", "rps");
        Table.Builder table = new Table.Builder("offered", Bins.PHASE, Bins.START, Bins.END, offered);
        for (Phase phase : plan.phases()) {
            List<Bin> own = own(phase, bins);
            if (phase.load() instanceof Load.Open) {
                Throttle load = new Throttle(new PhaseSettings(plan, phase));
                for (Bin bin : own) {
                    Duration start = bin.start().minus(own.get(0).start());
                    Duration end = bin.end().minus(own.get(0).start());
                    long due = load.startsBefore(end.toNanos(), Long.MAX_VALUE)
                            - load.startsBefore(start.toNanos(), Long.MAX_VALUE);
                    table.row(phase.name(), bin.startSeconds(), bin.endSeconds(), due / bin.lengthSeconds());
                }
            }
        }
        return table.build();
    }

    /** How many users have begun at the end of each bin: those of a ramp begin one after another. */
    static Table users(Plan plan, List<Bin> bins) {
        Table.Builder table = new Table.Builder("users", Bins.PHASE, Bins.START, Bins.AT, Bins.END).count("users");
        for (Phase phase : plan.phases()) {
            List<Bin> own = own(phase, bins);
            Throttle load = new Throttle(new PhaseSettings(plan, phase));
            for (Bin bin : own) {
                Duration since = bin.end().minus(own.get(0).start());
                long users = begun(phase, load, since);
                table.row(phase.name(), bin.startSeconds(), bin.atSeconds(), bin.endSeconds(), users);
            }
        }
        return table.build();
    }

    private static long begun(Phase phase, Throttle load, Duration since) {
        boolean open = phase.load() instanceof Load.Open;
        long users = open ? load.mostUsers() : Long.parseLong(load.level(since.toNanos()));
        if (phase.load() instanceof Load.Closed closed && !closed.ramp().isZero()) {
            // User i begins at i × ramp ÷ users.
            double part = (double) since.toNanos() / closed.ramp().toNanos();
            return Math.min(users, (long) Math.ceil(part * users));
        }
        return users;
    }

    private static List<Bin> own(Phase phase, List<Bin> bins) {
        return bins.stream().filter(bin -> bin.phase().equals(phase.name())).toList();
    }
}
