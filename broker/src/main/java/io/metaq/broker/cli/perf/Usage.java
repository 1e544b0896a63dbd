package io.metaq.broker.cli.perf;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run has used up to one moment.
 *
 * @param clientCpu CPU time of this process
 * @param brokerCpu CPU time of the broker's process, where it was named
 * @param forces journal forces of the broker, where it tells
 */
public record Usage(Duration clientCpu, Optional<Duration> brokerCpu, OptionalLong forces) {

  static Usage now(LoadPlan plan, BrokerForces forces) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Usage(
        Duration.ofNanos(system.getProcessCpuTime()),
        plan.brokerPid()
            .flatMap(ProcessHandle::of)
            .flatMap(process -> process.info().totalCpuDuration()),
        forces.read());
  }

  /** What was used since {@code before}. */
  Usage since(Usage before) {
    return new Usage(
        clientCpu.minus(before.clientCpu),
        brokerCpu.flatMap(now -> before.brokerCpu.map(now::minus)),
        forces.isPresent() && before.forces.isPresent()
            ? OptionalLong.of(forces.getAsLong() - before.forces.getAsLong())
            : OptionalLong.empty());
  }
}
