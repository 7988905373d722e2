package io.phaseload.planfile;

import io.phaseload.plan.Load;
import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.util.List;
import java.util.Optional;

/** The settings of a plan of messages, apart from its engine. */
final class MessagesForm {

    private MessagesForm() {}

    /** The scenario of messages, for which nothing of requests may be asked. */
    static Scenario read(Settings settings, Scenario asked, PairsForm form) {
        if (settings.has(Setting.SCENARIOS)) {
            throw settings.given(Setting.SCENARIOS)
                    .needs(Setting.URL, "http://…, where a step connect opens a WebSocket");
        }
        if (settings.has(Setting.OPERATIONS)
                && !asked.operations().equals(Scenario.messages().operations())) {
            throw settings.given(Setting.OPERATIONS).needs(Setting.URL, "http://…");
        }
        Given url = settings.given(Setting.URL);
        boolean alone = settings.count(Setting.THREADS) == 1;
        boolean echoed = settings.count("engine.subscribers") == 0;
        PairProtocol protocol = form.read();
        boolean one = alone || echoed || protocol.namesPairs();
        Optional<Given> topic = settings.one("engine.topic");
        if (!one && topic.isPresent() && !topic.get().text().contains(Target.PAIR)) {
            throw topic.get().wrong("expected {pair} in it, since each pair has a topic of its own");
        }
        if (!one && topic.isEmpty() && Target.parse(url.text()).isShared()) {
            throw url.withoutSecrets().wrong("expected {pair} in the path, since each pair has an address of its own");
        }
        return Scenario.messages(protocol);
    }

    /** Refuses a way and phases that messages can't have. */
    static void check(Settings settings, Target target, List<Phase> phases) {
        if (target.forwarder().isPresent()) {
            throw settings.given("client.proxy").withoutSecrets().wrong("an HTTP proxy cannot be combined with ws://");
        }
        if (!phases.stream().allMatch(phase -> phase.load() instanceof Load.Open)) {
            throw settings.given(Setting.URL).withoutSecrets().needs(Setting.RATE, "500/s");
        }
    }
}
