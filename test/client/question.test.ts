import { describe, expect, it } from 'vitest';
import { asQuestion } from '../../src/client/client.ts';
import { readQuery } from '../../src/query/query.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { Q_MAX, Q_MIN } from '../../src/contract/vocabulary.ts';

const check = openSyntaxCheck();
const q = (text: string) => asQuestion(text).q;
const WORDS = /[\p{L}\p{N}]+\*?/gu;

/** The service's reading of the search for a text; fails if the service refuses it or warns of it. */
function readOf(text: string): string | null {
  const { q: sent, avisos } = asQuestion(text);
  if (sent === null) {
    expect(avisos).not.toEqual([]);
    return null;
  }
  expect([...sent].length).toBeGreaterThanOrEqual(Q_MIN);
  expect([...sent].length).toBeLessThanOrEqual(Q_MAX);
  const read = readQuery(sent, check);
  if ('codigo' in read) throw new Error(`${JSON.stringify(text.slice(0, 100))}: ${read.erro}`);
  expect(read.avisos).toEqual([]);
  expect(read.leitura).not.toMatch(/ (?:AND|NOT) |NEAR/u);
  return read.leitura;
}

describe('a question as a search', () => {
  it('is its words joined by OR, without stop words, the longer ones also as prefixes', () => {
    expect(q('Qual é o prazo para a prescrição da execução fiscal?')).toBe(
      'prazo OR prazos OR presc* OR prescricao OR execu* OR execucao OR fisca* OR fiscal',
    );
  });

  it('has short words in singular and plural, and a prefix that both share', () => {
    expect(q('leis e ação')).toBe('leis OR lei OR lel OR acao OR acaos OR acoes');
    expect(q('pregões')).toBe('preg* OR pregoes');
    expect(q('pregão')).toBe('preg* OR pregao');
  });

  it('keeps names, and numbers in each of their spellings', () => {
    expect(q('O TCU e o SUS')).toBe('tcu OR sus');
    expect(q('Lei 8.666/1993')).toBe(
      'lei OR leis OR "8.666/1993" OR "8666/1993" OR "8.666/93" OR "8666/93" OR "8.666" OR 8666',
    );
    expect(q('RR-1000-40.2015.5.02.0001')).toBe('"rr-1000-40.2015.5.02.0001"');
    expect(q('TST-RR-1234-10.2020.8.13.0024')).toContain(' OR "0001234-10.2020.8.13.0024" OR ');
    expect(q('furto de R$ 50,00, simples')).toContain(' OR "50,00" OR simp');
  });

  it.each([
    ['Súmula nº 331', 'Súmula n. 331', 'Súmula n.º 331', 'Súmula № 331', 'Súmula 331'],
    ['art. 5º', 'art. 5°', 'art. 5o', 'art. 5.º', 'art. 5'],
    ['1ª Turma', '1a Turma', '1.ª Turma', '1 Turma'],
  ])('is the same for each spelling of a number or ordinal: %s', (...texts) => {
    expect(new Set(texts.map(q)).size).toBe(1);
  });

  it('has a quotation as a phrase if the question has more words, and a long one as words', () => {
    expect(q('cabe “dano moral” em voo?')).toBe('"dano moral" OR voo OR voos');
    expect(q('"dano moral"')).toBe('dano OR danos OR moral OR morais');
    expect(q('"o réu que foi citado por edital não tem defesa" nula')).toBe(
      q('réu citado edital defesa nula'),
    );
  });

  it('keeps phrases, numbers, names and long words when it is too long, and lists the words left out', () => {
    const plain = [...'bcdfghjlmnpqrstvxz'].flatMap((letter) =>
      ['abel', 'ovil', 'ucal'].map((end) => letter + end),
    );
    const text = `${plain.join(' ')} Ana 77 "boa fé" responsabilidade`;
    const { q: sent, nao_couberam, avisos } = asQuestion(text);
    for (const kept of ['ana', '77', '"boa fe"', 'respo*']) expect(sent?.split(' OR ')).toContain(kept);
    expect(nao_couberam.length).toBeGreaterThan(10);
    for (const word of nao_couberam) expect(sent).not.toContain(word);
    expect(avisos).toEqual([
      `não couberam na busca, de até 300 caracteres: ${nao_couberam.slice(0, 10).join(', ')} e mais ${nao_couberam.length - 10}`,
    ]);
    expect(asQuestion('prazo da multa')).toMatchObject({ nao_couberam: [], avisos: [] });
  });

  it('has prefixes of at most twelve words, the best ones', () => {
    const ends = ['ador', 'ante', 'mento'];
    const words = [...'bcdfg'].flatMap((letter) =>
      ends.map((end, at) => `${letter}${'aei'[at]}l${letter}${end}`),
    );
    const sent = q(words.join(' ')) ?? '';
    expect(sent.match(/\*/gu)).toHaveLength(12);
    for (const word of words)
      expect(sent.split(' OR ').some((form) => word.startsWith(form.replace('*', '')))).toBe(true);
  });

  it('has common words only if the text has no others, and reports that', () => {
    expect(asQuestion('E se não houver?')).toEqual({
      q: '"e" OR se OR "nao" OR houver',
      nao_couberam: [],
      avisos: ['a pergunta só tem palavras comuns, e a busca é por elas; diga também o assunto'],
    });
    expect(q('a')).toBe('"a"');
  });

  it.each(['', '   ', '?!', '🙂👍🏽', '\0', '«»', '裁判', '"" ()'])(
    'is none for a text without words: %j',
    (text) => {
      expect(asQuestion(text)).toEqual({
        q: null,
        nao_couberam: [],
        avisos: ['a pergunta não tem palavra nem número a buscar; escreva o assunto'],
      });
    },
  );

  it('is null if no word fits, and lists the words left out', () => {
    const { q: sent, nao_couberam, avisos } = asQuestion('1'.repeat(400));
    expect(sent).toBeNull();
    expect(nao_couberam).toHaveLength(1);
    expect(avisos).toHaveLength(1);
    expect(avisos.join().length).toBeLessThan(100);
  });

  it('is accepted by the service for every character alone, in a word and between words', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const one = String.fromCodePoint(code);
      if (code < 0x300) readOf(one);
      readOf(`penhora${one}salário ${one} 5${one}`);
    }
  });

  it('is accepted by the service for thousands of hostile texts', () => {
    const parts =
      '" “ ” ( ) * AND OR NOT NEAR( NEAR near, + - ^ : {ementa tese} : ementa: 🙂 👩‍👩‍👧 \0 \u00AD \u200D e ou não com mesmo adj5 prox $ ? ~3 ^2 .EMEN. @DTDE>=20200131 nº n. 5º 1ª 1.500.003/SP 0001234-10.2020.8.13.0024 8.078/90 §2º d’água R$ 12-A boa-fé É AÇÃO leis responsabilidade İ ß ﬁ ½ ² 裁判 \uD800 a'.split(
        ' ',
      );
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 5_000; round += 1) {
      const pieces = Array.from({ length: next(30) }, () => parts[next(parts.length)] ?? '');
      readOf(pieces.join(next(4) === 0 ? '' : ' '));
    }
  });

  it('is accepted by the service for texts of 100 kB', () => {
    for (const text of ['responsabilidade ', 'a', '1', '1.', '"', '" a', 'n. ', '(', 'AND ', '🙂', 'á\u0301'])
      readOf(text.repeat(Math.ceil(100_000 / text.length)));
    const words = Array.from({ length: 12_000 }, (_, at) => `w${at.toString(26).replaceAll(/\d/gu, 'z')}`);
    expect(readOf(words.join(' '))?.match(WORDS)?.length).toBeGreaterThan(30);
  });
});
