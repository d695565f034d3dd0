import { describe, expect, test } from 'vitest';
import { EVERY_FORMAT } from './every.ts';
import { read } from './support.ts';

/** Each control character of ISO-8859-1 next to what its byte means in Windows-1252, written out by hand. */
const MEANT = ['€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž ', ' ‘’“”•–—˜™š›œ žŸ'].join('');
const CONTROLS = Array.from({ length: 32 }, (_, at) => String.fromCharCode(0x80 + at));
const INVISIBLE = ['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u034f', '\u200e', '\u200f'];

const NAMES = EVERY_FORMAT.map((every) => [every.format.name, every] as const);

describe.each(NAMES)('in %s', (_, { format, base, text }) => {
  test('a control character of Windows-1252 becomes its sign in every field, and joins no words', async () => {
    const ementa = CONTROLS.map((control, at) => `a${at}${control}b${at}`).join(' ');
    const { documentos } = await read(format, base, text({ ementa, relator: 'D\u0092Ávila' }));
    expect(documentos[0]).toMatchObject({
      ementa: [...MEANT].map((sign, at) => `a${at}${sign}b${at}`).join(' '),
      relator: 'D’Ávila',
    });
  });

  test('an invisible character is removed in every field', async () => {
    const ementa = INVISIBLE.map((invisible) => `inde${invisible}nizar NÃ${invisible}O`).join(' ');
    const { documentos } = await read(format, base, text({ ementa, relator: 'Fu\u200dlana' }));
    expect(documentos[0]).toMatchObject({
      ementa: INVISIBLE.map(() => 'indenizar NÃO').join(' '),
      relator: 'Fulana',
    });
  });
});

test('both hold in lists too', async () => {
  const [{ format, base, text }] = EVERY_FORMAT as [(typeof EVERY_FORMAT)[0]];
  const linha = JSON.parse(text({ ementa: 'x' })) as object;
  const lists = {
    temas: ['a\u0096b', 'c\u00add', '\u200b'],
    legislacao_citada: ['art.\u00855', 'LEI\ufeff'],
  };
  const { documentos } = await read(format, base, JSON.stringify({ ...linha, ...lists }));
  expect(documentos[0]).toMatchObject({ temas: ['a–b', 'cd'], legislacao_citada: ['art.…5', 'LEI'] });
});

test('in a misread text the controls are parts of letters; an uncertain text stays and is suspeita', async () => {
  const [{ format, base, text }] = EVERY_FORMAT.slice(1) as [(typeof EVERY_FORMAT)[0]];
  const ementaOf = async (ementa: string) => (await read(format, base, text({ ementa }))).documentos[0];
  expect((await ementaOf('DECISÃ\u0083O legÃ\u00adtima'))?.ementa).toBe('DECISÃO legítima');
  expect(await ementaOf(`decisão legÃ\u00adtima ${'que segue '.repeat(8)}`)).toMatchObject({
    ementa_status: 'suspeita',
    ementa: expect.stringContaining('legÃ\u00adtima'),
  });
});
