import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../src/openapi/document.ts';
import type { Answer, Header, Reference } from '../../src/openapi/model.ts';

/** One request of the public API and its answer. */
export interface Exchange {
  readonly method: string;
  /** As it stood in the request line. */
  readonly target: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Unpacked. */
  readonly body: string;
}

/** What HTTP itself adds to any answer; the document does not speak of it. */
const TRANSPORT = new Set(['connection', 'content-length', 'content-type', 'date', 'transfer-encoding']);

const document = openApiDocument();
const { responses } = document.components;
// A validator that the service knows nothing of, so that the document alone decides.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(document, 'openapi', false, false);

/** A GET or another request by `fetch`, whose answer must match the OpenAPI document. @throws with every difference. */
export async function fetchChecked(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname, search } = new URL(url);
  checkDocumented({
    method: init.method ?? 'GET',
    target: pathname + search,
    status: response.status,
    headers: new Map(response.headers),
    body: await response.clone().text(),
  });
  return response;
}

/** A GET with a key, held to the document too. */
export function fetchAs(url: string, key: string): Promise<Response> {
  return fetchChecked(url, { headers: { authorization: `Bearer ${key}` } });
}

/** @throws with every difference between an answer and the document. */
export function checkDocumented(exchange: Exchange): void {
  const faults = faultsOf(exchange);
  if (faults.length === 0) return;
  const { method, target, status } = exchange;
  throw new Error(`not as in the OpenAPI document: ${method} ${target}: ${status}\n  ${faults.join('\n  ')}`);
}

/**
 * Every difference between an answer and the document. A path with `.` or `..` in it may be read with them
 * taken out, as URLs are, or as a path that there is not.
 */
export function faultsOf(exchange: Exchange): string[] {
  const path = exchange.target.replace(/^https?:\/\/[^/]*/u, '').replace(/[?#].*$/su, '');
  const asWritten = faultsAt(path, exchange);
  if (asWritten.length === 0 || !DOTS.test(path)) return asWritten;
  return faultsAt(new URL(path, 'http://x').pathname, exchange);
}

const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/iu;

function faultsAt(path: string, exchange: Exchange): string[] {
  const found = answerFor(templateOf(path), exchange);
  if (found === null) return ['no such status in the document'];
  const { answer, pointer } = found;
  return [...headerFaults(exchange, answer, pointer), ...bodyFaults(exchange, answer, pointer)];
}

/** The document's path that a request's path is of, as OpenAPI tells them apart: first the one without a template. */
function templateOf(path: string): string | null {
  if (DOTS.test(path)) return null;
  if (Object.hasOwn(document.paths, path)) return path;
  const isSegment = (text: string) => text !== '' && !text.includes('/');
  const fits = (template: string) => {
    const [before = '', after = ''] = template.split(/\{[^}]*\}/u);
    const isAround = template.includes('{') && path.startsWith(before) && path.endsWith(after);
    return isAround && isSegment(path.slice(before.length, path.length - after.length));
  };
  return Object.keys(document.paths).find(fits) ?? null;
}

/**
 * The answer that the document has for a request. Two kinds of request are in no path: other methods, which are
 * 405 on each path, and other paths, which are 404 ROTA_NAO_ENCONTRADA; the per-IP limit is before both.
 */
function answerFor(
  path: string | null,
  { method, status }: Exchange,
): { answer: Answer; pointer: string } | null {
  if (path !== null && method === 'GET') {
    const own = document.paths[path]?.get.responses[String(status)];
    if (own === undefined || status === 405) return null;
    return resolve(own, `#/paths/${escaped(path)}/get/responses/${status}`);
  }
  const outside = { 404: 'RotaNaoEncontrada', 405: 'MetodoNaoPermitido', 429: 'LimitePorIp' };
  const name = Object.entries(outside).find(([code]) => code === String(status))?.[1];
  if (name === undefined || status === (path === null ? 405 : 404)) return null;
  return resolve({ $ref: `#/components/responses/${name}` }, '');
}

function resolve(answer: Answer | Reference, pointer: string): { answer: Answer; pointer: string } | null {
  if (!('$ref' in answer)) return { answer, pointer };
  const found = responses[answer.$ref.replace('#/components/responses/', '')];
  return found === undefined ? null : { answer: found, pointer: answer.$ref };
}

function headerFaults({ headers }: Exchange, answer: Answer, pointer: string): string[] {
  const faults: string[] = [];
  const known = new Set(TRANSPORT);
  for (const [name, header] of Object.entries(answer.headers ?? {})) {
    known.add(name.toLowerCase());
    const text = headers.get(name.toLowerCase());
    const at = '$ref' in header ? header.$ref : `${pointer}/headers/${escaped(name)}`;
    const { required, schema } = headerOf(header);
    if (text === undefined) {
      if (required === true) faults.push(`header ${name} is missing`);
      continue;
    }
    const isInteger = 'type' in schema && schema.type === 'integer';
    faults.push(...schemaFaults(`${at}/schema`, isInteger ? Number(text) : text, `header ${name}`));
  }
  for (const name of headers.keys())
    if (!known.has(name)) faults.push(`header ${name} is not in the document`);
  return faults;
}

function headerOf(header: Header | Reference): Header {
  if (!('$ref' in header)) return header;
  const found = document.components.headers[header.$ref.replace('#/components/headers/', '')];
  if (found === undefined) throw new Error(`the document has no ${header.$ref}`);
  return found;
}

function bodyFaults({ method, headers, body }: Exchange, answer: Answer, pointer: string): string[] {
  if (method === 'HEAD' || answer.content === undefined)
    return body === '' ? [] : ['a body where none is due'];
  const [media = ''] = (headers.get('content-type') ?? '').split(';');
  if (!Object.hasOwn(answer.content, media)) return [`content type ${media} is not in the document`];
  const at = `${pointer}/content/${escaped(media)}/schema`;
  if (media !== 'application/json') return schemaFaults(at, body, 'body');
  try {
    const value: unknown = JSON.parse(body);
    return [...schemaFaults(at, value, 'body'), ...codigoFaults(value, answer)];
  } catch (error) {
    return [`the body is not JSON: ${String(error)}`];
  }
}

/** All refusals are of one schema; the codes that may come with a status are those that it has an example of. */
function codigoFaults(value: unknown, { content = {} }: Answer): string[] {
  if (typeof value !== 'object' || value === null || !('codigo' in value)) return [];
  const known = Object.keys(content['application/json']?.examples ?? {});
  return known.includes(String(value.codigo)) ? [] : [`${String(value.codigo)} is not of this status`];
}

function schemaFaults(pointer: string, value: unknown, what: string): string[] {
  const check = validator(pointer);
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message = '', params }) =>
    [what, instancePath, message, JSON.stringify(params)].filter((part) => part !== '').join(' '),
  );
}

const validators = new Map<string, ValidateFunction>();

function validator(pointer: string): ValidateFunction {
  let found = validators.get(pointer);
  if (found === undefined) {
    found = ajv.compile({ $ref: `openapi${pointer}` });
    validators.set(pointer, found);
  }
  return found;
}

/** A name as a part of a JSON pointer in a URI. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
