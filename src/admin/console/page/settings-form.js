import { put } from './api.js';
import { confirmed } from './confirm.js';
import { h, say, sayFailure, setText } from './dom.js';
import { formatWhole } from './format.js';

/** The operator's name for each setting, and its unit. */
export const NOMES = {
  threads: ['threads', ''],
  queue_max: ['fila, no máximo', 'pedidos'],
  result_cache_mb: ['cache de resultados, no máximo', 'MB'],
  relevance_ms: ['janela de relevância', 'ms'],
  recency_ms: ['janela de recentes', 'ms'],
  count_ms: ['janela da contagem', 'ms'],
  record_ms: ['janela do registro', 'ms'],
  expensive_at_once: ['buscas caras ao mesmo tempo (0: um núcleo a menos)', ''],
};
/** The one of them that is of the whole service, and those of each base. */
export const SERVICO = 'expensive_at_once';
export const DE_BASE = Object.keys(NOMES).filter((key) => key !== SERVICO);
const ORIGENS = {
  padrao: 'padrão',
  'config.toml': 'config.toml',
  ambiente: 'variável',
  mudado_aqui: 'mudado aqui',
};

/** The settings of one base, or of the service, each with its own field. */
export class SettingsForm {
  element;
  #base;
  #rows = new Map();
  #summary = h('span', { class: 'fraco' });
  #answer;
  /** The change that the answer reports; null when it reports none. */
  #reported = null;
  #onChanged;

  /** @param keys of its settings. */
  constructor(base, keys, onChanged) {
    this.#base = base;
    this.#onChanged = onChanged;
    this.#answer = h('p', { class: 'resposta', role: 'status' });
    const rows = keys.map((key) => this.#row(key));
    this.element = h(
      'details',
      { class: 'ajustes' },
      h('summary', {}, 'Ajustes ', this.#summary),
      h('div', { class: 'lista-de-ajustes' }, ...rows),
      this.#answer,
    );
  }

  open(isOpen) {
    this.element.open = isOpen;
  }

  /** @param settings of this base. @param limits least and greatest of each. */
  show(settings, limits) {
    for (const { chave, min, max } of limits) {
      const row = this.#rows.get(chave);
      if (row === undefined) continue;
      const setting = settings[chave];
      row.input.min = min;
      row.input.max = max;
      row.input.title = `de ${formatWhole(min)} a ${formatWhole(max)}`;
      // A field that is being edited keeps its text.
      if (row.input.value === row.known) row.input.value = String(setting.valor);
      row.known = String(setting.valor);
      setText(row.source, sourceText(setting));
      row.element.classList.toggle('mudado', setting.origem === 'mudado_aqui');
      this.#compare(chave);
    }
    // The reported change is no longer in force: somebody has undone it, here or on another page.
    if (this.#reported !== null && settings[this.#reported.key].valor !== this.#reported.para) this.#say('');
    const { threads, queue_max, expensive_at_once } = settings;
    const summary =
      expensive_at_once === undefined
        ? `${threads.valor} threads, fila ${formatWhole(queue_max.valor)}`
        : `do serviço: buscas caras ao mesmo tempo, ${expensive_at_once.valor}`;
    setText(this.#summary, summary);
  }

  #say(text, reported = null) {
    say(this.#answer, text);
    this.#reported = reported;
  }

  #row(key) {
    const [name, unit] = NOMES[key];
    const id = `${this.#base}-${key}`;
    const input = h('input', {
      id,
      type: 'number',
      step: 1,
      required: true,
      'aria-describedby': `${id}-origem`,
      oninput: () => this.#compare(key),
    });
    const button = h(
      'button',
      { type: 'submit', disabled: true, 'aria-label': `Aplicar ${name} de ${this.#base}` },
      'Aplicar',
    );
    const source = h('span', { class: 'origem', id: `${id}-origem` });
    const element = h(
      'form',
      {
        class: 'ajuste',
        onsubmit: (event) => {
          event.preventDefault();
          void this.#apply(key);
        },
      },
      h('label', { for: id }, name),
      input,
      h('span', { class: 'unidade' }, unit),
      button,
      source,
    );
    this.#rows.set(key, { element, input, button, source, known: '' });
    return element;
  }

  #compare(key) {
    const { input, button, known } = this.#rows.get(key);
    // Text that is no number has an empty value too, and is reported at submission.
    button.disabled = input.value === known;
  }

  /** Asks the operator where the service wants a confirmation. @returns the change; null when the operator says no. */
  async #put(key, valor) {
    const path = `ajustes/${this.#base}/${key}`;
    try {
      return await put(path, { valor });
    } catch (error) {
      if (error.risk === null || error.risk === undefined) throw error;
      const [name, unit] = NOMES[key];
      const wanted = `${name} de ${this.#base} em ${formatWhole(valor)}${unit === '' ? '' : ` ${unit}`}`;
      this.#say('À espera da sua confirmação…');
      if (!(await confirmed(`${error.risk} Pôr ${wanted} mesmo assim?`, 'Mudar'))) return null;
      this.#say(key === 'threads' ? 'Iniciando as threads, uma depois da outra…' : 'Aplicando…');
      return await put(path, { valor, confirmado: true });
    }
  }

  async #apply(key) {
    const row = this.#rows.get(key);
    if (row.input.value === row.known || row.button.dataset.ocupado === 'sim') return;
    const [name] = NOMES[key];
    row.button.dataset.ocupado = 'sim';
    this.#say(key === 'threads' ? 'Iniciando as threads, uma depois da outra…' : 'Aplicando…');
    try {
      const change = await this.#put(key, Number(row.input.value));
      if (change === null) {
        this.#say('Nada mudou.');
        return;
      }
      const { de, para } = change;
      row.known = String(para);
      this.#say(`${name}: de ${formatWhole(de)} para ${formatWhole(para)}, em vigor.`, { key, para });
      this.#onChanged();
    } catch (error) {
      sayFailure(this.#answer, error);
    } finally {
      delete row.button.dataset.ocupado;
      this.#compare(key);
    }
  }
}

function sourceText({ origem, nome, valor, ao_reiniciar, variavel }) {
  const isChanged = origem === 'mudado_aqui';
  if (isChanged && ao_reiniciar === null) return 'mudado aqui; config.toml não pode ser lido';
  const known = isChanged
    ? 'mudado aqui'
    : origem === 'padrao'
      ? ORIGENS.padrao
      : `${ORIGENS[origem]}: ${nome}`;
  if (ao_reiniciar === null || ao_reiniciar === valor) return known;
  // Without a change here, the file was edited since the start.
  const verb = isChanged ? 'volta' : 'passa';
  const why = variavel === null ? '' : ` (${variavel})`;
  return `${known}; ao reiniciar ${verb} a ${formatWhole(ao_reiniciar)}${why}`;
}
