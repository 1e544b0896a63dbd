package io.metaq.tck.peers.load;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Sends without waiting. Classic implements no {@link CompletionListener}; there its own callback,
 * the same thing under another name, is used by reflection.
 */
final class AsyncSend {

  private final MessageProducer producer;
  private final Consumer<Exception> ended;
  private Method callbackSend;

  /** {@code ended} hears of every send: null when it is confirmed, else why not. */
  AsyncSend(MessageProducer producer, Consumer<Exception> ended) {
    this.producer = producer;
    this.ended = ended;
  }

  void send(Message message, Runnable confirmed) throws JMSException {
    if (callbackSend == null) {
      try {
        producer.send(message, new Listener(confirmed));
        return;
      } catch (UnsupportedOperationException e) {
        callbackSend =
            Arrays.stream(producer.getClass().getMethods())
                .filter(AsyncSend::takesACallback)
                .findFirst()
                .orElseThrow(() -> e);
      }
    }
    sendWithCallback(message, confirmed);
  }

  private static boolean takesACallback(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return method.getName().equals("send")
        && parameters.length == 2
        && parameters[0] == Message.class
        && parameters[1].getSimpleName().equals("AsyncCallback");
  }

  private void sendWithCallback(Message message, Runnable confirmed) throws JMSException {
    Class<?> type = callbackSend.getParameterTypes()[1];
    Object callback =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "onSuccess" -> {
                  confirmed.run();
                  ended.accept(null);
                }
                case "onException" -> ended.accept((Exception) arguments[0]);
                default -> throw new UnsupportedOperationException(method.toString());
              }
              return null;
            });
    try {
      callbackSend.invoke(producer, message, callback);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof JMSException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Listener implements CompletionListener {
    private final Runnable confirmed;

    Listener(Runnable confirmed) {
      this.confirmed = confirmed;
    }

    @Override
    public void onCompletion(Message message) {
      confirmed.run();
      ended.accept(null);
    }

    @Override
    public void onException(Message message, Exception exception) {
      ended.accept(exception);
    }
  }
}
