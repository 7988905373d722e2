package io.phaseload.events;

import io.phaseload.health.LoopLag;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.recording.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The loops of one phase. Each is asked in its own thread, and so is each drained.
 *
 * @param <L> the part of the phase that a loop has
 */
public final class LoopGroup<L extends LoopGroup.Member> {

    /** A loop's part of the phase. */
    public interface Member {

        /** Its records; may be called by any thread. */
        LoopRecords records();
    }

    private final List<L> members;
    private final Recorder recorder;

    /**
     * Groups the loops of a phase.
     *
     * @param tallies the number of tallies: one an operation, then what is timed as a whole
     */
    public LoopGroup(int tallies, List<L> members) {
        this.members = List.copyOf(members);
        this.recorder = new Recorder(
                tallies,
                sums -> answers(of -> of.records().take()).forEach(taken -> Tallies.addEach(sums, taken)),
                () -> answers(of -> of.records().sampler()));
    }

    public Recorder recorder() {
        return recorder;
    }

    /** How late the loops have been so far. */
    public Optional<LoopLag> lag() {
        return members.stream().map(of -> of.records().lag().lag()).reduce(LoopLag::or);
    }

    /** How a few of their connections are, others each time. */
    public List<TcpConnection> connections() {
        return answers(of -> of.records().context().askConnections()).stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Asks each without waiting. */
    public <T> List<CompletableFuture<T>> ask(Function<L, T> question) {
        List<CompletableFuture<T>> asked = new ArrayList<>();
        for (L member : members) {
            asked.add(CompletableFuture.supplyAsync(
                    () -> question.apply(member), member.records().context()::execute));
        }
        return asked;
    }

    private <T> List<T> answers(Function<L, T> question) {
        return ask(question).stream().map(CompletableFuture::join).toList();
    }

    /** Returns when each has done it. */
    public void join(Consumer<L> task) {
        answers(member -> {
            task.accept(member);
            return true;
        });
    }

    /** Has each do it, and returns at once. */
    public void execute(Consumer<L> task) {
        for (L member : members) {
            member.records().context().execute(() -> task.accept(member));
        }
    }
}
