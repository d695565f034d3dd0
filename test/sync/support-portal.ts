import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A file of the portal; the list describes it as it is, unless `listed` overrides that. */
export interface PortalFile {
  readonly id: string;
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly listed?: Readonly<Record<string, unknown>>;
  /** Null if the server gives none. */
  readonly etag?: string | null;
}

export type DataSets = Record<string, PortalFile[]>;
/** Answers one request in place of the portal. */
export type Fault = (socket: Socket) => void;

/** A portal as the court's: CKAN's two actions, and the files. Raw, so that any answer can be given, wrong ones too. */
export async function startPortal(dataSets: DataSets) {
  const requests: string[] = [];
  /** Files that were sent whole, by name. */
  const fetched: string[] = [];
  const faults = new Map<string, Fault[]>();
  const sockets = new Set<Socket>();
  let connectionsMax = 0;
  let url = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    connectionsMax = Math.max(connectionsMax, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let heard = '';
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      for (let end = heard.indexOf('\r\n\r\n'); end >= 0; end = heard.indexOf('\r\n\r\n')) {
        const head = heard.slice(0, end);
        heard = heard.slice(end + 4);
        handle(socket, head);
      }
    });
  });
  const handle = (socket: Socket, head: string) => {
    const { pathname, searchParams } = new URL(head.split(' ')[1] ?? '', 'http://x');
    requests.push(pathname);
    const fault = [...faults].find(([part, left]) => pathname.includes(part) && left.length > 0)?.[1].shift();
    if (fault !== undefined) fault(socket);
    else if (pathname.endsWith('/package_search')) search(socket, searchParams);
    else if (pathname.endsWith('/package_show')) show(socket, searchParams.get('id') ?? '');
    else send(socket, pathname.split('/')[3] ?? '', /^if-none-match: (.*)$/imu.exec(head)?.[1]);
  };
  const resourceOf = ({ id, name, content, listed }: PortalFile) => ({
    id,
    name,
    format: name.endsWith('.zip') ? 'ZIP' : 'JSON',
    url: `${url}/dataset/x/${id}/${name}`,
    size: Buffer.byteLength(content),
    hash: '',
    last_modified: '2026-07-01T00:00:00.000000',
    ...listed,
  });
  const resourcesOf = (name: string) => [
    ...(dataSets[name] ?? []).map(resourceOf),
    { id: 'd', name: 'dicionario.csv', format: 'CSV', url: `${url}/dataset/x/d/dicionario.csv`, size: 9 },
  ];
  const search = (socket: Socket, parameters: URLSearchParams) => {
    const start = Number(parameters.get('start') ?? '0');
    const names = [...Object.keys(dataSets), 'integras-de-decisoes'];
    // Two a page, whatever was asked for: a server may have a lower limit.
    const results = names.slice(start, start + 2).map((name) => ({ name, resources: resourcesOf(name) }));
    answer(socket, 200, JSON.stringify({ success: true, result: { count: names.length, results } }));
  };
  const show = (socket: Socket, name: string) => {
    const result = { name, resources: resourcesOf(name) };
    answer(socket, 200, JSON.stringify({ success: true, result }));
  };
  const send = (socket: Socket, id: string, tag: string | undefined) => {
    const file = Object.values(dataSets)
      .flat()
      .find((one) => one.id === id);
    if (file === undefined) {
      answer(socket, 404, 'not here');
      return;
    }
    const { content, etag = `"${Bun.hash(content)}"` } = file;
    if (tag !== undefined && tag === etag) {
      answer(socket, 304, '');
      return;
    }
    fetched.push(file.name);
    answer(socket, 200, content, etag === null ? {} : { etag });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url,
    dataSets,
    requests,
    /** What was fetched since this was last asked. */
    taken: () => fetched.splice(0),
    fetchedCount: () => fetched.length,
    connectionsMax: () => connectionsMax,
    /** The next requests whose path has this part get these answers, one each. */
    fail: (part: string, ...answers: readonly Fault[]) => faults.set(part, [...answers]),
  };
}

/** A whole answer. */
export function answer(
  socket: Socket,
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = status === 304 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n`);
  socket.write(body);
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  (socket) => {
    answer(socket, code, 'no', headers);
  };

/** A made-up mirrored judgment, as the court writes it. */
export function judgment(id: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id: String(id).padStart(9, '0'),
    numeroProcesso: String(1_000_000 + id),
    numeroRegistro: `2022${String(id).padStart(8, '0')}`,
    siglaClasse: 'REsp',
    descricaoClasse: 'RECURSO ESPECIAL',
    nomeOrgaoJulgador: 'PRIMEIRA TURMA',
    ministroRelator: 'FULANA DE TAL',
    ementa: `PROCESSUAL CIVIL. RECURSO ESPECIAL. PALAVRA${id} DOS AUTOS.\n1. Recurso não provido.`,
    tipoDeDecisao: 'ACÓRDÃO',
    dataDecisao: '20230510',
    dataPublicacao: 'DJE        DATA:01/06/2023',
    decisao: 'Acordam os Ministros, por unanimidade, negar provimento.',
    teseJuridica: null,
    ...more,
  };
}

/** A month of a body: a file with judgments of these ids. */
export function month(id: string, name: string, ids: readonly number[], more = {}): PortalFile {
  const judgments = ids.map((one) => judgment(one, more));
  return { id, name, content: JSON.stringify(judgments, null, 1) };
}
