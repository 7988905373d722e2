package io.phaseload;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between packages go one way only, and the library writes to no console. */
class ArchitectureTest {

    private static final JavaClasses CORE =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.phaseload");

    /** A package that isn't named here fails this rule, too. */
    @Test
    void packagesDependOnlyOnThoseBelowThem() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitecture()
                .layer("options")
                .definedBy("io.phaseload.options")
                .layer("settings")
                .definedBy("io.phaseload.settings")
                .layer("check")
                .definedBy("io.phaseload.plan.check")
                .layer("plan")
                .definedBy("io.phaseload.plan", "io.phaseload.plan.engine")
                .layer("schedule")
                .definedBy("io.phaseload.schedule")
                .layer("http")
                .definedBy("io.phaseload.http")
                .layer("http.tls")
                .definedBy("io.phaseload.http.tls")
                .layer("measure")
                .definedBy("io.phaseload.measure")
                .layer("health")
                .definedBy("io.phaseload.health")
                .layer("verdict")
                .definedBy("io.phaseload.verdict")
                .layer("stats")
                .definedBy("io.phaseload.stats")
                .layer("user")
                .definedBy("io.phaseload.user")
                .layer("engine")
                .definedBy("io.phaseload.engine")
                .layer("threads")
                .definedBy("io.phaseload.engine.threads")
                .layer("scrape")
                .definedBy("io.phaseload.scrape")
                .layer("result")
                .definedBy("io.phaseload.result")
                .layer("result.json")
                .definedBy("io.phaseload.result.json")
                .layer("result.store")
                .definedBy("io.phaseload.result.store")
                .layer("compare")
                .definedBy("io.phaseload.compare")
                .layer("sweep")
                .definedBy("io.phaseload.sweep..")
                .layer("root")
                .definedBy("io.phaseload")
                .whereLayer("options")
                .mayNotAccessAnyLayer()
                .whereLayer("settings")
                .mayOnlyAccessLayers("options")
                .whereLayer("check")
                .mayOnlyAccessLayers("settings")
                .whereLayer("plan")
                .mayOnlyAccessLayers("options", "settings", "check", "schedule")
                .whereLayer("schedule")
                .mayNotAccessAnyLayer()
                .whereLayer("http")
                .mayOnlyAccessLayers("plan", "check", "measure", "http.tls")
                .whereLayer("http.tls")
                .mayOnlyAccessLayers("plan")
                .whereLayer("measure")
                .mayOnlyAccessLayers("plan", "check")
                .whereLayer("health")
                .mayOnlyAccessLayers("stats")
                .whereLayer("verdict")
                .mayOnlyAccessLayers("health", "stats")
                .whereLayer("stats")
                .mayNotAccessAnyLayer()
                .whereLayer("user")
                .mayOnlyAccessLayers("plan", "schedule", "measure", "health")
                .whereLayer("engine")
                .mayOnlyAccessLayers("plan", "measure", "health", "user")
                .whereLayer("threads")
                .mayOnlyAccessLayers("plan", "http", "measure", "health", "user", "engine")
                .whereLayer("scrape")
                .mayOnlyAccessLayers("plan", "check", "http", "http.tls", "measure", "engine")
                .whereLayer("result")
                .mayOnlyAccessLayers(
                        "settings",
                        "plan",
                        "check",
                        "measure",
                        "health",
                        "verdict",
                        "stats",
                        "user",
                        "engine")
                .whereLayer("result.json")
                .mayOnlyAccessLayers(
                        "settings", "plan", "check", "schedule", "health", "verdict", "result")
                .whereLayer("result.store")
                .mayOnlyAccessLayers(
                        "settings",
                        "plan",
                        "check",
                        "measure",
                        "health",
                        "verdict",
                        "engine",
                        "result",
                        "result.json")
                .whereLayer("compare")
                .mayOnlyAccessLayers(
                        "plan",
                        "check",
                        "measure",
                        "health",
                        "verdict",
                        "stats",
                        "engine",
                        "result",
                        "result.json",
                        "result.store")
                .whereLayer("sweep")
                .mayOnlyAccessLayers(
                        "settings",
                        "plan",
                        "check",
                        "http",
                        "measure",
                        "health",
                        "verdict",
                        "stats",
                        "engine",
                        "result",
                        "result.json",
                        "result.store",
                        "root")
                .whereLayer("root")
                .mayOnlyAccessLayers("plan", "check", "measure", "engine", "scrape", "result")
                .check(CORE);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.(**)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
    }

    @Test
    void nothingIsLoggedThroughTheJdk() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "java.lang.System$Logger")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(System.Logger.class)
                .check(CORE);
    }
}
