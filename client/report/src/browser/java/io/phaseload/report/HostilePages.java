package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Side;
import io.phaseload.plan.PlanBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pages of all kinds, with texts of users that would break out if they could. */
final class HostilePages {

    /** Ends a script, begins an element, and would run if it were ever taken for HTML. */
    static final String HOSTILE = "</script><b class=out>x</b><img src=x onerror='out=1'>\u2028&amp;\"";

    private HostilePages() {}

    static String run() {
        return made(1).page();
    }

    private static SyntheticRun made(int seed) {
        PlanBuilder plan =
                SyntheticRun.plan("GET /items", HOSTILE + seed, "POST /cart").label("note", HOSTILE);
        return SyntheticRun.run(plan, 30, 200 + 40 * seed, "check body~'" + HOSTILE + "'");
    }

    /** Writes its runs into a folder. */
    static String comparison(Path folder) throws IOException {
        return ComparisonPage.write(List.of(Comparison.of(
                side("before", made(1), folder.resolve("a")),
                side(HOSTILE, made(1), folder.resolve("b")),
                Optional.empty(),
                new Tolerance(0.05, 0.1))));
    }

    private static Side side(String name, SyntheticRun run, Path folder) throws IOException {
        return new Side(name, List.of(new Side.Trial(name, run.stored(folder))));
    }

    /** Threads, and a parameter beside them; five trials of each. */
    static String sweep() {
        SyntheticSweep sweep = new SyntheticSweep("nightly", List.of("--param", "size=1k," + HOSTILE));
        for (String size : List.of("1k", HOSTILE)) {
            for (int threads = 1; threads <= 64; threads *= 2) {
                sweep.step(
                        5,
                        threads,
                        List.of("GET /", HOSTILE),
                        Map.of("threads", Integer.toString(threads), "size", size),
                        "VALID");
            }
        }
        return sweep.page();
    }
}
