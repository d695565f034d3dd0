import { expect } from 'vitest';
import type { Erro } from '../../src/contract/erro.ts';
import { ERROS, type Codigo } from '../../src/contract/recusa.ts';
import type { Line } from '../support/service.ts';

export const BUSCA = '/v1/jurisprudencia/busca';
export const COBERTURA = '/v1/jurisprudencia/cobertura';

/** The path of a record, its id as written. */
export function decisaoPath(id: string): string {
  return `/v1/jurisprudencia/${id}`;
}

/**
 * Holds an answer to the code and its status. Media type, body and headers are held to the document with every answer.
 * @returns its message.
 */
export async function expectErro(response: Response, codigo: Codigo): Promise<string> {
  return expectErroText(response.status, await response.text(), codigo);
}

/** The same for an answer read off a socket. */
export function expectErroText(status: number, text: string, codigo: Codigo): string {
  const body: unknown = JSON.parse(text);
  expect(body).toHaveProperty('codigo', codigo);
  expect(status).toBe(ERROS[codigo].status);
  return (body as Erro).erro;
}

/** A judgment with an ementa and whatever else is given. */
export function acordao(ementa: string, fields: Record<string, unknown> = {}): Line {
  return { tipo: 'acordao', ementa, ...fields };
}

/** So many judgments with the word, each with its number. */
export function acordaos(count: number, word: string, fields: Record<string, unknown> = {}): Line[] {
  return Array.from({ length: count }, (_, at) => acordao(`${word} exemplo ${at}`, fields));
}

/** A bound on repetitions: a change that must show within a second shows long before. */
const TRIES_MAX = 20_000;
const UNTIL_MS_MAX = 60_000;

/** Repeats a request until it gives the status, within a bound and without sleeping. @returns the last status. */
export async function untilStatus(wanted: number, ask: () => Promise<Response>): Promise<number> {
  const until = performance.now() + UNTIL_MS_MAX;
  for (let tries = 1; ; tries += 1) {
    const response = await ask();
    await response.arrayBuffer();
    if (response.status === wanted || tries >= TRIES_MAX || performance.now() > until) return response.status;
  }
}
