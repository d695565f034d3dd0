import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IngestOptions } from '../../src/ingest/ingest.ts';
import { run } from '../support/run.ts';
import { ingestHere, ingesting } from './support-ingest.ts';

const { dataDir: folder, file } = ingesting();
const dataDir = () => join(folder(), 'data');

const EMENTA = 'DIREITO PREVIDENCIÁRIO. A pensão por morte é devida, nos termos da lei.\nRecurso provido.';
const line = (fields: object) =>
  JSON.stringify({ tipo: 'acordao', tribunal: 'tnu', ementa: EMENTA, ...fields });
const LINES = [
  line({ chave: '1', processo: 'PUIL 1', data_julgamento: '2024-01-31', data_publicacao: '2024-02-01' }),
  line({ chave: '2', data_julgamento: '2020-05-05', ementa: `${EMENTA} E segue...` }),
  line({
    chave: '3',
    tribunal: 'trf6',
    tipo: 'decisao_monocratica',
    ementa: null,
    texto: 'Nego provimento.',
  }),
  line({ chave: '4', tribunal: 'trf6', ementa: '\u001b[31mcurta', extras: { a: 1 } }),
  line({ chave: '1', processo: 'PUIL 1, outra vez' }),
  line({ chave: '5', tribunal: 'tst' }),
  '{"tipo":',
].join('\n');

const dryRun = (lines: string, options: IngestOptions = {}) =>
  ingestHere(dataDir(), 'eproc', [file('x.jsonl', lines)], { ...options, dryRun: true });

describe('--dry-run', () => {
  test('prints what would be loaded, and leaves the data folder unchanged', async () => {
    const done = await run('ingest/command.ts', ['eproc', '--dry-run', '-'], { DATA_DIR: dataDir() }, LINES);
    expect(done).toMatchObject({ exitCode: 0, err: '' });
    expect(existsSync(dataDir())).toBe(false);
    const [summary, ...rest] = done.out.split('\n');
    expect(summary).toBe('eproc, dry run: 4 to load, 1 repeated, 2 rejected, 0 left out');
    expect(rest.slice(0, 8).map((one) => one.replaceAll(/ +/g, ' '))).toEqual([
      ' acordao tnu 2',
      ' decisao_monocratica trf6 1',
      ' acordao trf6 1',
      ' julgamento 2020-05-05 to 2024-01-31, 2 without one',
      ' publicacao 2024-02-01 to 2024-02-01, 3 without one',
      ' ementa completa 25.0%, truncada 25.0%, suspeita 25.0%, ausente 25.0%',
      'rejected: 1 for tribunal: tst is not in base eproc (tnu or trf6)',
      'rejected: 1 for not valid JSON',
    ]);
  });

  test('shows three records of different types and courts, without full texts', async () => {
    const { out } = await dryRun(LINES);
    const samples = out.split(/^sample \d$/mu).slice(1);
    expect(samples).toHaveLength(3);
    expect(samples.map((sample) => /^ {2}tipo +(\S+)/mu.exec(sample)?.[1])).toEqual(
      expect.arrayContaining(['acordao', 'decisao_monocratica']),
    );
    expect(out).toContain('  processo          PUIL 1\n');
    expect(out).not.toContain('Nego provimento');
  });

  test('fits 80 columns, and sends no control characters to the terminal', async () => {
    const { out } = await dryRun(LINES);
    expect(Math.max(...out.split('\n').map((one) => [...one].length))).toBeLessThanOrEqual(80);
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
  });

  test('reports damaged files and omitted records, with the exit code of a load', async () => {
    const records = [
      { id: '1', numeroProcesso: '1' },
      { id: '2', tipoDeDecisao: 'DECISÃO' },
    ];
    const good = file('good.json', JSON.stringify(records));
    const bad = file('bad.json', '[{"id": "3", "siglaClasse": "REsp"}');
    const options = { dryRun: true, from: 'stj-espelhos' } as const;
    const done = await ingestHere(dataDir(), 'stj', [good, bad], options);
    expect(done).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/bad\.json: cut: the JSON ends too early/),
    });
    expect(done.out).toContain('stj, dry run: 1 to load, 0 repeated, 1 rejected, 1 left out');
    expect(done.out).toContain('left out: 1 for tipoDeDecisao DECISÃO');
    expect(await ingestHere(dataDir(), 'stj', [bad], options)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nothing would be loaded'),
    });
  });

  test('writes rejects only to a named file, and obeys --strict', async () => {
    const rejects = join(folder(), 'rejects.jsonl');
    expect((await dryRun(LINES, { strict: true, rejects })).exitCode).toBe(1);
    expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(existsSync(dataDir())).toBe(false);
  });
});
