package io.metaq.broker.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The entry point of {@code bin/metaq}: names the commands and turns their failures into messages.
 */
@Command(
    name = "metaq",
    description = "MetaQ: Jakarta Messaging on partitioned file logs.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      HelpCommand.class,
      DemoCommand.class,
      ServerCommand.class,
      PerfCommand.class,
      StoreCommand.class,
      TxCommand.class,
      UserCommand.class
    })
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  /** Runs the command named by the arguments and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Exit codes: 0 done, 1 failed, 2 wrongly called. */
  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(Main::explain)
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  /**
   * A message for people; the stack trace is for those who ask, with {@code -Dmetaq.trace=true}.
   */
  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    command.getErr().println("metaq " + command.getCommandName() + ": " + message);
    if (Boolean.getBoolean("metaq.trace")) {
      e.printStackTrace(command.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
