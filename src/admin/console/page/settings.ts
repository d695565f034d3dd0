import type { Base } from '../../../contract/vocabulary.ts';
import type { SettingsReport } from '../settings-routes.ts';
import type { LiveKey, Place } from '../../../config/settings.ts';
import type { Change, SettingReport, SettingToWrite } from '../tuning.ts';
import { get, post, put } from './api.ts';
import { confirmed } from './confirm.ts';
import { formatCount, formatExactly, formatWhole } from './format.ts';
import { act, button, byId, html, reference, say, setText, show } from './html.ts';
import { Component } from './preact.js';
import { page } from './state.ts';
import { table, type Column } from './table.ts';

/** The answer of `POST /console/api/gravar`. */
interface Written {
  readonly arquivo: string;
  readonly gravados: readonly SettingToWrite[];
}

/** The operator's name for each setting, and its unit. */
const NAMES: Readonly<Record<LiveKey, readonly [name: string, unit: string]>> = {
  threads: ['threads', ''],
  queue_max: ['fila, no máximo', 'pedidos'],
  relevance_ms: ['janela de relevância', 'ms'],
  recency_ms: ['janela de recentes', 'ms'],
  count_ms: ['janela da contagem', 'ms'],
  record_ms: ['janela do registro', 'ms'],
  expensive_at_once: ['buscas caras ao mesmo tempo (0: um núcleo a menos)', ''],
  result_cache_mb: ['cache de respostas, no máximo', 'MB'],
};
const SOURCES = { live: 'live.toml', file: 'config.toml', environment: 'variável' };

const CHANGES: readonly Column<Change>[] = [
  ['nº', 'ordem', ({ numero }) => formatWhole(numero)],
  ['quando', '', ({ em }) => formatExactly(em)],
  ['base', '', ({ base }) => base],
  ['ajuste', 'texto', ({ chave }) => NAMES[chave][0]],
  ['de', 'numero', ({ de }) => formatWhole(de)],
  ['para', 'numero', ({ para }) => formatWhole(para)],
  ['', 'acao', backButton],
];
let version = '';

export function startSettings() {
  byId('gravar').addEventListener('click', () => void write());
}

/** A base's changes as marks on the charts. */
export function marksOf(base: Base) {
  const own = (page.settings?.historico ?? []).filter((one) => one.base === base);
  return own.toReversed().map(({ em, chave, de, para }) => ({
    em: Date.parse(em) / 1_000,
    text: `${NAMES[chave][0]} ${formatWhole(de)}→${formatWhole(para)}`,
  }));
}

export async function followSettings(latest: string) {
  if (latest === version) return;
  await loadSettings();
  version = latest;
}

export async function loadSettings() {
  page.settings = await get('ajustes');
  const { historico } = page.settings;
  const count = unwritten().length;
  byId('gravar', HTMLButtonElement).disabled = count === 0;
  setText(byId('gravar-estado'), unsaved(count, historico.length));
  show('ajustes-do-servico', html`<${SettingsForm} base="servico" />`);
  show('historico', historico.length > 0 && table(CHANGES, historico, { keyOf: ({ numero }) => numero }));
  page.draw();
}

/** The settings that were changed here and are in no file, as the lines that ask whether to write each. */
function unwritten() {
  return Object.values(page.settings?.ajustes ?? {})
    .flatMap((settings) => Object.values(settings))
    .filter(({ origem }) => origem === 'mudado_aqui')
    .map(differenceText);
}

function differenceText({ base, chave, valor, ao_reiniciar, variavel }: SettingReport) {
  const name = base === 'servico' ? chave : `bases.${base}.${chave}`;
  const overridden =
    variavel === null
      ? ''
      : `. Atenção: a variável ${variavel} vale mais que o arquivo, enquanto estiver definida`;
  return `${name}: de ${formatWhole(ao_reiniciar)} para ${formatWhole(valor)}${overridden}`;
}

function backButton({ base, chave, de }: Change) {
  if (page.settings?.ajustes[base][chave]?.valor === de) return '';
  const back = `Voltar a ${formatWhole(de)}`;
  const place = byId('mudancas-aviso');
  return button(back, () => act(place, () => change(base, chave, de)), {
    'aria-label': `${back}: ${NAMES[chave][0]} de ${base}`,
  });
}

/** Changes a setting, after a confirmation if it harms users. @returns what happened. */
async function change(base: Place, chave: LiveKey, valor: number) {
  const [name, unit] = NAMES[chave];
  const wanted = `${name} de ${base} em ${formatWhole(valor)}${unit === '' ? '' : ` ${unit}`}`;
  const changed = await put<Change>(`ajustes/${base}/${chave}`, { valor }, (risk) =>
    confirmed(`${risk} Pôr ${wanted} mesmo assim?`, 'Mudar'),
  );
  if (changed === null) return 'Nada mudou.';
  await loadSettings();
  return `${name} de ${base}: de ${formatWhole(changed.de)} para ${formatWhole(changed.para)}.`;
}

function write() {
  const place = byId('mudancas-aviso');
  return act(place, async () => {
    const question = 'Gravar em live.toml, para valer também depois de reiniciar?';
    if (!(await confirmed(question, 'Gravar', { lines: unwritten(), isDanger: false })))
      return 'Nada foi gravado.';
    say(place, 'Gravando…');
    const { arquivo, gravados } = await post<Written>('gravar');
    await loadSettings();
    return `${formatCount(gravados.length, 'ajuste gravado', 'ajustes gravados')} em ${arquivo}.`;
  });
}

function unsaved(count: number, changes: number) {
  if (count > 0) return `${formatCount(count, 'ajuste', 'ajustes')} que um reinício perderia`;
  return changes === 0 ? 'Nenhuma mudança desde que o serviço iniciou.' : 'Tudo como um reinício o deixaria.';
}

interface FormProps {
  readonly base: Place;
}

/** The text in fields being edited, which new data must not replace. */
interface FormState {
  readonly edited: Partial<Record<LiveKey, string>>;
}

/** A field for each setting of a base or the service. */
export class SettingsForm extends Component<FormProps, FormState> {
  state: FormState = { edited: {} };
  #answer = reference();
  #busy = new Set<LiveKey>();

  get #own() {
    return page.settings?.ajustes[this.props.base];
  }

  render() {
    const own = this.#own;
    return html`
      <details class="ajustes">
        <summary>Ajustes <span class="fraco">${own && summaryOf(own)}</span></summary>
        <div class="lista-de-ajustes">
          ${own && Object.values(own).map((setting) => this.#row(setting))}
        </div>
        <p class="resposta" role="status" ref=${this.#answer}></p>
      </details>`;
  }

  #row(setting: SettingReport) {
    const { chave, min, max } = setting;
    const [name, unit] = NAMES[chave];
    const id = `${this.props.base}-${chave}`;
    const edited = this.state.edited[chave];
    return html`
      <form key=${chave} class=${setting.origem === 'mudado_aqui' ? 'ajuste mudado' : 'ajuste'}
        onsubmit=${(event: Event) => this.#submit(event, chave)}>
        <label for=${id}>${name}</label>
        <input id=${id} type="number" step="1" required min=${min} max=${max}
          title=${`de ${formatWhole(min)} a ${formatWhole(max)}`} aria-describedby=${`${id}-origem`}
          value=${edited ?? setting.valor}
          oninput=${({ target }: { target: HTMLInputElement }) => this.#edit(chave, target.value)} />
        <span class="unidade">${unit}</span>
        <button type="submit" disabled=${edited === undefined} aria-label=${`Aplicar ${name} de ${this.props.base}`}>
          Aplicar
        </button>
        <span class="origem" id=${`${id}-origem`}>${sourceText(setting)}</span>
      </form>`;
  }

  /** @param text of a field; also empty if it is not a number, which is reported at submission. */
  #edit(key: LiveKey, text: string) {
    const { [key]: _, ...edited } = this.state.edited;
    const isKnown = text === String(this.#own?.[key]?.valor);
    this.setState({ edited: isKnown ? edited : { ...edited, [key]: text } });
  }

  #submit(event: Event, key: LiveKey) {
    event.preventDefault();
    const text = this.state.edited[key];
    if (text !== undefined && !this.#busy.has(key)) void this.#apply(key, text);
  }

  async #apply(key: LiveKey, text: string) {
    const place = this.#answer.current;
    this.#busy.add(key);
    say(place, key === 'threads' ? 'Iniciando as threads, uma depois da outra…' : 'Aplicando…');
    await act(place, () => change(this.props.base, key, Number(text)));
    this.#edit(key, text);
    this.#busy.delete(key);
  }
}

function summaryOf({ threads, queue_max, result_cache_mb }: SettingsReport['ajustes'][Place]) {
  return result_cache_mb
    ? `do serviço: cache, ${formatWhole(result_cache_mb.valor)} MB`
    : `${threads?.valor} threads, fila ${formatWhole(queue_max?.valor)}`;
}

function sourceText({ origem, nome, valor, ao_reiniciar, variavel }: SettingReport) {
  const isChanged = origem === 'mudado_aqui';
  if (isChanged && ao_reiniciar === null) return 'mudado aqui; os arquivos de ajustes não podem ser lidos';
  const known = isChanged ? 'mudado aqui' : origem === 'default' ? 'padrão' : `${SOURCES[origem]}: ${nome}`;
  if (ao_reiniciar === null || ao_reiniciar === valor) return known;
  // If nothing was changed here, the file was edited since the start.
  const verb = isChanged ? 'volta' : 'passa';
  const why = variavel === null ? '' : ` (${variavel})`;
  return `${known}; ao reiniciar ${verb} a ${formatWhole(ao_reiniciar)}${why}`;
}
