package io.phaseload.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.journey.rows.FeederRows;
import io.phaseload.plan.Plan;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.Feeder.Each;
import io.phaseload.plan.journey.Feeder.Exhausted;
import io.phaseload.plan.journey.Feeder.Format;
import io.phaseload.plan.journey.Feeder.RowOrder;
import io.phaseload.plan.share.Part;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeederRowsTest {

    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("rows"), text);
    }

    private static Feeder feeder(Format format, Path file, RowOrder order, Exhausted end) {
        return new Feeder("f", format, file, order, Each.ITERATION, end);
    }

    private static List<String> all(Feeder feeder, String... columns) {
        List<String> all = new ArrayList<>();
        try (FeederRows rows = new FeederRows(feeder, List.of(columns), Part.WHOLE, 1).held()) {
            for (String[] row = rows.next(RANDOM); row != null; row = rows.next(RANDOM)) {
                all.add(String.join("|", row));
            }
        }
        return all;
    }

    @Test
    void csvHasQuotesAByteOrderMarkAndColumnsInAnyOrder() throws IOException {
        Path csv = file("\uFEFFname,\"pass\"\"word\",x\r\nAnn,\"a,\"\"b\"\"\nc\",1\r\n\r\nÉva,,2\n");
        assertThat(all(feeder(Format.CSV, csv, RowOrder.SEQUENTIAL, Exhausted.STOP), "pass\"word", "name"))
                .containsExactly("a,\"b\"\nc|Ann", "|Éva");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"b\":\"x\"}\n{\"b\":[1],\"a\":true}\n",
                "[{\"a\":1,\"b\":\"x\"}, {\"b\":[1],\"a\":true}]"
            })
    void jsonIsObjectsInLinesOrInAnArray(String text) throws IOException {
        assertThat(all(feeder(Format.JSON, file(text), RowOrder.SEQUENTIAL, Exhausted.STOP), "a", "b"))
                .containsExactly("1|x", "true|[1]");
    }

    @Test
    void rowsBeginAgain() throws IOException {
        Feeder feeder = feeder(Format.CSV, file("a\n1\n2\n"), RowOrder.SEQUENTIAL, Exhausted.REPEAT);
        try (FeederRows rows = new FeederRows(feeder, List.of("a"), Part.WHOLE, 1)) {
            assertThat(List.of(rows.next(RANDOM)[0], rows.next(RANDOM)[0], rows.next(RANDOM)[0]))
                    .containsExactly("1", "2", "1");
        }
    }

    @Test
    void shuffledRowsComeOnceEach() throws IOException {
        Path csv = file("a\n1\n2\n3\n4\n5\n6\n7\n8\n");
        List<String> shuffled = all(feeder(Format.CSV, csv, RowOrder.SHUFFLED, Exhausted.STOP), "a");
        assertThat(shuffled)
                .containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "7", "8")
                .isNotEqualTo(shuffled.stream().sorted().toList());
        try (FeederRows rows = new FeederRows(
                        feeder(Format.CSV, csv, RowOrder.RANDOM, Exhausted.REPEAT), List.of("a"), Part.WHOLE, 1)
                .held()) {
            for (int i = 0; i < 20; i++) {
                assertThat(rows.next(RANDOM)[0]).matches("[1-8]");
            }
        }
    }

    @Test
    void clientsThatShareAPlanShareTheRows() throws IOException {
        Feeder feeder = feeder(Format.CSV, file("a\n0\n1\n2\n3\n4\n"), RowOrder.SEQUENTIAL, Exhausted.STOP);
        List<String> all = new ArrayList<>();
        for (String part : List.of("1/4", "2,4/4", "3/4")) {
            try (FeederRows rows = new FeederRows(feeder, List.of("a"), Part.parse(part), 1)) {
                String own = "";
                for (String[] row = rows.next(RANDOM); row != null; row = rows.next(RANDOM)) {
                    own += row[0];
                }
                all.add(own);
            }
        }
        assertThat(all).containsExactly("04", "13", "2");
    }

    /** Whichever client takes how many: it takes what its users would have taken of one client. */
    @ParameterizedTest
    @EnumSource(RowOrder.class)
    void clientsTogetherHandOutWhatOneWould(RowOrder order) throws IOException {
        SplittableRandom seeds = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            int size = seeds.nextInt(1, 20);
            Path csv = file(IntStream.range(0, size)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining("\n", "a\n", "\n")));
            Exhausted end = Exhausted.values()[round % 2];
            Feeder feeder = feeder(Format.CSV, csv, order, end);
            int of = seeds.nextInt(1, 9);
            List<List<Integer>> turns = List.of(new ArrayList<>(), new ArrayList<>());
            for (int turn = 0; turn < of; turn++) {
                turns.get(seeds.nextInt(2)).add(turn);
            }
            int takes = 3 * size + 2 * of;
            List<String> one = taken(feeder, Part.WHOLE, takes);
            List<String> all = new ArrayList<>(Collections.nCopies(takes, "?"));
            for (List<Integer> own : turns) {
                if (!own.isEmpty()) {
                    Part part = new Part(own, of);
                    List<String> taken = taken(feeder, part, (int) part.count(takes));
                    for (int i = 0; i < taken.size(); i++) {
                        all.set(part.user(i), taken.get(i));
                    }
                }
            }

            assertThat(all).isEqualTo(one);
        }
    }

    /** What users take that come one after another, each with its own random numbers. */
    private static List<String> taken(Feeder feeder, Part part, int count) {
        try (FeederRows rows = new FeederRows(feeder, List.of("a"), part, 1).held()) {
            return IntStream.range(0, count)
                    .mapToObj(i -> rows.next(new SplittableRandom(part.user(i))))
                    .map(row -> row == null ? "none" : row[0])
                    .toList();
        }
    }

    @Test
    void clientsThatShareAPlanCountTogether() {
        List<String> counts = new ArrayList<>();
        Plan plan = Sessions.plan(List.of(), "/{counter}");
        for (String part : List.of("1,3/3", "2/3")) {
            try (JourneyData data = JourneyData.open(plan.withPart(Part.parse(part)), Map.of("KEY", ""))) {
                CompiledTemplate text = CompiledTemplate.body("{counter}", data.slots());
                Session session = new Session(data, 0, RANDOM.split());
                for (int i = 0; i < 3; i++) {
                    counts.add(text.value(session));
                }
            }
        }
        assertThat(counts).containsExactly("1", "3", "4", "2", "5", "8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,bb;|expected at least one row",
                "''|expected at least one row",
                "b,c;1,2;|{f.a}: expected a column of",
                "a,b;1;|row 1: Record 2 has 1 fields, but first record had 2 fields"
            })
    void mistakesAreNamed(String csv, String message) throws IOException {
        Path file = file(csv.replace(';', '\n'));
        Feeder feeder = feeder(Format.CSV, file, RowOrder.SEQUENTIAL, Exhausted.STOP);
        assertThatThrownBy(() -> new FeederRows(feeder, List.of("a"), Part.WHOLE, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("data f: ")
                .hasMessageContaining(message);
    }

    @Test
    void aFileThatIsntThereIsNamed() {
        Feeder feeder = Feeder.of("f", Format.JSON, folder.resolve("none"));
        assertThatThrownBy(() -> new FeederRows(feeder, List.of(), Part.WHOLE, 1))
                .hasMessage("data f: " + feeder.file() + ": expected a file that can be read");
    }

    /** Were the rows held, they would take ten times as much as the file, which is 40 MB. */
    @Test
    void rowsInTheFilesOrderAreNotHeldInMemory() throws IOException {
        Path csv = folder.resolve("many");
        try (BufferedWriter out = Files.newBufferedWriter(csv, StandardCharsets.US_ASCII)) {
            out.write("a,b\n");
            for (int i = 0; i < 1_500_000; i++) {
                out.write(i + ",abcdefghijklmnop\n");
            }
        }
        try (FeederRows rows = new FeederRows(
                feeder(Format.CSV, csv, RowOrder.SEQUENTIAL, Exhausted.STOP), List.of("a"), Part.WHOLE, 1)) {
            for (int i = 0; i < 1_500_000; i++) {
                if (!rows.next(RANDOM)[0].equals(Integer.toString(i))) {
                    throw new AssertionError("row " + i);
                }
            }
            assertThat(rows.next(RANDOM)).isNull();
        }
        assertThatThrownBy(() -> new FeederRows(
                                feeder(Format.CSV, csv, RowOrder.SHUFFLED, Exhausted.STOP), List.of("a"), Part.WHOLE, 1)
                        .held())
                .hasMessageContaining("expected at most 1,000,000 rows, or the order sequential");
    }

    /** Not only when the run has begun. */
    @ParameterizedTest
    @CsvSource({"SHUFFLED,true", "RANDOM,true", "SEQUENTIAL,false"})
    void whatIsHeldIsCheckedToItsEnd(RowOrder order, boolean checked) throws IOException {
        Feeder feeder = new Feeder("f", Format.CSV, file("a,b\n1,2\n3\n"), order, Each.ITERATION, Exhausted.REPEAT);
        ThrowingCallable check = () -> JourneyData.check(Sessions.plan(List.of(feeder), "/{f.a}"), Map.of("KEY", "k"));
        if (checked) {
            assertThatThrownBy(check).hasMessageContaining("row 2: Record 3 has 1 fields");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

    @Test
    void aUserKeepsItsRow() throws IOException {
        Feeder feeder = new Feeder("f", Format.CSV, file("a\n1\n2\n"), RowOrder.SEQUENTIAL, Each.USER, Exhausted.STOP);
        Plan plan = Sessions.plan(List.of(feeder), "/{f.a}");
        try (JourneyData data = JourneyData.open(plan, Map.of("KEY", ""))) {
            CompiledTemplate text = CompiledTemplate.body("{f.a}", data.slots());
            Program program = Program.all(plan).get(0);
            for (int user : new int[] {4, 2, 4}) {
                Session session = new Session(data, user, RANDOM.split());
                assertThat(session.begin(program)).isTrue();
                assertThat(session.begin(program)).isTrue();
                assertThat(text.value(session)).isEqualTo(user == 4 ? "1" : "2");
            }
            assertThat(new Session(data, 0, RANDOM.split()).begin(program)).isFalse();
        }
    }
}
