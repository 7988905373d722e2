package io.phaseload.engine.threads;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Creates users' threads: platform threads, or virtual ones where the JDK has them. The code is
 * compiled for JDK 17, so virtual threads are asked for by name.
 */
public final class UserThreads {

    private static final Method START_VIRTUAL_BUILDER = ofVirtual();

    private UserThreads() {}

    /** {@return whether this JDK has virtual threads: {@code true} on JDK 21 and later} */
    public static boolean virtualSupported() {
        return START_VIRTUAL_BUILDER != null;
    }

    /**
     * A thread that is not started.
     *
     * @param virtual whether it is a virtual one, which this JDK must have
     * @param name the thread's
     * @param task what it runs
     * @return a thread of that kind
     */
    public static Thread newThread(boolean virtual, String name, Runnable task) {
        if (!virtual) {
            return new Thread(task, name);
        }
        try {
            Object builder = START_VIRTUAL_BUILDER.invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(named, task);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("no virtual thread", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual thread", e);
        }
    }

    private static Method ofVirtual() {
        // From 19 to 20 the method is there and throws unless preview features are on.
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return Thread.class.getMethod("ofVirtual");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
