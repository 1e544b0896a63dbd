package io.metaq.containers.app;

import jakarta.ejb.EJB;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.naming.InitialContext;

/** The way a test reaches the beans: {@code /app?do=...}; answers are plain text. */
@WebServlet("/app")
public class AppServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @EJB private transient Commands commands;
  @EJB private transient ManagedCommands managed;
  @EJB private transient Table table;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.setContentType("text/plain");
    try {
      response.getWriter().print(answer(request));
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private String answer(HttpServletRequest request) throws Exception {
    String queue = request.getParameter("queue");
    String text = request.getParameter("text");
    boolean commit = "commit".equals(request.getParameter("end"));
    return switch (request.getParameter("do")) {
      case "create" -> {
        table.create();
        yield "created";
      }
      case "send" -> commands.send(queue, text, commit);
      case "receive" -> commands.receive(queue, commit);
      case "inject" -> managed.send(queue, text, commit);
      case "halt" -> commands.halt(queue, text);
      case "rows" -> String.join(",", table.rows(request.getParameter("bean")));
      case "lookup" ->
          new InitialContext().lookup(request.getParameter("name")).getClass().getName();
      default -> throw new IllegalArgumentException("do what?");
    };
  }
}
