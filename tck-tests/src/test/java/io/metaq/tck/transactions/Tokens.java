package io.metaq.tck.transactions;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.XADataSource;
import org.apache.derby.jdbc.EmbeddedXADataSource;

/**
 * The database half of the tokens that {@link TokenMover} moves: a table of those that lie in it.
 */
final class Tokens {
  private final EmbeddedXADataSource source = new EmbeddedXADataSource();

  Tokens(Path directory) throws SQLException {
    source.setDatabaseName(directory.toString());
    source.setCreateDatabase("create");
    javax.sql.XAConnection sql = source.getXAConnection();
    try (Connection connection = sql.getConnection();
        Statement create = connection.createStatement()) {
      create.executeUpdate("CREATE TABLE tokens (id INT PRIMARY KEY)");
    } catch (SQLException exists) {
      if (!"X0Y32".equals(exists.getSQLState())) {
        throw exists;
      }
    } finally {
      sql.close();
    }
  }

  XADataSource source() {
    return source;
  }

  static void put(Connection connection, int id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO tokens (id) VALUES (?)")) {
      insert.setInt(1, id);
      insert.executeUpdate();
    }
  }

  /** Takes some token out; -1 if there is none. */
  static int take(Connection connection) throws SQLException {
    List<Integer> all = all(connection);
    if (all.isEmpty()) {
      return -1;
    }
    int id = all.get(0);
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM tokens WHERE id = ?")) {
      delete.setInt(1, id);
      delete.executeUpdate();
    }
    return id;
  }

  static List<Integer> all(Connection connection) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    try (Statement select = connection.createStatement();
        ResultSet rows = select.executeQuery("SELECT id FROM tokens ORDER BY id")) {
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
    }
    return ids;
  }
}
