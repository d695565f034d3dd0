import { get, post } from './api.js';
import { confirmed } from './confirm.js';
import { byId, h, say, sayFailure } from './dom.js';
import { formatElapsed, formatMoment, formatNumber, formatPercent, formatWhole } from './format.js';
import { cell, headOf } from './table.js';

const COLUMNS = [
  ['nome'],
  ['agora, por s', 'numero'],
  ['recusadas, por s', 'numero'],
  ['espera média, ms', 'numero'],
  ['restam hoje', 'numero'],
  ['da cota', 'numero'],
  ['usada', 'uso'],
  ['emitida'],
  [''],
];

/** Lists keys with what each asks for now, issues one, revokes one. */
export class Keys {
  #onLoad;

  /** @param onLoad called with the keys whenever they were loaded. */
  constructor(onLoad) {
    this.#onLoad = onLoad;
    const form = byId('chave-form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#issue(form);
    });
  }

  async load() {
    const { chaves, danificadas } = await get('chaves');
    this.#onLoad(chaves);
    const none = h(
      'tr',
      {},
      h('td', { colSpan: COLUMNS.length, class: 'texto' }, 'Nenhuma chave foi emitida.'),
    );
    const rows = chaves.toSorted(byRate).map((key) => this.#row(key));
    byId('chaves-nota').textContent =
      chaves.length === 0
        ? ''
        : `A cota começa de novo em ${formatElapsed(chaves[0].renova_em_s)}, à meia-noite UTC.`;
    // A button that has the focus keeps it: the table is rebuilt every few seconds.
    const focused = document.activeElement?.closest('#chaves-tabela')
      ? document.activeElement.ariaLabel
      : null;
    byId('chaves-tabela').replaceChildren(
      headOf(COLUMNS),
      h('tbody', {}, ...(rows.length === 0 ? [none] : rows)),
    );
    if (focused !== null)
      byId('chaves-tabela')
        .querySelector(`[aria-label="${CSS.escape(focused)}"]`)
        ?.focus();
    if (danificadas.length > 0) {
      say(
        byId('chave-aviso'),
        `Arquivos de chave danificados, que não dão acesso: ${danificadas.join(', ')}. Emita de novo as chaves deles.`,
        true,
      );
    }
  }

  #row({
    nome,
    emitida_em,
    revogada_em,
    cota,
    cota_propria,
    usadas_hoje,
    restam,
    por_s,
    recusas_por_s,
    espera_ms,
  }) {
    const isRevoked = revogada_em !== null;
    const button = h(
      'button',
      {
        type: 'button',
        class: 'discreto perigo',
        'aria-label': `Revogar a chave ${nome}`,
        onclick: () => void this.#revoke(nome),
      },
      'Revogar',
    );
    return h(
      'tr',
      { class: isRevoked ? 'revogada' : '' },
      h('th', { scope: 'row', class: 'nome' }, nome),
      cell('agora, por s', 'numero', formatNumber(por_s)),
      cell('recusadas, por s', recusas_por_s > 0 ? 'numero erro' : 'numero', formatNumber(recusas_por_s)),
      cell('espera média, ms', 'numero', formatNumber(espera_ms)),
      cell('restam hoje', restam === 0 ? 'numero erro' : 'numero', formatWhole(restam)),
      cell(
        'da cota',
        'numero',
        formatWhole(cota),
        h('span', { class: 'fraco' }, cota_propria ? ' própria' : ' do serviço'),
      ),
      cell('usada', 'uso', useOf(usadas_hoje / cota, nome)),
      cell('emitida', '', formatMoment(emitida_em)),
      h('td', { class: 'acao' }, isRevoked ? `revogada em ${formatMoment(revogada_em)}` : button),
    );
  }

  async #issue(form) {
    const place = byId('chave-aviso');
    const data = new FormData(form);
    const quota = data.get('cota');
    try {
      const { nome, chave } = await post('chaves', {
        nome: data.get('nome'),
        cota: quota === '' ? null : Number(quota),
      });
      form.reset();
      say(place, '');
      showKey(nome, chave);
      await this.load();
    } catch (error) {
      sayFailure(place, error);
    }
  }

  async #revoke(nome) {
    const place = byId('chave-aviso');
    if (
      !(await confirmed(
        `Revogar a chave ${nome}? Quem a usa passa a receber 401 em até um segundo. Não há volta: seria preciso emitir outra.`,
        'Revogar',
      ))
    )
      return;
    try {
      await post(`chaves/${encodeURIComponent(nome)}/revogar`);
      say(place, `A chave ${nome} foi revogada.`);
      await this.load();
    } catch (error) {
      sayFailure(place, error);
    }
  }
}

/** Who asks most comes first, and revoked keys last. */
function byRate(a, b) {
  const revoked = Number(a.revogada_em !== null) - Number(b.revogada_em !== null);
  return revoked || b.por_s - a.por_s || a.nome.localeCompare(b.nome);
}

function useOf(share, nome) {
  const meter = h('meter', {
    min: 0,
    max: 1,
    high: 0.9,
    value: share,
    'aria-label': `Cota usada de ${nome}`,
  });
  return [meter, ` ${formatPercent(share)}`];
}

/** Shows a key until the operator hides it; it is stored nowhere else. A newer key stands above it. */
function showKey(nome, chave) {
  const copied = h('span', { role: 'status' });
  const text = h('code', { tabIndex: 0, 'aria-label': `Chave ${nome}` }, chave);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(chave);
      copied.textContent = 'Copiada.';
    } catch {
      // Browsers allow the clipboard only on this machine or under https.
      getSelection().selectAllChildren(text);
      copied.textContent = 'O navegador não deixa copiar; a chave está selecionada: use Ctrl+C.';
    }
  };
  const hide = () => {
    place.remove();
    byId('chave-form').elements.nome.focus();
  };
  const place = h(
    'div',
    { class: 'chave-nova', tabIndex: -1 },
    h('p', {}, `Chave de ${nome}. Ela aparece só desta vez: copie-a agora.`),
    text,
    h(
      'div',
      { class: 'botoes' },
      h('button', { type: 'button', onclick: () => void copy() }, 'Copiar'),
      h('button', { type: 'button', class: 'discreto', onclick: hide }, 'Já guardei, esconder'),
      copied,
    ),
  );
  byId('chave-nova').prepend(place);
  place.focus();
}
