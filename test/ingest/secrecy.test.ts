import { describe, expect, test } from 'vitest';
import { eprocHtml } from '../../src/ingest/formats/eproc-html.ts';
import { sealedBy } from '../../src/ingest/secrecy.ts';
import { EVERY_FORMAT } from './formats/every.ts';
import { ingesting } from './support-ingest.ts';

const TRUE = [
  true,
  1,
  2,
  ...'true,True,S,s,Sim,SIM,Sim - nível 3,verdadeiro,1,x,Segredo de Justiça'.split(','),
];
const FALSE = [false, 'false', 'N', 'Não', 'nao', 0, '0', '', null, 'Sem sigilo', 'Público', 'Não há sigilo'];
const FIELDS =
  'sigiloso sigilosa segredoJustica segredo_de_justica sigilo nivelSigilo emSegredoDeJustica'.split(' ');

describe('a record is under secrecy', () => {
  test.each(FIELDS)('if %s is true in any spelling, and not if it is false', (name) => {
    expect(TRUE.filter((value) => sealedBy({ [name]: value }) !== name)).toEqual([]);
    expect(FALSE.filter((value) => sealedBy({ [name]: value }) !== null)).toEqual([]);
  });

  test('if a nested field says so, which is named', () => {
    expect(sealedBy({ processo: { sigiloso: 'S' } })).toBe('processo.sigiloso');
    expect(sealedBy({ partes: [{}, { segredoJustica: true }] })).toBe('partes.segredoJustica');
    expect(sealedBy({ sigilo: { codigo: 1, descricao: 'Nível 1' } })).toBe('sigilo');
  });

  test('and is not if only its text mentions secrecy', () => {
    expect(
      sealedBy({ ementa: 'Sigilo bancário. Segredo de justiça.', sigiloBancario: true, dataSigilo: 2020 }),
    ).toBeNull();
  });
});

const { file, load } = ingesting();
const JSON_FORMATS = EVERY_FORMAT.slice(0, 6).map((every) => [every.format.name, every] as const);

describe.each(JSON_FORMATS)('in %s', (_, { base, text }) => {
  test('such a decision is counted and named but not loaded, except with --include-sealed', async () => {
    const path = file('sigilo', text({ ementa: 'E', more: { caso: { sigiloso: 'S' } } }));
    const named = /left out: 1 for secrecy \(--include-sealed loads it\): \S*caso\.sigiloso$/mu;
    expect((await load(base, [path], { dryRun: true })).out).toMatch(named);
    const { out, exitCode } = await load(base, [path]);
    expect(out).toMatch(named);
    expect(out).toContain('0 added, 0 replaced, 0 unchanged, 0 rejected, 1 left out');
    expect(exitCode).toBe(1);
    expect((await load(base, [path], { includeSealed: true })).out).toContain('1 added');
  });
});

test('a canonical line may have a secrecy field next to its own', async () => {
  const line = (chave: string, sigiloso: unknown) =>
    `${JSON.stringify({ chave, tipo: 'acordao', sigiloso })}\n`;
  const path = file('linhas.jsonl', line('1', 'Sim') + line('2', false));
  const { out } = await load('stj', [path]);
  expect(out).toContain('1 added, 0 replaced, 0 unchanged, 0 rejected, 1 left out');
  const all = await load('stj', [path], { includeSealed: true });
  expect(all.out).toContain('1 added, 0 replaced, 1 unchanged');
});

test.each(EVERY_FORMAT.slice(6).map((every) => [every.format.name, every] as const))(
  'a label on a page of %s marks it',
  async (_, { base, text, format }) => {
    const label =
      format === eprocHtml
        ? '<b class="resLabel">Segredo de Justiça</b><i class="resValue">Sim</i></div>'
        : '<div><strong>Segredo de justi&ccedil;a:</strong> Sim</div>';
    const page = text({ ementa: 'E', relator: 'R' });
    const sealed = format === eprocHtml ? page.replace(/<\/div>$/u, label) : page + label;
    expect((await load(base, [file('p.html', sealed)])).out).toMatch(/: Segredo de justiça/iu);
    expect((await load(base, [file('q.html', sealed.replaceAll('Sim', 'Não'))])).out).toContain('1 added');
  },
);
