package io.phaseload.planfile.phases;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Load;
import io.phaseload.settings.Setting;
import org.junit.jupiter.api.Test;

class LoadFormTest {

    @Test
    void aSettingCanChooseEachWayOfOverload() {
        assertThat(Setting.of("overload").kind().words())
                .extracting(LoadForm::overload)
                .containsExactly(Load.Overload.values());
    }
}
