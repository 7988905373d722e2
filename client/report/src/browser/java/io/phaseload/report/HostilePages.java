package io.phaseload.report;

import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Side;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.result.FixedResults;
import io.phaseload.result.json.ResultJson;
import io.phaseload.result.store.StoredRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Pages of all kinds, with texts of users that would break out if they could. */
final class HostilePages {

    /** Ends a script, begins an element, and would run if it were ever taken for HTML. */
    static final String HOSTILE = "</script><b class=out>x</b><img src=x onerror='out=1'>\u2028&amp;\"";

    private HostilePages() {}

    static String run() {
        return made(1).page();
    }

    private static SyntheticRun made(int seed) {
        return made(seed, 30);
    }

    private static SyntheticRun made(int seed, int secondsAPhase) {
        PlanBuilder plan =
                SyntheticRun.plan("GET /items", HOSTILE + seed, "POST /cart").label("note", HOSTILE);
        return SyntheticRun.run(plan, secondsAPhase, 200 + 40 * seed, "check body~'" + HOSTILE + "'");
    }

    /** Writes its runs into a folder. */
    static String comparison(Path folder) throws IOException {
        return ComparisonPage.write(List.of(Comparison.of(
                side("before", made(1), folder.resolve("a")),
                side(HOSTILE, made(1), folder.resolve("b")),
                Optional.empty(),
                new Tolerance(0.05, 0.1))));
    }

    /** A run that was stored, then had markup put into every text of its {@code result.json} that still can be read. */
    static String stored(Path folder) throws IOException {
        made(2, 5).stored(folder);
        Path file = folder.resolve("result.json");
        JsonMapper mapper = JsonMapper.shared();
        ObjectNode json = (ObjectNode) mapper.readTree(Files.readString(file));
        json.set(
                "agents",
                mapper.readTree(ResultJson.write(FixedResults.ofAgents())).get("agents"));
        Runnable read = () -> {
            try {
                Files.writeString(file, json.toString());
                StoredRun.read(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        read.run();
        spoil(json, read);
        read.run();
        StoredRun stored = StoredRun.read(folder);
        return RunPage.write(stored.result(), stored.intervals());
    }

    /** Spoils all texts of a part at once, or of its parts if the run can't be read then: reading it takes a while. */
    private static void spoil(ObjectNode node, Runnable read) {
        for (String name : List.copyOf(node.propertyNames())) {
            JsonNode before = node.get(name);
            if (!keeps(read, () -> node.set(name, spoiled(before)), () -> node.set(name, before))) {
                spoilParts(before, read);
            }
        }
    }

    private static void spoilParts(JsonNode node, Runnable read) {
        if (node instanceof ObjectNode object) {
            spoil(object, read);
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int at = i;
                JsonNode before = array.get(i);
                if (!keeps(read, () -> array.set(at, spoiled(before)), () -> array.set(at, before))) {
                    spoilParts(before, read);
                }
            }
        }
    }

    private static JsonNode spoiled(JsonNode node) {
        if (node.isString()) {
            return StringNode.valueOf(node.asString() + HOSTILE);
        }
        JsonNode copy = node.deepCopy();
        if (copy instanceof ObjectNode object) {
            List.copyOf(object.propertyNames()).forEach(name -> object.set(name, spoiled(object.get(name))));
        } else if (copy instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, spoiled(array.get(i)));
            }
        }
        return copy;
    }

    /** Some texts are numbers, times or names of a list: the run couldn't be read. */
    private static boolean keeps(Runnable read, Runnable change, Runnable undo) {
        change.run();
        try {
            read.run();
            return true;
        } catch (RuntimeException refused) {
            undo.run();
            return false;
        }
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
