import type { KeyReport } from '../keys-routes.ts';
import { get, post } from './api.ts';
import { confirmed } from './confirm.ts';
import { formatElapsed, formatMoment, formatNumber, formatWhole } from './format.ts';
import { act, button, byId, html, say, setText, show } from './html.ts';
import { numberClass, table, type Column } from './table.ts';

/** A key issued on this page. It is stored nowhere else. */
interface Issued {
  readonly nome: string;
  readonly chave: string;
}

const COLUMNS: readonly Column<KeyReport>[] = [
  ['nome', 'nome', ({ nome }) => nome],
  ['agora, por s', 'numero', ({ por_s }) => formatNumber(por_s)],
  ['recusadas, por s', (one) => numberClass(one.recusas_por_s > 0), (one) => formatNumber(one.recusas_por_s)],
  ['restam hoje', ({ restam }) => numberClass(restam === 0), ({ restam }) => formatWhole(restam)],
  [
    'da cota',
    'numero',
    ({ cota, cota_propria }) =>
      html`${formatWhole(cota)}<span class="fraco">${cota_propria ? ' própria' : ' do serviço'}</span>`,
  ],
  ['emitida', '', ({ emitida_em }) => formatMoment(emitida_em)],
  ['', 'acao', revokeButton],
];

/** Not yet hidden, newest first. */
let issued: readonly Issued[] = [];

export function startKeys() {
  const form = byId('chave-form', HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void issue(form);
  });
}

export async function loadKeys() {
  const { chaves, danificadas } = await get('chaves');
  const [first] = chaves;
  setText(
    byId('chaves-nota'),
    first ? `A cota começa de novo em ${formatElapsed(first.renova_em_s)}, à meia-noite UTC.` : '',
  );
  const options = {
    keyOf: ({ nome, emitida_em }: KeyReport) => `${nome} ${emitida_em}`,
    classOf: ({ revogada_em }: KeyReport) => (revogada_em === null ? '' : 'revogada'),
    none: 'Nenhuma chave foi emitida.',
  };
  show('chaves-tabela', table(COLUMNS, chaves.toSorted(byRate), options));
  if (danificadas.length === 0) return;
  const damaged = `Arquivos de chave danificados, que não dão acesso: ${danificadas.join(', ')}.`;
  say(byId('chave-aviso'), `${damaged} Emita de novo as chaves deles.`, true);
}

function revokeButton({ nome, revogada_em }: KeyReport) {
  if (revogada_em !== null) return `revogada em ${formatMoment(revogada_em)}`;
  return button('Revogar', () => revoke(nome), {
    class: 'perigo',
    'aria-label': `Revogar a chave ${nome}`,
  });
}

function issue(form: HTMLFormElement) {
  const data = new FormData(form);
  const quota = data.get('cota');
  return change(async () => {
    const body = { nome: data.get('nome'), cota: quota === '' ? null : Number(quota) };
    const made = await post<Issued>('chaves', body);
    form.reset();
    showIssued([made, ...issued]);
    byId('chave-nova').querySelector('div')?.focus();
    return '';
  });
}

async function revoke(nome: string) {
  const question = `Revogar a chave ${nome}? Quem a usa passa a receber 401 em até um segundo. Não há volta: seria preciso emitir outra.`;
  if (!(await confirmed(question, 'Revogar'))) return;
  await change(async () => {
    await post(`chaves/${encodeURIComponent(nome)}/revogar`);
    return `A chave ${nome} foi revogada.`;
  });
}

/** @param make returns the text that reports the change. */
function change(make: () => Promise<string>) {
  return act(byId('chave-aviso'), async () => {
    const text = await make();
    await loadKeys();
    return text;
  });
}

/** New keys, until the operator hides them. */
function showIssued(all: readonly Issued[]) {
  issued = all;
  show(
    'chave-nova',
    all.map(
      (one) => html`
        <div key=${one.chave} class="chave-nova" tabindex="-1">
          <p>Chave de ${one.nome}. Ela aparece só desta vez: copie-a agora (um clique a seleciona).</p>
          <code tabindex="0" aria-label=${`Chave ${one.nome}`}>${one.chave}</code>
          ${button('Já guardei, esconder', () => hide(one))}
        </div>`,
    ),
  );
}

function hide(one: Issued) {
  showIssued(issued.filter((other) => other !== one));
  byId('chave-form').querySelector('input')?.focus();
}

/** The busiest key comes first, revoked keys last. */
function byRate(a: KeyReport, b: KeyReport) {
  const revoked = Number(a.revogada_em !== null) - Number(b.revogada_em !== null);
  return revoked || b.por_s - a.por_s || a.nome.localeCompare(b.nome);
}
