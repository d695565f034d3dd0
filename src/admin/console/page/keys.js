import { get, post } from './api.js';
import { confirmed } from './confirm.js';
import { byId, h, say, sayFailure } from './dom.js';
import { inteiro, momento, porcento } from './format.js';

/** Lists keys, issues one, revokes one. */
export class Keys {
  constructor() {
    const form = byId('chave-form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#issue(form);
    });
  }

  async load() {
    const { chaves, danificadas } = await get('chaves');
    const rows = chaves.map((key) => this.#row(key));
    const head = [
      ['nome', ''],
      ['emitida', ''],
      ['usadas hoje', 'numero'],
      ['cota por dia', 'numero'],
      ['', 'numero'],
      ['', ''],
    ].map(([name, className]) =>
      h(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col', class: className }, name),
    );
    const none = h('tr', {}, h('td', { colSpan: 6, class: 'texto' }, 'Nenhuma chave foi emitida.'));
    byId('chaves-tabela').replaceChildren(
      h('thead', {}, h('tr', {}, ...head)),
      h('tbody', {}, ...(rows.length === 0 ? [none] : rows)),
    );
    if (danificadas.length > 0) {
      say(
        byId('chave-aviso'),
        `Arquivos de chave danificados, que não dão acesso: ${danificadas.join(', ')}. Emita de novo as chaves deles.`,
        true,
      );
    }
  }

  #row({ nome, emitida_em, revogada_em, cota, cota_propria, usadas_hoje }) {
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
      h('td', {}, momento(emitida_em)),
      h('td', { class: 'numero' }, inteiro(usadas_hoje)),
      h(
        'td',
        { class: 'numero' },
        inteiro(cota),
        cota_propria ? '' : h('span', { class: 'fraco' }, ' do serviço'),
      ),
      h('td', { class: 'numero' }, porcento(usadas_hoje / cota)),
      h('td', {}, isRevoked ? `revogada em ${momento(revogada_em)}` : button),
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
