// What a caller of the generated TypeScript client does: two courts to the last page, a record, and each refusal.
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const { URL: url = '', KEY = '', SMALL_KEY = '', LIMITED_URL = '', QUERIES = '[]' } = process.env;
const clientOf = (baseUrl: string, key: string) =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const client = clientOf(url, KEY);
type Query = paths['/v1/jurisprudencia/busca']['get']['parameters']['query'];

/** Every page of a search. */
async function search(q: string, tribunal?: string) {
  const ids: string[] = [];
  const unanswered: string[] = [];
  const more = tribunal === undefined ? {} : { tribunal };
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query: Query = { q, limite: 5, ...more, ...(cursor === undefined ? {} : { cursor }) };
    const { data, error } = await client.GET('/v1/jurisprudencia/busca', { params: { query } });
    if (data === undefined) return { codigo: typeof error === 'object' ? error.codigo : error };
    ids.push(...data.itens.map(({ id }) => id));
    unanswered.push(...data.bases_sem_resposta.map(({ base }) => base));
    cursor = data.proximo_cursor;
  }
  return unanswered.length === 0 ? { ids } : { sem_resposta: unanswered };
}

const read = (id: string) => client.GET('/v1/jurisprudencia/{id}', { params: { path: { id } } });
const refused = async (baseUrl: string, key: string) => {
  const query = { q: 'dano' };
  const { error, response } = await clientOf(baseUrl, key).GET('/v1/jurisprudencia/busca', {
    params: { query },
  });
  return [response.status, typeof error === 'object' ? error.codigo : error];
};

const found = await search('dano moral', 'stj,tst');
const missing = (await read('stj:999')).error;
console.log(
  JSON.stringify({
    found,
    ementa: (await read(found.ids?.[0] ?? '')).data?.ementa,
    tribunais: (await client.GET('/v1/jurisprudencia/cobertura')).data?.tribunais.length,
    missing: typeof missing === 'object' ? missing.codigo : null,
    quota: await refused(url, SMALL_KEY),
    ip: await refused(LIMITED_URL, KEY),
    searches: await Promise.all((JSON.parse(QUERIES) as string[]).map((q) => search(q))),
  }),
);
