package io.phaseload.events;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Event loops know the way of a request up to the engine, and nothing of what comes after. */
@Tag("slow")
class EventsArchitectureTest {

    private static final String ROOT = "io.phaseload.events";
    private static final String CODEC = ROOT + ".http2";

    private static final JavaClasses EVENTS = imported("io.phaseload");

    private static JavaClasses imported(String packages) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(packages);
    }

    @Test
    void loopsDependOnNettyAndTheLibraryUpToTheEngine() {
        classes()
                .that()
                .resideInAPackage("io.phaseload.events..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.phaseload.events..",
                        "io.phaseload.engine",
                        "io.phaseload.health",
                        "io.phaseload.host",
                        "io.phaseload.http..",
                        "io.phaseload.input",
                        "io.phaseload.measure..",
                        "io.phaseload.timing",
                        "io.phaseload.plan..",
                        "io.phaseload.run",
                        "io.phaseload.journey",
                        "io.phaseload.user",
                        "io.netty..",
                        "java..",
                        "javax.net.ssl")
                .check(EVENTS);
    }

    /** A package that isn't named here fails this rule, too. */
    @Test
    void packagesDependOnlyOnThoseBelowThem() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("users")
                .definedBy(ROOT)
                .layer("shared")
                .definedBy(ROOT + ".shared")
                .layer("stream")
                .definedBy(ROOT + ".stream")
                .layer("connection")
                .definedBy(ROOT + ".connection")
                .layer("tls")
                .definedBy(ROOT + ".tls")
                .layer("http2")
                .definedBy(CODEC)
                .ensureAllClassesAreContainedInArchitecture()
                .whereLayer("users")
                .mayOnlyAccessLayers("shared", "stream", "connection", "tls")
                .whereLayer("shared")
                .mayOnlyAccessLayers("connection", "tls", "http2")
                .whereLayer("stream")
                .mayOnlyAccessLayers("connection")
                .whereLayer("connection")
                .mayOnlyAccessLayers("tls", "http2")
                .whereLayer("tls")
                .mayNotAccessAnyLayer()
                .whereLayer("http2")
                .mayNotAccessAnyLayer()
                .check(imported(ROOT));
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.(**)").should().beFreeOfCycles().check(EVENTS);
    }

    @Test
    void noClassesOfTheCodecFormACycle() {
        slices().assignedFrom(new CodecClasses()).should().beFreeOfCycles().check(EVENTS);
    }

    private static final class CodecClasses implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().equals(CODEC)
                    ? SliceIdentifier.of(topLevel(type).getSimpleName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "classes of " + CODEC;
        }
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(EventsArchitectureTest::topLevel).orElse(type);
    }

    @Test
    void noPackageHasMoreThanTwentyTypes() {
        Map<String, Long> sizes = EVENTS.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> type.getPackageName().startsWith(ROOT))
                .collect(groupingBy(JavaClass::getPackageName, counting()));
        assertThat(sizes.values()).isNotEmpty().allMatch(size -> size <= 20);
    }

    @Test
    void theLibraryDoesNotDependOnThem() {
        classes()
                .that()
                .resideInAPackage("io.phaseload.events..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAPackage("io.phaseload.events..")
                .check(EVENTS);
    }

    @Test
    void onlyTheEngineAndWhatMeasuresLoopsIsPublic() {
        classes()
                .that()
                .resideInAPackage(ROOT)
                .and()
                .areTopLevelClasses()
                .and()
                // The engine of messages has loops, too.
                .doNotBelongToAnyOf(EventEngine.class, LagWatch.class, LoopGroup.class, LoopRecords.class)
                .should()
                .bePackagePrivate()
                .check(EVENTS);
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(EVENTS);
    }
}
