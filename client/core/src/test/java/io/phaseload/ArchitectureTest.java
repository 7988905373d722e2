package io.phaseload;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arrows between packages go one way only, the API stands on its own, and the library writes to no console. */
@Tag("slow")
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.phaseload");

    /** What makes and measures load; {@code plan} is its input. */
    private static final List<String> KERNEL =
            List.of("input", "schedule", "plan", "user", "journey", "engine", "run", "http", "measure", "health");

    private static final Pattern COMMENT = Pattern.compile("^ *(?:/?\\*|//).*", Pattern.MULTILINE);

    /** In a text, such as {@code "use --threads"}. */
    private static final Pattern OPTION = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*(?<![\\w-])--[a-z][^\"\n]*\"");

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
                .layer("input")
                .definedBy("io.phaseload.input")
                .layer("check")
                .definedBy("io.phaseload.plan.check")
                .layer("plan.journey")
                .definedBy("io.phaseload.plan.journey")
                .layer("journey")
                .definedBy("io.phaseload.journey..")
                .layer("plan")
                .definedBy(
                        "io.phaseload.plan",
                        "io.phaseload.plan.connection",
                        "io.phaseload.plan.engine",
                        "io.phaseload.plan.metrics",
                        "io.phaseload.plan.share",
                        "io.phaseload.plan.stream")
                .layer("planfile")
                .definedBy("io.phaseload.planfile..")
                .layer("schedule")
                .definedBy("io.phaseload.schedule")
                .layer("http")
                .definedBy(
                        "io.phaseload.http",
                        "io.phaseload.http.limit",
                        "io.phaseload.http.request",
                        "io.phaseload.http.response",
                        "io.phaseload.http.stream")
                .layer("http.client")
                .definedBy("io.phaseload.http.client")
                .layer("http.socket")
                .definedBy("io.phaseload.http.socket")
                .layer("http.tls")
                .definedBy("io.phaseload.http.tls")
                .layer("timing")
                .definedBy("io.phaseload.timing")
                .layer("measure")
                .definedBy("io.phaseload.measure..")
                .layer("run")
                .definedBy("io.phaseload.run")
                .layer("host")
                .definedBy("io.phaseload.host..")
                .layer("health")
                .definedBy("io.phaseload.health")
                .layer("verdict")
                .definedBy("io.phaseload.verdict")
                .layer("rules")
                .definedBy("io.phaseload.verdict.rules")
                .layer("diagnosis")
                .definedBy("io.phaseload.diagnosis..")
                .layer("stats")
                .definedBy("io.phaseload.stats..")
                .layer("user")
                .definedBy("io.phaseload.user")
                .layer("engine")
                .definedBy("io.phaseload.engine")
                .layer("threads")
                .definedBy("io.phaseload.engine.threads")
                .layer("scrape")
                .definedBy("io.phaseload.scrape")
                .layer("result")
                .definedBy("io.phaseload.result", "io.phaseload.result.host")
                .layer("result.build")
                .definedBy("io.phaseload.result.build")
                .layer("result.json")
                .definedBy("io.phaseload.result.json")
                .layer("files")
                .definedBy("io.phaseload.files")
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
                .mayOnlyAccessLayers("options", "input", "files", "plan")
                .whereLayer("check")
                .mayOnlyAccessLayers("options", "plan.journey", "input", "timing")
                .whereLayer("plan.journey")
                .mayOnlyAccessLayers("options", "input")
                .whereLayer("plan")
                .mayOnlyAccessLayers("options", "input", "check", "plan.journey", "schedule", "host")
                .whereLayer("planfile")
                .mayOnlyAccessLayers(
                        "options", "settings", "input", "files", "check", "plan.journey", "plan", "schedule")
                .whereLayer("journey")
                .mayOnlyAccessLayers("plan", "plan.journey")
                .whereLayer("schedule")
                .mayOnlyAccessLayers("options")
                .whereLayer("http")
                .mayOnlyAccessLayers(
                        "input", "plan", "plan.journey", "check", "journey", "measure", "timing", "http.tls")
                .whereLayer("http.client")
                .mayOnlyAccessLayers("input", "plan", "host", "http", "http.socket", "measure", "timing", "run")
                .whereLayer("http.socket")
                .mayOnlyAccessLayers("input", "plan", "plan.journey", "check", "http", "journey", "measure", "timing")
                .whereLayer("http.tls")
                .mayOnlyAccessLayers("options", "plan")
                .whereLayer("timing")
                .mayNotAccessAnyLayer()
                .whereLayer("measure")
                .mayOnlyAccessLayers("plan", "check", "timing")
                .whereLayer("host")
                .mayNotAccessAnyLayer()
                .whereLayer("health")
                .mayOnlyAccessLayers("host", "measure")
                .whereLayer("verdict")
                .mayNotAccessAnyLayer()
                .whereLayer("diagnosis")
                .mayOnlyAccessLayers(
                        "plan", "schedule", "measure", "timing", "run", "host", "verdict", "rules", "stats")
                .whereLayer("stats")
                .mayNotAccessAnyLayer()
                .whereLayer("user")
                .mayOnlyAccessLayers("plan", "schedule", "journey", "measure", "timing", "health")
                .whereLayer("engine")
                .mayOnlyAccessLayers("plan", "journey", "measure", "timing", "host", "health", "user", "run")
                .whereLayer("threads")
                .mayOnlyAccessLayers(
                        "plan",
                        "host",
                        "http",
                        "http.client",
                        "http.socket",
                        "journey",
                        "measure",
                        "timing",
                        "health",
                        "user",
                        "engine",
                        "run")
                .whereLayer("scrape")
                .mayOnlyAccessLayers("plan", "check", "http", "http.tls", "measure", "timing", "host", "run")
                .whereLayer("result")
                .mayOnlyAccessLayers(
                        "diagnosis",
                        "settings",
                        "plan",
                        "check",
                        "measure",
                        "timing",
                        "host",
                        "verdict",
                        "rules",
                        "stats",
                        "run")
                .whereLayer("result.json")
                .mayOnlyAccessLayers("diagnosis", "settings", "files", "plan", "planfile", "verdict", "result")
                .whereLayer("result.store")
                .mayOnlyAccessLayers(
                        "options",
                        "diagnosis",
                        "settings",
                        "plan",
                        "planfile",
                        "check",
                        "measure",
                        "timing",
                        "host",
                        "health",
                        "verdict",
                        "rules",
                        "engine",
                        "run",
                        "stats",
                        "files",
                        "result",
                        "result.build",
                        "result.json")
                .whereLayer("compare")
                .mayOnlyAccessLayers(
                        "plan",
                        "check",
                        "measure",
                        "timing",
                        "health",
                        "verdict",
                        "stats",
                        "engine",
                        "result",
                        "result.json",
                        "result.store")
                .whereLayer("sweep")
                .mayOnlyAccessLayers(
                        "options",
                        "settings",
                        "input",
                        "schedule",
                        "plan",
                        "check",
                        "http",
                        "measure",
                        "timing",
                        "health",
                        "verdict",
                        "stats",
                        "engine",
                        "run",
                        "files",
                        "result",
                        "result.json",
                        "result.store",
                        "root")
                .whereLayer("root")
                .mayOnlyAccessLayers(
                        "diagnosis",
                        "plan",
                        "check",
                        "http.client",
                        "journey",
                        "measure",
                        "timing",
                        "engine",
                        "threads",
                        "run",
                        "scrape",
                        "result",
                        "result.build")
                .whereLayer("input")
                .mayOnlyAccessLayers("options")
                .whereLayer("files")
                .mayNotAccessAnyLayer()
                .whereLayer("run")
                .mayOnlyAccessLayers("plan", "measure", "timing")
                .whereLayer("rules")
                .mayOnlyAccessLayers("plan", "measure", "host", "health", "verdict", "stats")
                .whereLayer("result.build")
                .mayOnlyAccessLayers(
                        "diagnosis",
                        "input",
                        "plan",
                        "check",
                        "measure",
                        "timing",
                        "host",
                        "health",
                        "verdict",
                        "rules",
                        "stats",
                        "user",
                        "engine",
                        "run",
                        "result")
                .check(CORE);
    }

    @Test
    void theKernelKnowsNoSettingAndNoFileOfPlans() {
        noClasses()
                .that()
                .resideInAnyPackage(KERNEL.stream()
                        .map(name -> "io.phaseload." + name + "..")
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.phaseload.settings",
                        "io.phaseload.planfile..",
                        "io.phaseload.files",
                        "tools.jackson.dataformat..",
                        "org.snakeyaml..")
                .check(CORE);
    }

    /** Of the plan, documents are in {@code planfile}; JSON is what requests, responses and data files have. */
    @Test
    void onlyWhatReadsBodiesAndDataKnowsJson() {
        noClasses()
                .that()
                .resideInAnyPackage(KERNEL.stream()
                        .filter(name -> !name.equals("journey") && !name.equals("http"))
                        .map(name -> "io.phaseload." + name + "..")
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson.databind..")
                .check(CORE);
    }

    /** Class files don't show where a text comes from, so this reads the sources. */
    @Test
    void theKernelNamesNoOption() throws IOException {
        for (String name : KERNEL) {
            List<Path> sources = sources(name);
            assertThat(sources).as(name).isNotEmpty();
            for (Path file : sources) {
                String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
                assertThat(OPTION.matcher(code).results().map(MatchResult::group))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    /** The files of a package, in the module that has it. */
    private static List<Path> sources(String name) throws IOException {
        for (Path module : List.of(Path.of("../model"), Path.of("../kernel"), Path.of("../../options"))) {
            Path folder = module.resolve("src/main/java/io/phaseload").resolve(name);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    return files.filter(Files::isRegularFile).toList();
                }
            }
        }
        return List.of();
    }

    @Test
    void theApiNamesOnlyTypesThatAreExported() {
        Set<String> api = api();
        assertThat(CORE.stream()
                        .filter(type -> api.contains(type.getPackageName()))
                        .filter(ArchitectureTest::isPublic)
                        .flatMap(ArchitectureTest::signatures)
                        .filter(type -> type.getPackageName().startsWith("io.phaseload")
                                || type.getPackageName().startsWith("tools.jackson"))
                        .filter(type -> !api.contains(type.getPackageName()) || !isPublic(type))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    @Test
    void theApiIsNullMarked() {
        assertThat(api()).contains("io.phaseload", "io.phaseload.plan", "io.phaseload.result");
        for (String name : api()) {
            assertThat(CORE.getPackage(name).isAnnotatedWith(NullMarked.class))
                    .as(name)
                    .isTrue();
        }
    }

    /** The packages that the model and the library export to everybody. */
    private static Set<String> api() {
        return Stream.of(Plan.class, ThreadsLoadClient.class)
                .flatMap(type -> ModuleFinder.of(classes(type)).findAll().stream())
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }

    private static Path classes(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    /** The types that whoever uses a type sees. */
    private static Stream<JavaClass> signatures(JavaClass type) {
        Stream<JavaClass> members = type.getMembers().stream()
                .filter(ArchitectureTest::isVisible)
                .flatMap(member -> member.getAllInvolvedRawTypes().stream());
        Stream<JavaClass> supertypes = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                .flatMap(supertype -> supertype.getAllInvolvedRawTypes().stream());
        return Stream.concat(members, supertypes).map(JavaClass::getBaseComponentType);
    }

    private static boolean isVisible(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
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
