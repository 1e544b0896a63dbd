package io.metaq.tck.transactions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The table of docs/transactions.md, cell by cell, so that the page and the code cannot part. */
final class TransactionTable {
  /**
   * One cell: in {@code state}, the call with this flag under this condition answers one of the
   * codes.
   */
  record Cell(String call, String flag, String condition, String state, Set<String> codes) {
    @Override
    public String toString() {
      return call
          + (flag.isEmpty() ? "" : "(" + flag + ")")
          + (condition.isEmpty() ? "" : ", " + condition + ",")
          + " in state "
          + state;
    }
  }

  private TransactionTable() {}

  static List<Cell> read() {
    Path page = Path.of(System.getProperty("project.root", ".."), "docs", "transactions.md");
    try {
      List<Cell> cells = new ArrayList<>();
      List<String> header = List.of();
      for (String line : Files.readAllLines(page)) {
        if (!line.startsWith("|")) {
          continue;
        }
        List<String> columns =
            Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                .map(String::strip)
                .toList();
        if (columns.get(0).equals("call")) {
          header = columns;
        } else if (header.size() == columns.size() && !columns.get(0).startsWith("---")) {
          for (int i = 3; i < columns.size(); i++) {
            if (!columns.get(i).equals("-")) {
              cells.add(
                  new Cell(
                      columns.get(0),
                      columns.get(1),
                      columns.get(2),
                      header.get(i),
                      new TreeSet<>(Arrays.asList(columns.get(i).split(",\\s*")))));
            }
          }
        }
      }
      return cells;
    } catch (IOException unreadable) {
      throw new IllegalStateException("cannot read " + page.toAbsolutePath(), unreadable);
    }
  }
}
