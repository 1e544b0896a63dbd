package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The provider on a class path that has the API and nothing else. */
class MissingLibraryTest {

  /** Knows the provider, these tests and the API; keeps the names of what it did not find. */
  private static final class Bare extends URLClassLoader {
    private final List<String> missed = new CopyOnWriteArrayList<>();

    Bare() {
      super(
          new URL[] {home(MetaqMessage.class), home(CodecProgram.class), home(Message.class)},
          ClassLoader.getPlatformClassLoader());
    }

    private static URL home(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException e) {
        missed.add(name);
        throw e;
      }
    }
  }

  private final Bare bare = new Bare();

  @AfterEach
  void close() throws IOException {
    bare.close();
  }

  private Object call(String method, Object argument) throws Throwable {
    try {
      return bare.loadClass(CodecProgram.class.getName())
          .getMethod(method, argument.getClass())
          .invoke(null, argument);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void withoutTheLibrariesDeflateWorksAndNoneOfTheirClassesIsLookedFor() throws Throwable {
    assertThat(call("receive", call("send", "deflate"))).isEqualTo("red 10000");
    assertThat(bare.missed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"lz4, at.yawk.lz4:lz4-java", "zstd, com.github.luben:zstd-jni"})
  void aReceiverWithoutTheLibraryReadsAllButTheBodyWhoseExceptionNamesTheJar(
      String codec, String jar) throws Throwable {
    byte[] sent = CodecProgram.send(codec);
    assertThat(CodecProgram.receive(sent)).isEqualTo("red 10000");
    assertThat((String) call("receive", sent))
        .startsWith("red The body of ")
        .contains(codec + " compression needs " + jar);
  }

  @ParameterizedTest
  @CsvSource({"lz4, at.yawk.lz4:lz4-java", "zstd, com.github.luben:zstd-jni"})
  void aSenderWithoutTheLibraryGetsAnExceptionThatNamesTheJar(String codec, String jar) {
    assertThatThrownBy(() -> call("send", codec))
        .satisfies(e -> assertThat(e.getClass().getName()).isEqualTo(JMSException.class.getName()))
        .hasMessageContaining("cannot be compressed")
        .hasMessageContaining(codec + " compression needs " + jar);
  }

  @Test
  void aCodecOfALaterReleaseIsAnErrorThatListsTheKnownOnes() throws Exception {
    byte[] sent = CodecProgram.send("zstd");
    sent[FLAGS_AT] |= 7 << 4;
    assertThat(CodecProgram.receive(sent))
        .startsWith("red The body of ")
        .contains("codec 7")
        .contains("deflate (0), lz4 (1), zstd (2)");
  }

  /** Behind the length of the attribute, its checksum, and format and kind of the block. */
  private static final int FLAGS_AT = 4 + 4 + 2;
}
