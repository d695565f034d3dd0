import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * The same decisions in Lucene, all indexed columns as one field: {@code index JSONL FOLDER}, then
 * {@code query FOLDER[,FOLDER...] QUERIES relevancia|recentes MS}, one thread, of each folder the first 20 with their
 * rows, matches counted to 1,000. Whole passes for a third of that time are repeated until three in a row take the same
 * within a twentieth, twelve times at most; then passes for that time are measured. Prints one line of JSON; {@code wallMs}
 * is a median. {@code rank JSONL SEARCHES} prints for each search the {@code chave} of the first ten, by Lucene's analyzer for
 * Portuguese and its words joined by OR.
 */
public final class Peer {
  private static final int PAGE = 20;
  private static final int COUNT = 1000;
  private static final int EXCERPT = 400;
  /** What was read, so that no reading of it is left out. */
  private static long kept = 0;
  private static final Analyzer WORDS =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          Tokenizer tokens = CharTokenizer.fromTokenCharPredicate(Character::isLetterOrDigit);
          return new TokenStreamComponents(tokens, new ASCIIFoldingFilter(new LowerCaseFilter(tokens)));
        }
      };

  public static void main(String[] args) throws Exception {
    if (args[0].equals("index")) index(Path.of(args[1]), Path.of(args[2]));
    else if (args[0].equals("rank")) rank(Path.of(args[1]), Path.of(args[2]));
    else query(args[1].split(","), Path.of(args[2]), args[3], Long.parseLong(args[4]));
  }

  private static void index(Path lines, Path folder) throws IOException {
    ObjectMapper json = new ObjectMapper();
    IndexWriterConfig config = new IndexWriterConfig(WORDS).setRAMBufferSizeMB(256);
    long number = 0;
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(folder), config);
        BufferedReader reader = Files.newBufferedReader(lines)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number += 1;
        writer.addDocument(documentOf((ObjectNode) json.readTree(line), number));
      }
      writer.commit();
      writer.forceMerge(1);
    }
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double cpuMs = system.getProcessCpuTime() / 1e6;
    System.out.printf(Locale.ROOT, "{\"decisions\":%d,\"cpuMs\":%.1f}%n", number, cpuMs);
  }

  private static void rank(Path lines, Path searches) throws IOException {
    ObjectMapper json = new ObjectMapper();
    Analyzer portuguese = new PortugueseAnalyzer();
    ByteBuffersDirectory memory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(memory, new IndexWriterConfig(portuguese))) {
      for (String line : Files.readAllLines(lines)) {
        JsonNode decision = json.readTree(line);
        Document document = new Document();
        document.add(new TextField("words", text(decision.get("ementa")), Field.Store.NO));
        document.add(new StoredField("chave", text(decision.get("chave"))));
        writer.addDocument(document);
      }
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(memory));
    QueryBuilder builder = new QueryBuilder(portuguese);
    for (String line : Files.readAllLines(searches)) {
      Query any = builder.createBooleanQuery("words", line.substring(line.lastIndexOf('\t') + 1));
      List<String> found = new ArrayList<>();
      if (any != null)
        for (ScoreDoc one : searcher.search(any, 10).scoreDocs)
          found.add(searcher.storedFields().document(one.doc).get("chave"));
      System.out.println(String.join("\t", found));
    }
  }

  private static Document documentOf(ObjectNode decision, long number) {
    StringBuilder words = new StringBuilder();
    for (String field : List.of("ementa", "tese", "dispositivo", "temas", "processo"))
      words.append(text(decision.get(field))).append('\n');
    if (text(decision.get("ementa")).isEmpty()) words.append(text(decision.get("texto")));
    decision.remove("texto");
    Document document = new Document();
    document.add(new TextField("words", words.toString(), Field.Store.NO));
    document.add(new NumericDocValuesField("number", number));
    document.add(new LongPoint("number", number));
    document.add(new StoredField("record", decision.toString()));
    decision.remove(List.of("tese", "extras", "legislacao_citada"));
    String ementa = text(decision.get("ementa"));
    decision.put("ementa", ementa.substring(0, Math.min(EXCERPT, ementa.length())));
    document.add(new StoredField("row", decision.toString()));
    return document;
  }

  private static String text(JsonNode value) {
    if (value == null || value.isNull()) return "";
    if (!value.isArray()) return value.asText();
    StringBuilder joined = new StringBuilder();
    for (JsonNode each : value) joined.append(each.asText()).append('\n');
    return joined.toString();
  }

  private static void query(String[] folders, Path list, String order, long ms) throws IOException {
    List<IndexSearcher> searchers = new ArrayList<>();
    for (String folder : folders) {
      IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(FSDirectory.open(Path.of(folder))));
      searcher.setQueryCache(null);
      searchers.add(searcher);
    }
    List<Query> queries = new ArrayList<>();
    for (String line : Files.readAllLines(list)) queries.add(queryOf(line));
    boolean byRelevance = order.equals("relevancia");
    List<Double> medians = new ArrayList<>();
    while (medians.size() < 12 && !isStable(medians))
      medians.add(medianMs(passes(searchers, queries, byRelevance, ms / 3)));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    List<Long> times = passes(searchers, queries, byRelevance, ms);
    double cpuMs = (threads.getCurrentThreadCpuTime() - before) / 1e6 / times.size();
    double wallMs = medianMs(times);
    System.out.printf(Locale.ROOT, "{\"cpuMs\":%.4f,\"wallMs\":%.4f,\"kept\":%d}%n", cpuMs, wallMs, kept);
  }

  private static boolean isStable(List<Double> medians) {
    if (medians.size() < 3) return false;
    List<Double> last = medians.subList(medians.size() - 3, medians.size());
    return Collections.max(last) <= 1.05 * Collections.min(last);
  }

  private static double medianMs(List<Long> times) {
    Collections.sort(times);
    return times.get((times.size() - 1) / 2) / 1e6;
  }

  /** Nanoseconds of each search. */
  private static List<Long> passes(
      List<IndexSearcher> searchers, List<Query> queries, boolean byRelevance, long ms) throws IOException {
    List<Long> times = new ArrayList<>();
    long end = System.nanoTime() + ms * 1_000_000;
    do {
      for (Query query : queries) {
        long before = System.nanoTime();
        for (IndexSearcher searcher : searchers) kept += page(searcher, query, byRelevance);
        times.add(System.nanoTime() - before);
      }
    } while (System.nanoTime() < end);
    return times;
  }

  private static Query queryOf(String line) throws IOException {
    List<String> words = wordsOf(line);
    if (line.startsWith("\"")) return new PhraseQuery("words", words.toArray(new String[0]));
    if (line.endsWith("*")) return new PrefixQuery(new Term("words", words.get(0)));
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (String word : words) all.add(new TermQuery(new Term("words", word)), BooleanClause.Occur.MUST);
    return all.build();
  }

  private static List<String> wordsOf(String line) throws IOException {
    List<String> words = new ArrayList<>();
    try (var tokens = WORDS.tokenStream("words", line)) {
      var word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) words.add(word.toString());
      tokens.end();
    }
    return words;
  }

  private static long page(IndexSearcher searcher, Query query, boolean byRelevance) throws IOException {
    var newest = new Sort(new SortField("number", SortField.Type.LONG, true));
    var found =
        byRelevance
            ? searcher.search(query, new TopScoreDocCollectorManager(PAGE, COUNT))
            : searcher.search(query, new TopFieldCollectorManager(newest, PAGE, null, COUNT));
    long kept = found.totalHits.value;
    var stored = searcher.storedFields();
    for (ScoreDoc one : found.scoreDocs) kept += stored.document(one.doc, Set.of("row")).get("row").length();
    return kept;
  }
}
