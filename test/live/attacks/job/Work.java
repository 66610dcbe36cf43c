// SPDX-License-Identifier: BSL-1.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

class Work {
  public static void main(String[] words) throws Exception {
    // Not createTempFile: Java knows no TMPDIR, and /tmp itself is nobody's where only Landlock confines.
    Path file = Path.of("java.txt");
    Files.writeString(file, "kept");
    Process child = new ProcessBuilder("cat", file.toString()).start();
    String back = new String(child.getInputStream().readAllBytes());
    Files.delete(file);
    System.out.println("java " + back + " " + IntStream.range(0, 5).parallel().map(x -> x * x).sum());
  }
}
