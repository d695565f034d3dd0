import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { BuscaSchema } from '../../src/contract/busca.ts';
import { CoberturaSchema } from '../../src/contract/cobertura.ts';
import { DocumentoSchema } from '../../src/contract/documento.ts';
import { ErroSchema } from '../../src/contract/erro.ts';
import { ParametrosSchema } from '../../src/contract/parametros.ts';
import { ERROS } from '../../src/contract/recusa.ts';
import { LIMITE_MAX, PARAMETROS, Q_MAX, Q_MIN } from '../../src/contract/vocabulary.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { EXEMPLOS } from '../../src/openapi/examples.ts';
import type { Answer, Media, Reference } from '../../src/openapi/model.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readPedido } from '../../src/query/parameters.ts';
import { readId } from '../../src/query/id.ts';
import { asVersion30 } from '../../src/openapi/version30.ts';
import { run } from '../support/run.ts';

const document = openApiDocument();
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));

function resolved(answer: Answer | Reference): Answer {
  if (!('$ref' in answer)) return answer;
  return document.components.responses[answer.$ref.split('/').at(-1) ?? '']!;
}

/** Every answer of the document by its name, with those that no path names. */
function answers(): [string, Answer][] {
  const ofPaths = operations.flatMap(({ path, get }) =>
    Object.entries(get.responses).map(([status, answer]) => [`${path} ${status}`, answer] as const),
  );
  const all = [...ofPaths, ...Object.entries(document.components.responses)];
  return all.map(([name, answer]) => [name, resolved(answer)]);
}

/** Every body in them. */
const medias = answers().flatMap(([name, answer]) => {
  const content = Object.entries(answer.content ?? {});
  return content.map(([type, media]): [string, Media] => [`${name} ${type}`, media]);
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, its references included', async () => {
    const validator = new Validator();
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    const { valid, errors } = await validator.validate(plain);
    expect(errors ?? '').toBe('');
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('has the three routes, two of which need the key', () => {
    expect(operations.map(({ path, get }) => [path, get.security])).toEqual([
      ['/v1/jurisprudencia/cobertura', []],
      ['/v1/jurisprudencia/busca', [{ chave: [] }]],
      ['/v1/jurisprudencia/{id}', [{ chave: [] }]],
    ]);
  });

  it('has the parameters of a search in the order in which refusals list them', () => {
    expect(Object.keys(ParametrosSchema.properties)).toEqual(PARAMETROS);
  });

  it('has each codigo under its status alone', () => {
    const found = new Map<string, string>();
    for (const { get } of operations) {
      for (const [status, answer] of Object.entries(get.responses)) {
        for (const codigo of codigosOf(resolved(answer))) found.set(codigo, status);
      }
    }
    for (const codigo of codigosOf(document.components.responses['RotaNaoEncontrada']!))
      found.set(codigo, '404');
    const expected = Object.entries(ERROS).map(([codigo, { status }]) => [codigo, String(status)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it('has an ASCII title, operation ids and described tags, for generators', () => {
    expect(document.info.title).toMatch(/^[A-Za-z]+$/u);
    expect(operations.map(({ get }) => get.operationId)).toEqual(['cobertura', 'busca', 'decisao']);
    const tags = document.tags.map(({ name }) => name);
    for (const { get } of operations) expect(tags).toEqual(get.tags);
  });

  it('is the same as in docs', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
    // As `bun run openapi > docs/openapi.json` writes it.
    expect(committed).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it('describes every field, parameter, header and answer', () => {
    expect(undescribed(document)).toEqual([]);
  });

  it.each(medias)('has an example of %s', (_, media) => {
    expect(Object.keys(media.examples).length).toBeGreaterThan(0);
  });
});

describe('the document as OpenAPI 3.0', () => {
  const version30 = asVersion30(document);
  const schema30 = (schema: object) => {
    const { components } = asVersion30({ info: {}, components: { schemas: { A: schema } } });
    return (components as { schemas: { A: object } }).schemas.A;
  };

  it('is valid OpenAPI 3.0, its references included', async () => {
    const validator = new Validator();
    const plain = JSON.parse(JSON.stringify(version30)) as Record<string, unknown>;
    const { errors } = await validator.validate(plain);
    expect(errors ?? '').toBe('');
    expect(validator.version).toBe('3.0');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('is the same as in docs', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../docs/openapi-3.0.json'), 'utf8');
    // As `bun run openapi --openapi 3.0 > docs/openapi-3.0.json` writes it.
    expect(committed).toBe(`${JSON.stringify(version30, null, 2)}\n`);
  });

  it('has the paths, answers, fields and examples of 3.1', () => {
    const fields = (one: unknown) =>
      JSON.stringify(one).match(/"(?:description|summary|value|operationId)":/gu)?.length;
    expect(fields(version30)).toBe((fields(document) ?? 0) - 1);
    expect(version30).toHaveProperty('components.schemas.Resumo.properties.relator', {
      type: 'string',
      nullable: true,
      description: expect.any(String) as string,
    });
  });

  it.each<[string, object, object]>([
    ['a constant', { const: 'a' }, { enum: ['a'] }],
    [
      'a union with null',
      { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
      { type: 'string', maxLength: 2, nullable: true },
    ],
    [
      'a reference or null',
      { anyOf: [{ $ref: '#/components/schemas/Uf' }, { type: 'null' }] },
      { allOf: [{ $ref: '#/components/schemas/Uf' }], nullable: true },
    ],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    [
      'a reference with a default',
      { $ref: '#/components/schemas/Uf', default: 'MG' },
      { allOf: [{ $ref: '#/components/schemas/Uf' }], default: 'MG' },
    ],
  ])('has %s, at any depth, in the form of 3.0', (_, schema, expected) => {
    const within = (one: object) => ({ type: 'array', items: { properties: { x: one } } });
    expect(schema30(within(schema))).toEqual(within(expected));
  });

  it('leaves data and field names unchanged', () => {
    const ofObject = {
      const: { type: 'string' },
      examples: { type: 'array', items: {} },
      anyOf: { type: 'null' },
    };
    const data = { default: { const: 1 }, enum: [{ type: ['null'] }], example: { examples: [1] } };
    const kept = { properties: ofObject, ...data };
    expect(schema30(kept)).toEqual(kept);
  });
});

describe('an example', () => {
  it.each([
    ['cobertura', CoberturaSchema],
    ['busca', BuscaSchema],
    ['decisao', DocumentoSchema],
  ] as const)('of %s has the schema that the service validates with', (rota, schema) => {
    for (const { value } of Object.values(EXEMPLOS[rota])) expect(Check(schema, value)).toBe(true);
  });

  it('of an error is an Erro with that codigo', () => {
    const errors = medias.flatMap(([, media]) => Object.entries(media.examples));
    for (const [codigo, { value }] of errors.filter(([name]) => name in ERROS)) {
      expect(Check(ErroSchema, value)).toBe(true);
      expect(value).toHaveProperty('codigo', codigo);
    }
  });

  it('of all parameters together is a search that the service accepts', () => {
    const parameters = document.paths['/v1/jurisprudencia/busca']!.get.parameters.filter(
      ({ in: place, name }) => place === 'query' && name !== 'cursor',
    );
    expect(parameters).toHaveLength(Object.keys(ParametrosSchema.properties).length - 1);
    const entries = parameters.map(({ name, example }) => [name, String(example)]);
    expect(accepts(new URLSearchParams(Object.fromEntries(entries)))).toBe(true);
  });
});

const tools = { check: openSyntaxCheck(), cursors: new CursorCodec(new Uint8Array(32)) };

function accepts(query: URLSearchParams): boolean {
  return !('codigo' in readPedido(query.toString(), tools));
}

describe('the schema of a parameter accepts what the service accepts:', () => {
  it.each<[string, string | number]>([
    ['q', 'a'.repeat(Q_MIN)],
    ['q', 'a'.repeat(Q_MIN - 1)],
    ['q', '𝒂'.repeat(Q_MAX)],
    ['q', 'a'.repeat(Q_MAX + 1)],
    ['tribunal', 'stj,tnu'],
    ['tribunal', 'stx'],
    ['tribunal', 'stj,'],
    ['tribunal', ''],
    ['uf', 'MG,BR'],
    ['uf', 'XX'],
    ['ramo', 'federal'],
    ['ramo', 'militar'],
    ['tipo', 'sumula'],
    ['tipo', 'voto'],
    ['data_de', '2024-02-29'],
    ['data_de', '2023-02-29'],
    ['data_ate', '2024-1-1'],
    ['ordem', 'recentes'],
    ['ordem', 'antigas'],
    ['limite', 1],
    ['limite', 0],
    ['limite', LIMITE_MAX],
    ['limite', LIMITE_MAX + 1],
    ['limite', 1.5],
    ['pagina', '2'],
  ])('%s %j', (name, value) => {
    const query = new URLSearchParams({ q: 'dano', [name]: String(value) });
    expect(Check(ParametrosSchema, { q: 'dano', [name]: value })).toBe(accepts(query));
  });

  it.each(['stj:1', 'stj:007', 'STF:1', 'xyz:1', 'stj', 'stj:1a', 'stj:0'])('id %s', (id) => {
    const { schema } = document.paths['/v1/jurisprudencia/{id}']!.get.parameters[0]!;
    const { pattern } = schema as { pattern: string };
    expect(new RegExp(pattern, 'u').test(id)).toBe(readId(id) !== null);
  });
});

describe('bun run openapi', () => {
  it('prints the document, with a given address and version', async () => {
    const printed = async (...args: string[]) =>
      JSON.parse((await run('openapi/command.ts', args)).out) as unknown;
    expect(await printed()).toEqual(JSON.parse(JSON.stringify(document)));
    const other = await printed('--server', 'https://exemplo.br', '--openapi', '3.0');
    expect(other).toMatchObject({ openapi: '3.0.4', servers: [{ url: 'https://exemplo.br' }] });
    expect(await run('openapi/command.ts', ['--openapi', '2.0'])).toMatchObject({ out: '', exitCode: 1 });
  });

  it.each(['nada', 'ftp://exemplo.br', 'exemplo.br:80', ''])('refuses the address %j', async (address) => {
    const { err, out, exitCode } = await run('openapi/command.ts', ['--server', address]);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 });
    expect(err).toContain('It must be an http or https URL');
  });

  it('refuses an unknown option', async () => {
    const { err, exitCode } = await run('openapi/command.ts', ['--yaml']);
    expect(exitCode).not.toBe(0);
    expect(err).toContain('--help');
  });
});

/** The codes that an answer may carry. */
function codigosOf(answer: Answer): string[] {
  return Object.keys(answer.content?.['application/json']?.examples ?? {}).filter((name) => name in ERROS);
}

/** Where a field, parameter, header or answer has no description, of its own or of the schema that it refers to. */
function undescribed(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || path.endsWith('/examples')) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const here = `${path}/${key}`;
    const needsOne = /\/(?:properties|headers|responses|parameters)$/u.test(path);
    const hasOne = typeof inner === 'object' && inner !== null && ('description' in inner || '$ref' in inner);
    const below = undescribed(inner, here);
    return needsOne && !hasOne ? [here].concat(below) : below;
  });
}
