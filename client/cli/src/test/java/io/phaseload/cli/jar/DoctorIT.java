package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;

/** The doctor on a machine that hasn't enough of something. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs Linux's ulimit, and its control groups")
class DoctorIT {

    private static final String IN_GROUP =
            "g=/sys/fs/cgroup/cpu/phaseload-$$; mkdir $g && echo 150000 > $g/cpu.cfs_quota_us"
                    + " && echo $$ > $g/cgroup.procs && %s; code=$?;"
                    + " echo $$ > /sys/fs/cgroup/cpu/cgroup.procs; rmdir $g; exit $code";
    private static final String COMMAND = "\"$@\"";
    private static final String LIMITED = "ulimit -n 64 && HTTP_PROXY=http://me:secret@proxy.example:1 " + COMMAND;

    @TempDir
    private Path folder;

    @Test
    void whatTheMachineLacksIsTold() throws Exception {
        boolean group = canLimitCpus();
        String script = group ? IN_GROUP.formatted(LIMITED) : LIMITED;
        String line = "doctor --json --threads 40 --url http://none.invalid/";
        try (JarProcess process = JarProcess.startUnder(folder, List.of(), script, line)) {
            Cli doctor = process.end();

            assertThat(doctor.code()).as(doctor.err()).isEqualTo(2);
            assertThat(doctor.err()).isEmpty();
            JsonNode checks = doctor.json().get("checks");
            assertThat(found(checks, "open-files")).isEqualTo("FAIL 64 files may be open");
            assertThat(found(checks, "host-name")).startsWith("FAIL none.invalid: ");
            assertThat(found(checks, "proxy")).isEqualTo("WARN HTTP_PROXY=http://proxy.example:1");
            if (group) {
                assertThat(found(checks, "cpu-quota")).isEqualTo("WARN the control group may use 1.50 CPUs");
            }
        }
    }

    private boolean canLimitCpus() throws Exception {
        try {
            JarProcess.assumePossible(folder, List.of(), IN_GROUP.formatted(COMMAND));
            return true;
        } catch (TestAbortedException e) {
            return false;
        }
    }

    private static String found(JsonNode checks, String id) {
        JsonNode check = checks.valueStream()
                .filter(each -> each.get("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
        return check.get("status").asString() + " " + check.path("found").asString();
    }
}
