import type { Base } from '../../../contract/vocabulary.ts';
import type { SettingsReport } from '../settings-routes.ts';
import type { Change, LiveKey, Place, SettingReport, Unwritten } from '../tuning.ts';
import { get, post, put } from './api.ts';
import { confirmed } from './confirm.ts';
import { formatExactly, formatWhole } from './format.ts';
import { act, button, byId, html, reference, say, sayFailure, setText, show } from './html.ts';
import { Component } from './preact.js';
import { page } from './state.ts';
import { table, type Column } from './table.ts';

/** The answer of `POST /console/api/gravar`. */
interface Written {
  readonly arquivo: string;
  readonly gravados: readonly object[];
  readonly sobrepostos: readonly (Omit<Unwritten, 'ao_reiniciar'> & {
    readonly variavel: string;
    readonly ao_reiniciar: number | null;
  })[];
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
const SOURCES = { 'live.toml': 'live.toml', 'config.toml': 'config.toml', ambiente: 'variável' };

const CHANGES: readonly Column<Change>[] = [
  ['nº', 'ordem', ({ numero }) => formatWhole(numero)],
  ['quando', '', ({ em }) => formatExactly(em)],
  ['base', '', ({ base }) => base],
  ['ajuste', 'texto', ({ chave }) => NAMES[chave][0]],
  ['de', 'numero', ({ de }) => formatWhole(de)],
  ['para', 'numero', ({ para }) => formatWhole(para)],
  ['', 'texto', ({ desfaz }) => (desfaz === null ? '' : `desfaz a nº ${desfaz}`)],
  ['', 'acao', (one) => (one.desfeita ? 'desfeita' : undoButton(one))],
];
let version = '';

export function startSettings() {
  byId('desfazer').addEventListener('click', () => {
    const last = page.settings?.historico.find(canBeUndone);
    if (last !== undefined) void undo(last);
  });
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
  const report = await get('ajustes');
  const { ajustes, historico } = report;
  page.settings = report;
  const unwritten = Object.values(ajustes).flatMap((one) =>
    Object.values(one).filter(({ origem }) => origem === 'mudado_aqui'),
  ).length;
  byId('gravar', HTMLButtonElement).disabled = unwritten === 0;
  byId('desfazer', HTMLButtonElement).disabled = !historico.some(canBeUndone);
  setText(byId('gravar-estado'), unsaved(unwritten, historico.length));
  const changes = table(CHANGES, historico, {
    keyOf: ({ numero }) => numero,
    classOf: ({ desfeita }) => (desfeita ? 'desfeita' : ''),
  });
  show('historico', historico.length > 0 && changes);
  show('ajustes-do-servico', html`<${SettingsForm} base="servico" isLarge=${false} />`);
  page.draw();
}

function undoButton(one: Change) {
  const back = `Voltar a ${formatWhole(one.de)}`;
  return button(back, () => undo(one), { 'aria-label': `${back}: ${NAMES[one.chave][0]} de ${one.base}` });
}

function undo({ numero, base, chave, de }: Change) {
  const place = byId('mudancas-aviso');
  say(place, 'Desfazendo…');
  return act(place, async () => {
    await post(`historico/${numero}/desfazer`);
    await loadSettings();
    return `${base}, ${NAMES[chave][0]}: de volta a ${formatWhole(de)}.`;
  });
}

async function write() {
  const place = byId('mudancas-aviso');
  let overridden: Written['sobrepostos'] = [];
  await act(place, async () => {
    const preview = await get('gravar');
    const question = `Gravar em ${preview.arquivo}, para valer também depois de reiniciar?`;
    const lines = preview.a_gravar.map(differenceText);
    if (!(await confirmed(question, 'Gravar', { lines, isDanger: false }))) return 'Nada foi gravado.';
    say(place, 'Gravando…');
    const { arquivo, gravados, sobrepostos } = await post<Written>('gravar');
    await loadSettings();
    overridden = sobrepostos;
    const written = gravados.length === 1 ? '1 ajuste gravado' : `${gravados.length} ajustes gravados`;
    return `${written} em ${arquivo}.`;
  });
  for (const { base, chave, variavel, ao_reiniciar } of overridden) {
    const warning = document.createElement('span');
    warning.className = 'ressalva';
    warning.textContent = ` Atenção: a variável ${variavel} vale mais que o arquivo; ao reiniciar, ${NAMES[chave][0]} de ${base} volta a ${formatWhole(ao_reiniciar)} enquanto ela estiver definida.`;
    place.append(warning);
  }
}

function canBeUndone({ desfeita, desfaz }: Change) {
  return !desfeita && desfaz === null;
}

function differenceText({ base, chave, valor, ao_reiniciar }: Unwritten) {
  const place = base === 'servico' ? '' : `bases.${base}.`;
  return `${place}${chave}: de ${formatWhole(ao_reiniciar)} para ${formatWhole(valor)} (${NAMES[chave][0]})`;
}

function unsaved(count: number, changes: number) {
  if (count > 0)
    return count === 1 ? '1 ajuste que um reinício perderia' : `${count} ajustes que um reinício perderia`;
  return changes === 0 ? 'Nenhuma mudança desde que o serviço iniciou.' : 'Tudo como um reinício o deixaria.';
}

interface FormProps {
  readonly base: Place;
  readonly isLarge: boolean;
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
  /** The change in the answer; null if none. */
  #reported: Pick<Change, 'chave' | 'para'> | null = null;

  get #own() {
    return page.settings?.ajustes[this.props.base];
  }

  componentDidUpdate() {
    // The reported change was undone, here or on another page.
    const reported = this.#reported;
    if (reported !== null && this.#own?.[reported.chave]?.valor !== reported.para) this.#say('');
  }

  render() {
    const own = this.#own;
    return html`
      <details class="ajustes" open=${this.props.isLarge}>
        <summary>Ajustes <span class="fraco">${own && summaryOf(own)}</span></summary>
        <div class="lista-de-ajustes">
          ${own && page.settings?.limites.map((limit) => this.#row(limit, own[limit.chave]))}
        </div>
        <p class="resposta" role="status" ref=${this.#answer}></p>
      </details>`;
  }

  #row({ chave, min, max }: SettingsReport['limites'][number], setting: SettingReport | undefined) {
    // `limites` lists all settings, also those that this place lacks.
    if (setting === undefined) return null;
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
    if (text !== undefined && !this.#busy.has(key)) void this.#apply(key, Number(text));
  }

  #say(text: string, reported: Pick<Change, 'chave' | 'para'> | null = null) {
    say(this.#answer.current, text);
    this.#reported = reported;
  }

  async #apply(key: LiveKey, valor: number) {
    const { base } = this.props;
    const [name, unit] = NAMES[key];
    const working = key === 'threads' ? 'Iniciando as threads, uma depois da outra…' : 'Aplicando…';
    const wanted = `${name} de ${base} em ${formatWhole(valor)}${unit === '' ? '' : ` ${unit}`}`;
    this.#busy.add(key);
    this.#say(working);
    try {
      const change = await put<Change>(`ajustes/${base}/${key}`, { valor }, async (risk) => {
        this.#say('À espera da sua confirmação…');
        const isWanted = await confirmed(`${risk} Pôr ${wanted} mesmo assim?`, 'Mudar');
        if (isWanted) this.#say(working);
        return isWanted;
      });
      if (change === null) {
        this.#say('Nada mudou.');
        return;
      }
      const { de, para } = change;
      await loadSettings();
      this.#edit(key, String(para));
      this.#say(`${name}: de ${formatWhole(de)} para ${formatWhole(para)}, em vigor.`, { chave: key, para });
    } catch (error) {
      sayFailure(this.#answer.current, error);
    } finally {
      this.#busy.delete(key);
    }
  }
}

function summaryOf({
  threads,
  queue_max,
  expensive_at_once,
  result_cache_mb,
}: Readonly<Record<string, SettingReport>>) {
  return expensive_at_once
    ? `do serviço: buscas caras ao mesmo tempo, ${expensive_at_once.valor}; cache, ${formatWhole(result_cache_mb?.valor)} MB`
    : `${threads?.valor} threads, fila ${formatWhole(queue_max?.valor)}`;
}

function sourceText({ origem, nome, valor, ao_reiniciar, variavel }: SettingReport) {
  const isChanged = origem === 'mudado_aqui';
  if (isChanged && ao_reiniciar === null) return 'mudado aqui; os arquivos de ajustes não podem ser lidos';
  const known = isChanged ? 'mudado aqui' : origem === 'padrao' ? 'padrão' : `${SOURCES[origem]}: ${nome}`;
  if (ao_reiniciar === null || ao_reiniciar === valor) return known;
  // If nothing was changed here, the file was edited since the start.
  const verb = isChanged ? 'volta' : 'passa';
  const why = variavel === null ? '' : ` (${variavel})`;
  return `${known}; ao reiniciar ${verb} a ${formatWhole(ao_reiniciar)}${why}`;
}
