package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostFiguresTest {

    private static final HostFigures ONE = new HostFigures(Map.of("cpuPercent", 20.0, "memory", 3.0));

    @Test
    void figuresOfSeveralMachinesAreSeparatedByTheirNames() {
        HostFigures idle = new HostFigures(Map.of("cpuPercent", 1.0));

        HostFigures all = ONE.of("b.internal").and(idle.of("a"));

        assertThat(all.values())
                .isEqualTo(Map.of("b.internal.cpuPercent", 20.0, "b.internal.memory", 3.0, "a.cpuPercent", 1.0));
        assertThat(all.byMachine().keySet()).containsExactly("a", "b.internal");
        assertThat(all.byMachine()).containsEntry("a", idle).containsEntry("b.internal", ONE);
    }

    @Test
    void theOnlyMachineNeedsNoName() {
        assertThat(ONE.of("")).isEqualTo(ONE);
        assertThat(ONE.byMachine()).isEqualTo(Map.of("", ONE));
    }

    @Test
    void aGapHasNoFigures() {
        assertThat(HostFigures.GAP.isGap()).isTrue();
        assertThat(HostFigures.GAP.byMachine()).isEmpty();
        assertThat(ONE.isGap()).isFalse();
        assertThat(ONE.and(HostFigures.GAP)).isEqualTo(ONE);
    }

    @Test
    void laterChangesOfItsSourceDoNotChangeIt() {
        Map<String, Double> values = new HashMap<>(Map.of("memory", 3.0));
        HostFigures figures = new HostFigures(values);

        values.put("memory", 4.0);

        assertThat(figures.values()).isEqualTo(Map.of("memory", 3.0));
        assertThatThrownBy(() -> figures.values().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
