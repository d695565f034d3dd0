import type { SearchPage } from '../../src/search/page.ts';
import type { Step } from '../../src/engine/steps.ts';
import { BASES, type Base, type Ordem } from '../../src/contract/vocabulary.ts';
import type { Cursor } from '../../src/query/cursor.ts';
import type { Pedido } from '../../src/query/parameters.ts';
import { readQuery } from '../../src/query/query.ts';
import type { Supervisor } from '../../src/search/supervisor.ts';
import type { CursorCodec } from '../../src/query/cursor.ts';
import type { Rng } from '../../src/tools/demo/rng.ts';
import { PageCheck, type CheckedWorld } from './simulation-pages.ts';
import type { QuotaWatch } from './simulation-quota.ts';
import { someOf } from './simulation-world.ts';

/** A reading that takes longer is taken to hang. */
const PAGES_MAX = 400;
const READER_KEY = 'leitor';
const READER_LIMITS = [2, 1_000, 1_000, 1_000] as const;
const NO_CHECK = () => null;

/** A world in which pages can be read. */
export interface ReadWorld extends CheckedWorld {
  readonly rng: Rng;
  readonly restedAt: number;
  readonly places: ReadonlyMap<Base, ReturnType<CheckedWorld['place']>>;
  readonly quota: Pick<QuotaWatch, 'charge'>;
  readonly cursors: CursorCodec;
  readonly actors: { readonly supervisor: Pick<Supervisor, 'search'> };
  trace(line: () => string): void;
}

const consulta = readQuery('dano moral', NO_CHECK);

/** Reads a search page by page to the end, with pauses, and checks every page. */
export async function readPages(world: ReadWorld): Promise<void> {
  const { rng, clock } = world;
  if ('codigo' in consulta) throw new Error(consulta.erro);
  const bases = someOf([...world.places.keys()], rng.between(1, world.places.size), rng);
  const ordem: Ordem = rng.chance(0.7) ? 'relevancia' : 'recentes';
  const items = bases.reduce((sum, base) => sum + world.place(base).model.last(0), 0);
  // One page to about eight, with limits of every size.
  const limite = Math.min(50, Math.max(rng.between(1, 8), Math.ceil(items / rng.between(1, 8))));
  const parametros = `${ordem} ${limite} ${bases.join()}`;
  const quota = rng.pick(READER_LIMITS);
  const selecao = bases.map((base) => ({ base, tribunais: null }));
  const check = new PageCheck(world, bases, ordem, limite);
  const asked = {
    q: 'x',
    consulta,
    selecao,
    ordem,
    limite,
    parametros,
    chave: parametros,
    filter: NO_FILTER,
  };
  let cursor: Cursor | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    if (!(await world.quota.charge(`${READER_KEY} ${quota}`, quota))) return;
    cursor = await turnPage(world, { ...asked, cursor }, check);
    if (cursor === null) return;
    if (rng.chance(0.1)) await clock.sleep(Math.max(0, world.restedAt - clock.now()));
    else await clock.sleep(rng.below(rng.chance(0.5) ? 20 : 1_500));
  }
  world.violation(`a reading of ${bases.join()} does not end`);
}

const NO_FILTER = { tipo: null, judged_from: null, judged_to: null };

/** @returns the next cursor, through its text as a client would send it. */
async function turnPage(world: ReadWorld, pedido: Pedido, check: PageCheck): Promise<Cursor | null> {
  check.begin();
  const leaving = world.rng.chance(0.05) ? leave(world) : null;
  const steps: Step[] = [];
  const page: SearchPage = await world.actors.supervisor.search(pedido, {
    ...(leaving === null ? {} : { abandoned: leaving.signal }),
    steps,
    id: world.rng.below(3),
  });
  world.trace(() => describe(pedido, page));
  if (steps.some(({ outcome }) => outcome === 'pending'))
    world.violation('a page is there while asks of it go on');
  leaving?.cancel();
  // Nobody reads an abandoned page: it only has to end at once.
  const leftAt = leaving?.at() ?? null;
  if (leftAt !== null) return check.endUnread(leftAt);
  check.end(page);
  if (page.cursor === null) return null;
  const cursor = world.cursors.decode(
    world.cursors.encode(page.cursor, pedido.parametros),
    pedido.parametros,
  );
  if (typeof cursor !== 'string') return cursor;
  world.violation(`a cursor of our own is refused as ${cursor}`);
  return null;
}

/** A reader who leaves early; cancelled if the page arrives first. */
function leave({ rng, clock }: ReadWorld) {
  const controller = new AbortController();
  let at: number | null = null;
  const cancel = clock.after(rng.below(rng.chance(0.5) ? 10 : 1_000), () => {
    at = clock.now();
    controller.abort();
  });
  return { signal: controller.signal, at: () => at, cancel };
}

function describe({ parametros }: Pedido, page: SearchPage): string {
  const places = BASES.filter((base: Base) => page.cursor?.after.has(base));
  const unanswered = page.bases_sem_resposta.map(({ base }) => base);
  return `page of ${parametros}: ${page.itens.join()} unanswered [${unanswered.join()}] unfinished [${places.join()}]`;
}
