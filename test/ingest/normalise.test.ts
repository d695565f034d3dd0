import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  oneLine,
  personName,
  plainText,
  prose,
  textList,
  unwrapped,
  withoutHeading,
  writtenDay,
} from '../../src/ingest/normalise.ts';

const NBSP = '\u00a0';

/** Text as sources garble it: entities, tags, odd spaces, mojibake, hard wraps, and anything at all. */
const GARBAGE = [
  ['&amp;', '&amp;amp;', '&lt;b&gt;', '&nbsp;', '&#128;', '<b>', '</em>', '<FONT STYLE="x">', '< 3'],
  ['Ã§', 'Ã£o', 'Ã\u0083', 'Ã”', 'Â§', 'â€œ', 'ção', '\r\n', '\r', '\n\n\n', NBSP, '\u200b', '\u00ad'],
  ['<', '<<', '> ', 'EMENTA\n', '< EMENTA.', '<EM RECURSO>', '<b a="1">'],
  ['1. item', 'a) item', 'fim.', 'infra-', '-', 'nan', 'NULL', 'EMENTA: ', 'E M E N T A: ', ' '],
  ['Uma linha de uma coluna de setenta caracteres, que segue na seguinte e'],
].flat();
const garbled = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom(...GARBAGE)), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''));

describe('normalising', () => {
  test.each([plainText, prose, oneLine, unwrapped, personName, writtenDay, textList])(
    '%o never throws, and is idempotent',
    (normalise) => {
      fc.assert(
        fc.property(fc.oneof(garbled, fc.jsonValue(), fc.anything()), (value) => {
          const once = normalise(value);
          expect(normalise(once)).toEqual(once);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  test('a heading is dropped once and for all', () => {
    fc.assert(
      fc.property(garbled, (text) => {
        const once = withoutHeading(text);
        expect(withoutHeading(once)).toEqual(once);
      }),
    );
  });

  test.each([
    ['A &amp; B', 'A & B'],
    ['A &amp;amp;amp; B', 'A & B'],
    ['art. 5&ordm;, &sect; 2&deg;', 'art. 5º, § 2°'],
    ['P&D e R&D;', 'P&D e R&D;'],
    [`a${NBSP}b\u2009c\td`, 'a b c d'],
    ['um\r\ndois\rtrês\u2028quatro', 'um\ndois\ntrês\nquatro'],
    ['um\n \n\n\ndois', 'um\n\ndois'],
    ['<em>dano</em> <FONT STYLE="background-color:#FFFF00">moral</FONT>', 'dano moral'],
    ['&lt;b&gt;dano&lt;/b&gt;', 'dano'],
    ['valor < 10 e > 5 <salários>', 'valor < 10 e > 5 <salários>'],
    ['<EM RECURSO PROVIDO> <B a = 1>x</b >', '<EM RECURSO PROVIDO> x'],
    ['in\u00advisí\u200bvel\u0007', 'invisível'],
    [1424080, '1424080'],
  ])('the text %j becomes %j', (came, meant) => {
    expect(plainText(came)).toBe(meant);
  });

  const NOTHING = [
    null,
    undefined,
    true,
    {},
    [],
    ...`| \n |${NBSP}|-|nan|NULL|None|removido no backend`.split('|'),
  ];
  test.each(NOTHING.map((nothing) => [nothing]))('%j means nothing', (nothing) => {
    for (const read of [plainText, oneLine, unwrapped, textList]) expect(read(nothing)).toBeNull();
  });

  test('a list loses values that mean nothing, and one text is a list of one', () => {
    expect(textList(['LEG:FED\nART:1', null, '-', 3])).toEqual(['LEG:FED\nART:1', '3']);
    expect(textList('LEG-FED')).toEqual(['LEG-FED']);
    expect(textList(['None', ''])).toBeNull();
  });
});

describe('mojibake', () => {
  test.each([
    ['DECISÃƒO MONOCRÃ\u0081TICA', 'DECISÃO MONOCRÁTICA'],
    ['SÃ£o Paulo', 'São Paulo'],
    ['Ã\u0087', 'Ç'],
    ['Â§ 2Âº do art. 5Âº', '§ 2º do art. 5º'],
    ['disse â€œsimâ€\u009d â€“ e foi', 'disse “sim” – e foi'],
    ['DecisÃƒÂ£o', 'Decisão'],
  ])('%j is certain and becomes %j', (came, meant) => {
    expect(plainText(came)).toBe(meant);
  });

  test.each([
    ['IRMÃ e NÃO', 'a letter of its own'],
    ['a “IRMÃ”', 'a closing quote after it'],
    ['AMANHÃ…', 'an ellipsis after it'],
    ['AMANHÃ”', 'a closing quote and nothing else to go by'],
    ['DecisÃ£o e decisão', 'right letters in the same text'],
    ['Ã§ com 漢', 'letters that Windows-1252 has not'],
    ['ÃŸ', 'no letter of Portuguese'],
  ])('%j stays, for it has %s', (came) => {
    expect(plainText(came)).toBe(came);
  });

  test('of any Portuguese text, by either encoding, is repaired', () => {
    const latin = new TextDecoder('windows-1252');
    const toLatin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('AÇÃO', 'súmula', 'órgão', 'agravo', 'não', 'é', 'à'), { minLength: 1 }),
        fc.constantFrom((bytes: Uint8Array) => latin.decode(bytes), toLatin1),
        (words, misread) => {
          const text = words.join(' ');
          expect(plainText(misread(new TextEncoder().encode(text)))).toBe(text);
        },
      ),
    );
  });
});

describe('a text wrapped at a column', () => {
  test('is joined with a space between its words', () => {
    expect(
      unwrapped(
        'PROCESSUAL PENAL. AGRAVO REGIMENTAL NO HABEAS CORPUS. TRÁFICO DE\n' +
          'DROGAS. DOSIMETRIA. FRAÇÃO DE AUMENTO.\n' +
          '1. A jurisprudência desta Corte é firme no sentido de que a infra-\n' +
          'estrutura alegada não se comprova.\n' +
          '\n' +
          'Agravo regimental a que se nega provimento, nos termos do voto do\n' +
          'relator.',
      ),
    ).toBe(
      'PROCESSUAL PENAL. AGRAVO REGIMENTAL NO HABEAS CORPUS. TRÁFICO DE DROGAS. DOSIMETRIA. FRAÇÃO DE AUMENTO.\n' +
        '1. A jurisprudência desta Corte é firme no sentido de que a infra-estrutura alegada não se comprova.\n' +
        '\n' +
        'Agravo regimental a que se nega provimento, nos termos do voto do relator.',
    );
  });

  test('keeps its lines if they do not fill a column', () => {
    const text = `${'Um parágrafo longo, que ninguém partiu. '.repeat(4)}\nOutro parágrafo,\nem linhas suas`;
    expect(unwrapped(text)).toBe(text.replaceAll(' \n', '\n'));
  });

  test('never joins or loses a word', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 14 })), (lines) => {
        const words = (text: string | null) => text?.split(/\s+/u).filter(Boolean) ?? [];
        const text = lines.map((line) => line.join(' ')).join('\n');
        fc.pre(plainText(text) !== null);
        expect(words(unwrapped(text))).toEqual(words(text));
      }),
    );
  });
});

describe('dates', () => {
  test.each([
    ['20230510', '2023-05-10'],
    [20230510, '2023-05-10'],
    ['2023-05-24T00:00:00-03', '2023-05-24'],
    ['2023-11-10T03:00:00-03:00', '2023-11-10'],
    ['DJE        DATA:01/06/2023', '2023-06-01'],
    ['DJEN DATA:13/02/2026', '2026-02-13'],
    [' 31/01/2025\n', '2025-01-31'],
    ['29/02/2024', '2024-02-29'],
    ['29/02/2023', '2023-02-29'],
    ['15/04/0020', '0020-04-15'],
    ['00/00/0000', '0000-00-00'],
    ['1/2/2023', null],
    ['', null],
    [null, null],
    [1_646_276_400_000, null],
  ])('%j is %j, in the calendar or not', (came, day) => {
    expect(writtenDay(came)).toBe(day);
  });
});

describe('names and headings', () => {
  test.each([
    ['luiz jose dezena da silva', 'Luiz Jose Dezena da Silva'],
    ['maria das graças e souza', 'Maria das Graças e Souza'],
    ["joão d'ávila", "João D'Ávila"],
    ['FLAVIO DINO', 'FLAVIO DINO'],
    ['  Ministro   de\nExemplo ', 'Ministro de Exemplo'],
  ])('the name %j is written %j', (came, name) => {
    expect(personName(came)).toBe(name);
  });

  test.each([
    ['EMENTA: APELAÇÃO', 'APELAÇÃO'],
    ['Ementa: Direito', 'Direito'],
    ['E M E N T A: HABEAS', 'HABEAS'],
    ['EMENTA: EMENTA:  DOIS', 'DOIS'],
    ['EMENTÁRIO: fica', 'EMENTÁRIO: fica'],
    ['A ementa: fica', 'A ementa: fica'],
    ['EMENTA\nAGRAVO', 'AGRAVO'],
    ['E M E N T A\n\n- um\n- dois', '- um\n- dois'],
    ['EMENTA. DIREITO', 'DIREITO'],
    ['EMENTA – DIREITO', 'DIREITO'],
    ['EMENTA OFICIAL: HABEAS', 'HABEAS'],
    ['< EMENTA: APELAÇÃO', 'APELAÇÃO'],
    ['EMENTA: <<RECURSO. PROVIDO.>', 'RECURSO. PROVIDO.'],
    ['<RECURSO PROVIDO>', 'RECURSO PROVIDO'],
    ['< EMENTA: <\nEMENTA\nRECURSO > ', 'RECURSO'],
    ['EMENTA: <RECURSO> PROVIDO', '<RECURSO> PROVIDO'],
    ['RECURSO <PROVIDO>', 'RECURSO <PROVIDO>'],
    ['Ementa do acórdão: fica', 'Ementa do acórdão: fica'],
    ['EMENTA FICA', 'EMENTA FICA'],
    ['EMENTA:', null],
    ['<EMENTA>', null],
  ])('the heading of %j is dropped: %j', (came, rest) => {
    expect(withoutHeading(came)).toBe(rest);
  });
});
