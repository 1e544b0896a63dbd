package io.metaq.containers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The database's part of a transaction: one row for each message, through the container's XA data
 * source.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Table {
  @Resource(name = "jdbc/derby")
  private DataSource database;

  /** Makes the table, or empties that of an earlier run. */
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  public void create() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet earlier = connection.getMetaData().getTables(null, null, "SEEN", null)) {
      statement.execute(
          earlier.next()
              ? "delete from SEEN"
              : "create table SEEN (BEAN varchar(40), TEXT varchar(200))");
    }
  }

  public void insert(String bean, String text) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement("insert into SEEN values (?, ?)")) {
      insert.setString(1, bean);
      insert.setString(2, text);
      insert.executeUpdate();
    }
  }

  public List<String> rows(String bean) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement("select TEXT from SEEN where BEAN = ? order by TEXT")) {
      select.setString(1, bean);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
    }
    return texts;
  }
}
