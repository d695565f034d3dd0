//! The same decisions in Tantivy, all indexed columns as one field: `index JSONL FOLDER`, then
//! `query FOLDER[,FOLDER...] QUERIES relevancia|recentes MS`, one thread, of each folder the first 20 with their rows:
//! whole passes for a third of that time until three in a row take the same within a twentieth, twelve times at most;
//! then passes for that time are measured. By inclusion all matches are counted; by relevance
//! none is, which lets it skip. Prints one line of JSON; `wallMs` is a median.
use serde_json::Value;
use std::fs::{create_dir_all, File};
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Occur, PhraseQuery, Query, RegexQuery, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, Value as _, FAST, STORED,
};
use tantivy::tokenizer::{AsciiFoldingFilter, LowerCaser, SimpleTokenizer, TextAnalyzer};
use tantivy::{doc, DocAddress, Index, IndexWriter, Order, Searcher, TantivyDocument, Term};

const PAGE: usize = 20;
const EXCERPT: usize = 400;
const MEMORY: usize = 256_000_000;
const TOKENIZER: &str = "words";

fn main() -> tantivy::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "index" {
        return index(&args[2], &args[3]);
    }
    query(&args[2], &args[3], &args[4], args[5].parse().unwrap())
}

/// CPU of a clock's thread or process, milliseconds.
fn cpu_ms(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Writes one value of that type.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn words() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

fn words_of(text: &str) -> Vec<String> {
    let mut analyzer = words();
    let mut tokens = analyzer.token_stream(text);
    let mut found = vec![];
    while tokens.advance() {
        found.push(tokens.token().text.clone());
    }
    found
}

fn text(decision: &Value, name: &str) -> String {
    match &decision[name] {
        Value::String(text) => text.clone(),
        Value::Array(all) => {
            let texts: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn index(lines: &str, folder: &str) -> tantivy::Result<()> {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let field = builder.add_text_field("words", TextOptions::default().set_indexing_options(indexing));
    let row = builder.add_text_field("row", STORED);
    let record = builder.add_text_field("record", STORED);
    let number = builder.add_u64_field("number", FAST);
    create_dir_all(folder)?;
    let index = Index::create_in_dir(folder, builder.build())?;
    index.tokenizers().register(TOKENIZER, words());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
    let mut count = 0u64;
    for line in BufReader::new(File::open(lines)?).lines() {
        let mut decision: Value = serde_json::from_str(&line?).unwrap();
        let fields = ["ementa", "tese", "dispositivo", "temas", "processo"];
        let mut body = fields.map(|name| text(&decision, name)).join("\n");
        let ementa = text(&decision, "ementa");
        if ementa.is_empty() {
            body.push_str(&text(&decision, "texto"));
        }
        decision.as_object_mut().unwrap().remove("texto");
        let whole = decision.to_string();
        let object = decision.as_object_mut().unwrap();
        for name in ["tese", "extras", "legislacao_citada"] {
            object.remove(name);
        }
        let excerpt: String = ementa.chars().take(EXCERPT).collect();
        object.insert("ementa".into(), excerpt.into());
        count += 1;
        writer.add_document(doc!(
            field => body, row => decision.to_string(), record => whole, number => count
        ))?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()?;
    let cpu = cpu_ms(libc::CLOCK_PROCESS_CPUTIME_ID);
    println!("{{\"decisions\":{count},\"cpuMs\":{cpu:.1}}}");
    Ok(())
}

fn query(folders: &str, list: &str, order: &str, ms: u64) -> tantivy::Result<()> {
    let searchers = folders
        .split(',')
        .map(|folder| Index::open_in_dir(folder)?.reader().map(|reader| reader.searcher()))
        .collect::<tantivy::Result<Vec<_>>>()?;
    // One schema for all, so the fields of one are those of each.
    let schema = searchers[0].schema().clone();
    let (field, row) = (schema.get_field("words")?, schema.get_field("row")?);
    let queries = BufReader::new(File::open(list)?)
        .lines()
        .map(|line| query_of(field, &line.unwrap()))
        .collect::<Vec<_>>();
    let mut kept = 0;
    // Milliseconds of each search.
    let mut passes = |ms: u64| -> tantivy::Result<Vec<f64>> {
        let mut times = vec![];
        let started = Instant::now();
        loop {
            for query in &queries {
                let before = Instant::now();
                for searcher in &searchers {
                    kept += page(searcher, query.as_ref(), row, order == "relevancia")?;
                }
                times.push(before.elapsed().as_secs_f64() * 1e3);
            }
            if started.elapsed() >= Duration::from_millis(ms) {
                return Ok(times);
            }
        }
    };
    let mut medians = vec![];
    while medians.len() < 12 && !is_stable(&medians) {
        medians.push(median(passes(ms / 3)?));
    }
    let before = cpu_ms(libc::CLOCK_THREAD_CPUTIME_ID);
    let times = passes(ms)?;
    let cpu = (cpu_ms(libc::CLOCK_THREAD_CPUTIME_ID) - before) / times.len() as f64;
    let wall = median(times);
    println!("{{\"cpuMs\":{cpu:.4},\"wallMs\":{wall:.4},\"kept\":{kept}}}");
    Ok(())
}

fn is_stable(medians: &[f64]) -> bool {
    let last = &medians[medians.len().saturating_sub(3)..];
    let least = last.iter().copied().fold(f64::INFINITY, f64::min);
    last.len() == 3 && last.iter().all(|one| *one <= 1.05 * least)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[(times.len() - 1) / 2]
}

fn query_of(field: Field, line: &str) -> Box<dyn Query> {
    let words = words_of(line);
    if line.starts_with('"') {
        let terms = words.iter().map(|word| Term::from_field_text(field, word));
        return Box::new(PhraseQuery::new(terms.collect()));
    }
    if line.ends_with('*') {
        let pattern = format!("{}.*", words[0]);
        return Box::new(RegexQuery::from_pattern(&pattern, field).unwrap());
    }
    let all = words.iter().map(|word| {
        let term = Term::from_field_text(field, word);
        let one: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
        (Occur::Must, one)
    });
    Box::new(BooleanQuery::new(all.collect()))
}

fn page(searcher: &Searcher, query: &dyn Query, row: Field, by_relevance: bool) -> tantivy::Result<usize> {
    let mut kept = 0;
    let found: Vec<DocAddress> = if by_relevance {
        let best = searcher.search(query, &TopDocs::with_limit(PAGE))?;
        best.into_iter().map(|(_, at)| at).collect()
    } else {
        let newest = TopDocs::with_limit(PAGE).order_by_fast_field::<u64>("number", Order::Desc);
        let (best, count) = searcher.search(query, &(newest, Count))?;
        kept += count;
        best.into_iter().map(|(_, at)| at).collect()
    };
    for at in found {
        let stored: TantivyDocument = searcher.doc(at)?;
        kept += stored.get_first(row).and_then(|value| value.as_str()).map_or(0, str::len);
    }
    Ok(kept)
}
