import { describe, expect, test } from 'vitest';
import { withoutFullText } from '../../src/ingest/full-text.ts';
import { EVERY_FORMAT } from './formats/every.ts';
import { read } from './formats/support.ts';
import { ingesting } from './support-ingest.ts';

const PROSE = 'O canto do jacurutu não prova a posse, e o voto do relator o diz. '.repeat(40);
const CAPS = PROSE.toUpperCase();
const NAMES = 'FULANO DE TAL DOS SANTOS E OUTROS; ADV. BELTRANA DA SILVA (MG012345). '.repeat(40);
const strip = (extras: object) => {
  const { json, ...rest } = withoutFullText(JSON.stringify(extras));
  return { extras: JSON.parse(json) as unknown, ...rest };
};

describe('a full text in extras', () => {
  test.each([
    ['conteudo_noticia', 'A Turma negou.'],
    ['conteudoDecisao', 'A Turma negou.'],
    ['texto', 'A Turma negou.'],
    ['inteiro_teor_texto', 'A Turma negou.'],
    ['txtInteiroTeorNovo', 'A Turma negou.'],
    ['textoAcordao', ['A Turma', 'negou provimento.']],
    ['acordaoTexto', 'A Turma negou.'],
    ['ÍNTEGRA', 'A Turma negou.'],
    ['voto', 'Senhor Presidente, o agravo não merece provimento, pois o urutau canta à noite.'],
    ['html', '<p>A Turma negou.</p>'],
    ['desconhecido', PROSE],
    ['desconhecido', CAPS],
    ['desconhecido', `<div>${PROSE}</div>`],
    ['paragrafos', PROSE.match(/.{330}/gu)],
    ['pdf', 'JVBERi0xLjQ'.repeat(500)],
  ])('%s of %j is taken out and named', (name, value) => {
    expect(strip({ [name]: value, orgao: 'x' })).toMatchObject({ extras: { orgao: 'x' }, names: [name] });
  });

  test('is taken out at any depth, and all other fields stay', () => {
    const extras = { peca: { tipo: 1, blocos: [{ n: 1, corpo: PROSE }, { n: 2 }] } };
    expect(strip(extras)).toEqual({
      extras: { peca: { tipo: 1, blocos: [{ n: 1 }, { n: 2 }] } },
      names: ['peca.blocos.corpo'],
      text: PROSE,
    });
  });

  test('leaves numbers as they were written', () => {
    const { json } = withoutFullText(`{"n":12345678901234567890,"v":1.0,"texto":"A Turma negou."}`);
    expect(json).toBe('{"n":12345678901234567890,"v":1.0}');
  });
});

test.each([
  { possuiTexto: 'S', textoUrl: 'https://exemplo.invalid/a b c', tipoConteudo: 'texto em html puro' },
  {
    votos: 'por maioria de votos',
    relatorio: true,
    sentenca: '0001',
    conteudo: 'S',
    relator: 'Fulano de Tal',
  },
  { documental_assunto_texto: 'Direito processual penal', sumula_numero: '7', notas: PROSE },
  { partes: NAMES, advogados: NAMES.split(';'), dispositivo: 'A Turma negou provimento.' },
  { referencias: 'LEG:FED LEI:008036 ANO:1990 ART:00062; '.repeat(90) },
  { codigos: Array.from({ length: 3_000 }, (_, at) => at), curto: PROSE.slice(0, 1_900) },
  { links: 'https://exemplo.invalid/documento/1234567890 '.repeat(60) },
])('other data stay as received: %j', (extras) => {
  expect(strip(extras)).toEqual({ extras, names: [], text: null });
});

const JSON_FORMATS = EVERY_FORMAT.slice(0, 6).map((every) => [every.format.name, every] as const);
const { file, load } = ingesting();

describe.each(JSON_FORMATS)('in %s', (_, { format, base, text }) => {
  test('it is measured, indexed if there is no ementa, and not served', async () => {
    const more = { campoNovo: { corpo: PROSE }, outro: 'fica' };
    for (const ementa of [null, 'EMENTA do urutau.']) {
      const { decisoes, documentos } = await read(format, base, text({ ementa, more }));
      expect(documentos[0]!.inteiro_teor.caracteres).toBe([...PROSE].length);
      expect(documentos[0]!.extras).toMatchObject({ outro: 'fica' });
      expect(JSON.stringify(documentos[0])).not.toContain('jacurutu');
      expect(decisoes[0]!.indexed.ementa?.includes('jacurutu')).toBe(ementa === null);
    }
  });

  test('a dry run and a load report it', async () => {
    const path = file('texto.json', text({ ementa: 'E', more: { campoNovo: PROSE } }));
    for (const options of [{ dryRun: true } as const, {}])
      expect((await load(base, [path], options)).out).toContain('full text, not stored: 1 in campoNovo');
  });
});
