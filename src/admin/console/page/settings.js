import { get, post } from './api.js';
import { confirmed } from './confirm.js';
import { formatWhole } from './format.js';
import { byId, html, say, sayFailure, setText, show } from './html.js';
import { NOMES, SettingsForm } from './settings-form.js';
import { table } from './table.js';

/** @import { Base, Change, Column, Mark, SettingsReport, Unwritten, Written } from './types.d.ts' */

const time = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The settings of all bases and the changes made to them. */
export class Settings {
  /** As the service sent them; null before. @type {SettingsReport | null} */
  report = null;
  #isStale = true;
  #onLoad;
  /** @type {readonly Column<Change>[]} */
  #columns = [
    ['nº', 'ordem', ({ numero }) => formatWhole(numero)],
    ['quando', '', ({ em }) => time.format(new Date(em))],
    ['base', '', ({ base }) => base],
    ['ajuste', 'texto', ({ chave }) => NOMES[chave][0]],
    ['de', 'numero', ({ de }) => formatWhole(de)],
    ['para', 'numero', ({ para }) => formatWhole(para)],
    ['', 'texto', ({ desfaz }) => (desfaz === null ? '' : `desfaz a nº ${desfaz}`)],
    ['', 'acao', (one) => (one.desfeita ? 'desfeita' : this.#undoButton(one))],
  ];

  /** @param {() => void} onLoad called when there are new settings. */
  constructor(onLoad) {
    this.#onLoad = onLoad;
    byId('desfazer').addEventListener('click', () => {
      const last = this.report?.historico.find(canBeUndone);
      if (last !== undefined) void this.#undo(last);
    });
    byId('gravar').addEventListener('click', () => void this.#write());
  }

  /** Changes of a base as marks on its charts. @param {Base} base @returns {Mark[]} */
  marksOf(base) {
    const own = (this.report?.historico ?? []).filter((one) => one.base === base);
    return own.toReversed().map(({ em, chave, de, para }) => ({
      em: Date.parse(em) / 1_000,
      texto: `${NOMES[chave][0]} ${formatWhole(de)}→${formatWhole(para)}`,
    }));
  }

  /** Loads the settings if their version is new. @param {number} version */
  async follow(version) {
    if (this.#isStale || version !== this.report?.versao) await this.load();
  }

  /** After a restart of the service the same version may mean other settings. */
  forget() {
    this.#isStale = true;
  }

  async load() {
    const report = await get('ajustes');
    const { ajustes, historico } = report;
    this.report = report;
    this.#isStale = false;
    const unwritten = Object.values(ajustes).flatMap((one) =>
      Object.values(one).filter(({ origem }) => origem === 'mudado_aqui'),
    ).length;
    byId('gravar', HTMLButtonElement).disabled = unwritten === 0;
    byId('desfazer', HTMLButtonElement).disabled = !historico.some(canBeUndone);
    setText(byId('gravar-estado'), unsaved(unwritten, historico.length));
    const changes = table(this.#columns, historico, {
      keyOf: ({ numero }) => numero,
      classOf: ({ desfeita }) => (desfeita ? 'desfeita' : ''),
    });
    show('historico', historico.length > 0 && changes);
    const load = () => this.load();
    show(
      'ajustes-do-servico',
      html`<${SettingsForm} base="servico" isLarge=${false} settings=${report} onChanged=${load} />`,
    );
    this.#onLoad();
  }

  /** @param {Change} one */
  #undoButton(one) {
    const back = `Voltar a ${formatWhole(one.de)}`;
    return html`
      <button type="button" class="discreto" aria-label=${`${back}: ${NOMES[one.chave][0]} de ${one.base}`}
        onclick=${() => void this.#undo(one)}>${back}</button>`;
  }

  /** @param {Change} change */
  async #undo({ numero, base, chave, de }) {
    const place = byId('mudancas-aviso');
    say(place, 'Desfazendo…');
    try {
      await post(`historico/${numero}/desfazer`);
      await this.load();
      say(place, `${base}, ${NOMES[chave][0]}: de volta a ${formatWhole(de)}.`);
    } catch (error) {
      sayFailure(place, error);
    }
  }

  async #write() {
    const place = byId('mudancas-aviso');
    try {
      const preview = await get('gravar');
      const question = `Gravar em ${preview.arquivo}, para valer também depois de reiniciar?`;
      const lines = preview.a_gravar.map(differenceText);
      if (!(await confirmed(question, 'Gravar', { lines, isDanger: false }))) {
        say(place, 'Nada foi gravado.');
        return;
      }
      say(place, 'Gravando…');
      /** @type {Written} */
      const { arquivo, gravados, sobrepostos } = await post('gravar');
      await this.load();
      const written = gravados.length === 1 ? '1 ajuste gravado' : `${gravados.length} ajustes gravados`;
      say(place, `${written} em ${arquivo}.`);
      for (const { base, chave, variavel, ao_reiniciar } of sobrepostos) {
        const warning = document.createElement('span');
        warning.className = 'ressalva';
        warning.textContent = ` Atenção: a variável ${variavel} vale mais que o arquivo; ao reiniciar, ${NOMES[chave][0]} de ${base} volta a ${formatWhole(ao_reiniciar)} enquanto ela estiver definida.`;
        place.append(warning);
      }
    } catch (error) {
      sayFailure(place, error);
    }
  }
}

/** @param {Change} change */
function canBeUndone({ desfeita, desfaz }) {
  return !desfeita && desfaz === null;
}

/** @param {Unwritten} setting */
function differenceText({ base, chave, valor, ao_reiniciar }) {
  const place = base === 'servico' ? '' : `bases.${base}.`;
  return `${place}${chave}: de ${formatWhole(ao_reiniciar)} para ${formatWhole(valor)} (${NOMES[chave][0]})`;
}

/** @param {number} count @param {number} changes */
function unsaved(count, changes) {
  if (count > 0)
    return count === 1 ? '1 ajuste que um reinício perderia' : `${count} ajustes que um reinício perderia`;
  return changes === 0 ? 'Nenhuma mudança desde que o serviço iniciou.' : 'Tudo como um reinício o deixaria.';
}
