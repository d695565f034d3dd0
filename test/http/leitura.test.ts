import { describe, expect, it } from 'vitest';
import { served } from '../support/served.ts';
import { acordao, acordaos } from './checks.ts';

const service = served({
  stj: [acordao('dano moral'), acordao('moral sem dano'), ...acordaos(30, 'horas')],
});

async function asked(q: string, others: Record<string, string> = {}) {
  const { status, headers, body } = await service.busca({ q, tribunal: 'stj', ...others });
  expect(status).toBe(200);
  const leitura = headers.get('jurisprudencia-leitura');
  return { leitura, avisos: headers.get('jurisprudencia-avisos'), body };
}

describe('a first page has in its headers', () => {
  it('how the query was read, percent-encoded, and warnings about it', async () => {
    const { leitura, avisos, body } = await asked('“dano moral” NOT mãe*s');
    expect(leitura).toBe('%22dano%20moral%22%20NOT%20(mae*%20AND%20s)');
    expect(avisos).toBe('ASPAS_TIPOGRAFICAS, ASTERISCO_NO_MEIO');
    expect(body.itens).toHaveLength(1);
  });
  it('no warning for a query that is read as it looks', async () => {
    expect(await asked('dano moral')).toMatchObject({ leitura: 'dano%20AND%20moral', avisos: null });
  });
  it('a long reading cut at a bound, marked as cut', async () => {
    const { leitura } = await asked('λ '.repeat(150).trim());
    expect(leitura).toBe('%22%CE%BB%22');
    const long = (await asked(Array.from({ length: 60 }, (_, at) => `λό${at}`).join(' '))).leitura ?? '';
    expect(long.length).toBeGreaterThan(1_150);
    expect(long.length).toBeLessThanOrEqual(1_200);
    expect(decodeURIComponent(long)).toMatch(/^λό0 AND λό1 AND .*…$/u);
  });
});

describe('a later page', () => {
  it('has neither header', async () => {
    const first = await asked('horas -exemplo');
    const cursor = first.body.proximo_cursor ?? '';
    expect(await asked('horas -exemplo', { cursor })).toMatchObject({ leitura: null, avisos: null });
  });
  it('is the same for typographic quotes and plain ones, which are one search', async () => {
    const { body } = await asked('“horas exemplo”');
    const cursor = body.proximo_cursor ?? '';
    const next = await asked('"horas exemplo"', { cursor });
    expect(next.body.itens).toHaveLength(10);
  });
});
