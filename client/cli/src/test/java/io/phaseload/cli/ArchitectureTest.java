package io.phaseload.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.phaseload.cli.terminal.Interruption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ArchitectureTest {

    private static final JavaClasses CLI = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.phaseload.cli");

    /** A package that isn't named here fails this rule, too. */
    @Test
    void packagesKnowOnlyThoseThatTheyAreBuiltOn() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitecture()
                .layer("command")
                .definedBy("io.phaseload.cli.command")
                .layer("watch")
                .definedBy("io.phaseload.cli.watch")
                .layer("foreign")
                .definedBy("io.phaseload.cli.foreign")
                .layer("terminal")
                .definedBy("io.phaseload.cli.terminal")
                .layer("folders")
                .definedBy("io.phaseload.cli.folders")
                .layer("cluster")
                .definedBy("io.phaseload.cli.cluster")
                .layer("doctor facts")
                .definedBy("io.phaseload.cli.doctor.facts")
                .layer("doctor checks")
                .definedBy("io.phaseload.cli.doctor.checks")
                .layer("doctor")
                .definedBy("io.phaseload.cli.doctor")
                .layer("run")
                .definedBy("io.phaseload.cli.run")
                .layer("sweep")
                .definedBy("io.phaseload.cli.sweep")
                .layer("decide")
                .definedBy("io.phaseload.cli.decide")
                .layer("stored")
                .definedBy("io.phaseload.cli.stored")
                .layer("prove")
                .definedBy("io.phaseload.cli.prove")
                .layer("shell")
                .definedBy("io.phaseload.cli.shell")
                .layer("main")
                .definedBy("io.phaseload.cli")
                .whereLayer("command")
                .mayNotAccessAnyLayer()
                .whereLayer("watch")
                .mayOnlyAccessLayers("command", "folders")
                .whereLayer("foreign")
                .mayOnlyAccessLayers("command")
                .whereLayer("terminal")
                .mayOnlyAccessLayers("command")
                .whereLayer("folders")
                .mayOnlyAccessLayers("command", "terminal")
                .whereLayer("cluster")
                .mayOnlyAccessLayers("command", "terminal", "folders")
                .whereLayer("doctor facts")
                .mayNotAccessAnyLayer()
                .whereLayer("doctor checks")
                .mayOnlyAccessLayers("doctor facts")
                .whereLayer("doctor")
                .mayOnlyAccessLayers("doctor checks", "doctor facts", "terminal")
                .whereLayer("run")
                .mayOnlyAccessLayers(
                        "command", "foreign", "terminal", "folders", "cluster", "watch", "doctor", "doctor checks")
                .whereLayer("sweep")
                .mayOnlyAccessLayers("command", "foreign", "terminal", "folders", "cluster", "watch", "run")
                .whereLayer("decide")
                .mayOnlyAccessLayers("command", "foreign", "terminal", "folders", "cluster", "watch", "run")
                .whereLayer("prove")
                .mayOnlyAccessLayers("command", "terminal", "folders")
                .whereLayer("shell")
                .mayOnlyAccessLayers("command")
                .whereLayer("decide")
                .mayOnlyAccessLayers("command", "foreign", "terminal", "folders", "cluster", "watch", "run")
                .whereLayer("stored")
                .mayOnlyAccessLayers("command", "terminal", "folders")
                .check(CLI);
    }

    @Test
    void onlyMainKnowsTheStandardStreams() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Main.class)
                .should(ACCESS_STANDARD_STREAMS)
                .check(CLI);
    }

    @Test
    void onlyMainAndTheSecondSignalEndTheJvm() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Main.class, Interruption.class, OutOfMemory.class)
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(CLI);
    }
}
