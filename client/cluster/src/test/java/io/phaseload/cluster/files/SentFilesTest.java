package io.phaseload.cluster.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.SentFile;
import io.phaseload.plan.Body;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Feeder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Files of a plan go to an agent in pieces, and it reads no others. */
@Timeout(30)
class SentFilesTest {

    @TempDir
    private Path folder;

    private final List<Message.Want> wants = new ArrayList<>();
    private Path file;

    @BeforeEach
    void write() throws IOException {
        byte[] bytes = new byte[2_500_000];
        new Random(1).nextBytes(bytes);
        file = Files.write(folder.resolve("rows.csv"), bytes);
    }

    @Test
    void copiesAreWholeAndGoAgain() throws IOException {
        Path copy;
        try (ReceivedFiles received = received(plan(file), Map.of("x", "1"), piece -> piece)) {
            received.receive();
            copy = received.local(plan(file)).files().iterator().next();

            assertThat(copy).hasSameBinaryContentAs(file);
            assertThat(copy).isNotEqualTo(file);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(wants).extracting(Message.Want::offset).containsExactly(0L, 1L << 20, 2L << 20);
        assertThat(copy.getParent()).doesNotExist();
    }

    @Test
    void aPieceThatIsChangedIsNoticed() throws IOException {
        UnaryOperator<Message.FilePiece> change = piece -> {
            piece.bytes()[7]++;
            return piece;
        };
        try (ReceivedFiles received = received(plan(file), Map.of("x", "1"), change)) {
            assertThatThrownBy(received::receive).hasMessage(file + " changed while it was sent");
        }
    }

    /** Whatever a coordinator sends without being asked takes no memory. */
    @Test
    void onlyPiecesThatWereAskedForAreKept() throws Exception {
        OfferedFiles offered = OfferedFiles.of(plan(file));
        Field pieces = ReceivedFiles.class.getDeclaredField("pieces");
        pieces.setAccessible(true);
        List<ReceivedFiles> own = new ArrayList<>();
        ReceivedFiles received = new ReceivedFiles(order(plan(file), Map.of("x", "1")), message -> {
            try {
                for (long offset : List.of(2L << 20, 1L << 20, 0L)) {
                    Message.FilePiece piece = offered.piece(new Message.Want("r", 0, offset));
                    own.get(0).received(piece);
                    own.get(0).received(piece);
                }
                assertThat((Collection<?>) pieces.get(own.get(0))).hasSize(1);
            } catch (IOException | IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        });
        own.add(received);
        try (received) {
            received.receive();
        }
    }

    @Test
    void aPlanCannotNameAnotherFile() throws IOException {
        try (ReceivedFiles received = received(plan(file), Map.of("x", "1"), piece -> piece)) {
            received.receive();

            assertThatThrownBy(() -> received.local(plan(Path.of("/etc/passwd"))))
                    .hasMessage("/etc/passwd: it wasn't sent");
        }
    }

    /** Copies are numbered: a name leads nowhere, whatever the coordinator sends. */
    @Test
    void hostileNamesLeadNowhere() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        byte[] before = Files.readAllBytes(file);
        String sum = OfferedFiles.text(OfferedFiles.newSum());
        List<String> names = List.of("../../outside", file.toString(), link.toString(), "/outside", "0", "~/x");
        Message.RunOrder order = new Message.RunOrder(
                "r",
                JsonNodeFactory.instance.objectNode(),
                Map.of("x", "1"),
                names.stream().map(name -> new SentFile(name, 0, sum)).toList(),
                1,
                List.of());

        try (ReceivedFiles received = new ReceivedFiles(order, message -> {})) {
            received.receive();

            assertThat(received.local(plan(Path.of("../../outside"))).files())
                    .allMatch(copy -> copy.getParent().toString().contains("phaseload-agent"));
        }

        assertThat(file).hasBinaryContent(before);
        assertThat(link).isSymbolicLink();
        assertThat(folder.resolve("../../outside")).doesNotExist();
    }

    @Test
    void aVariableCannotNameTheEnvironment() throws IOException {
        Map<String, String> variables = Map.of("x", "${env:PATH}");
        try (ReceivedFiles received = received(plan(file), variables, piece -> piece)) {
            received.receive();

            assertThatThrownBy(() -> received.local(plan(file)))
                    .hasMessage("variable x: expected PATH in the environment");
        }
    }

    @Test
    void whoeverGivesUpWaitsNoMore() throws IOException {
        try (ReceivedFiles received = new ReceivedFiles(order(plan(file), Map.of()), message -> {})) {
            received.giveUp();

            assertThatThrownBy(received::receive).hasMessage("it ended before its files came");
        }
    }

    @Test
    void onlyPiecesOfThePlansFilesAreGiven() throws IOException {
        OfferedFiles offered = OfferedFiles.of(plan(file));

        for (Message.Want want : List.of(
                new Message.Want("r", 1, 0),
                new Message.Want("r", -1, 0),
                new Message.Want("r", 0, -1),
                new Message.Want("r", 0, 2_500_000))) {
            assertThatThrownBy(() -> offered.piece(want)).hasMessage("a piece of no file");
        }
    }

    @Test
    void whatCannotBeSentIsSaidBefore() throws IOException {
        Path missing = folder.resolve("missing.csv");
        assertThatThrownBy(() -> ClusterRun.check(plan(missing)))
                .hasMessage(missing + ": expected a file that can be read");

        Operation large = Operation.post("/", Body.ofText("x".repeat(8_000_000)));
        Plan tooLarge =
                Plan.builder(URI.create("http://localhost/")).operations(large).build();
        assertThatThrownBy(() -> ClusterRun.check(tooLarge))
                .hasMessageMatching("the plan with its bodies: 8,00.,... bytes: agents take at most 8,000,000");

        SentFile most = new SentFile("a", SentFile.MOST_BYTES, "");
        Message.RunOrder order = order(plan(file), Map.of());
        Message.RunOrder tooMany = new Message.RunOrder(
                "r", order.plan(), Map.of(), List.of(most, order.files().get(0)), 1, List.of());
        try (ReceivedFiles received = new ReceivedFiles(tooMany, message -> {})) {
            assertThatThrownBy(received::receive).hasMessage("more files than an agent takes");
        }
    }

    /** An agent whose coordinator answers at once. */
    private ReceivedFiles received(Plan plan, Map<String, String> variables, UnaryOperator<Message.FilePiece> change)
            throws IOException {
        OfferedFiles offered = OfferedFiles.of(plan);
        List<ReceivedFiles> received = new ArrayList<>();
        received.add(new ReceivedFiles(order(plan, variables), message -> {
            Message.Want want = (Message.Want) message;
            wants.add(want);
            try {
                received.get(0).received(change.apply(offered.piece(want)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        return received.get(0);
    }

    private static Message.RunOrder order(Plan plan, Map<String, String> variables) throws IOException {
        return new Message.RunOrder(
                "r",
                JsonNodeFactory.instance.objectNode(),
                variables,
                OfferedFiles.of(plan).files(),
                1,
                List.of());
    }

    private static Plan plan(Path data) {
        Journey journey = Journey.named("j").step(Step.get("/{f.a}/{x}"));
        return Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.of(new Journeys(
                        List.of(journey),
                        Map.of("x", "${env:HOME}"),
                        List.of(Feeder.of("f", Feeder.Format.CSV, data)))))
                .build();
    }
}
