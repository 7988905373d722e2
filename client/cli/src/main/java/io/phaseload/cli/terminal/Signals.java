package io.phaseload.cli.terminal;

import java.lang.reflect.Proxy;

/** Handlers of signals. The JDK has no other way to them than {@code sun.misc}, of which the compiler warns. */
final class Signals {

    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Signals() {}

    /**
     * Handles a signal from now on.
     *
     * @param name without {@code SIG}
     * @return the handler before, for {@link #restore}; {@code null} for a signal that the system doesn't know, or that
     *     the JVM keeps to itself
     */
    static Object handle(String name, Runnable handler) {
        try {
            Class<?> type = Class.forName(HANDLER);
            return set(
                    name, Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, of) -> {
                        handler.run();
                        return null;
                    }));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Gives a signal back to the handler that it had. */
    static void restore(String name, Object handler) {
        try {
            set(name, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object set(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName(SIGNAL);
        return signal.getMethod("handle", signal, Class.forName(HANDLER))
                .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
    }
}
