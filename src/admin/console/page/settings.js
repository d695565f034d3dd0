import { get, post } from './api.js';
import { confirmed } from './confirm.js';
import { byId, h, say, sayFailure, setText } from './dom.js';
import { formatWhole } from './format.js';
import { NOMES, SERVICO, SettingsForm } from './settings-form.js';
import { cell, headOf } from './table.js';

const time = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const COLUMNS = [
  ['nº', 'numero'],
  ['quando'],
  ['base'],
  ['ajuste'],
  ['de', 'numero'],
  ['para', 'numero'],
  [''],
  [''],
];

/** The settings of all bases and the changes made to them. */
export class Settings {
  #panels;
  #version = null;
  #history = [];
  #service = new SettingsForm('servico', [SERVICO], () => void this.load());

  /** @param panels of the bases, by name. */
  constructor(panels) {
    this.#panels = panels;
    byId('mudancas-aviso').before(this.#service.element);
    byId('desfazer').addEventListener('click', () => {
      const last = this.#history.find(({ desfeita, desfaz }) => !desfeita && desfaz === null);
      if (last !== undefined) void this.#undo(last);
    });
    byId('gravar').addEventListener('click', () => void this.#write());
  }

  /** Changes of a base as marks on its charts. */
  marksOf(base) {
    return this.#history
      .filter((one) => one.base === base)
      .map(({ em, chave, de, para }) => ({
        em: Date.parse(em) / 1_000,
        texto: `${NOMES[chave][0]} ${formatWhole(de)}→${formatWhole(para)}`,
      }))
      .toReversed();
  }

  /** Loads the settings if their version is new. */
  async follow(version) {
    if (version !== this.#version) await this.load();
  }

  async load() {
    const { versao, ajustes, historico, limites } = await get('ajustes');
    this.#version = versao;
    this.#history = historico;
    for (const [base, panel] of this.#panels) panel.settings.show(ajustes[base], limites);
    this.#service.show(ajustes.servico, limites);
    this.#drawHistory();
    const unwritten = Object.values(ajustes).flatMap((one) =>
      Object.values(one).filter(({ origem }) => origem === 'mudado_aqui'),
    );
    byId('gravar').disabled = unwritten.length === 0;
    byId('desfazer').disabled = !historico.some(({ desfeita, desfaz }) => !desfeita && desfaz === null);
    setText(byId('gravar-estado'), unsaved(unwritten.length, historico.length));
  }

  /** After a restart of the service the same version may mean other settings. */
  forget() {
    this.#version = null;
  }

  #drawHistory() {
    const rows = this.#history.map((one) =>
      h(
        'tr',
        { class: one.desfeita ? 'desfeita' : '' },
        cell('nº', 'ordem', formatWhole(one.numero)),
        cell('quando', '', time.format(new Date(one.em))),
        h('th', { scope: 'row' }, one.base),
        cell('ajuste', 'texto', NOMES[one.chave][0]),
        cell('de', 'numero', formatWhole(one.de)),
        cell('para', 'numero', formatWhole(one.para)),
        cell('', 'texto', one.desfaz === null ? '' : `desfaz a nº ${one.desfaz}`),
        h('td', { class: 'acao' }, one.desfeita ? 'desfeita' : this.#undoButton(one)),
      ),
    );
    byId('historico').replaceChildren(
      ...(rows.length === 0 ? [] : [headOf(COLUMNS), h('tbody', {}, ...rows)]),
    );
  }

  #undoButton(one) {
    const name = `Voltar a ${formatWhole(one.de)}: ${NOMES[one.chave][0]} de ${one.base}`;
    return h(
      'button',
      { type: 'button', class: 'discreto', 'aria-label': name, onclick: () => void this.#undo(one) },
      `Voltar a ${formatWhole(one.de)}`,
    );
  }

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
      if (
        !(await confirmed(question, 'Gravar', {
          lines: preview.a_gravar.map(differenceText),
          isDanger: false,
        }))
      ) {
        say(place, 'Nada foi gravado.');
        return;
      }
      say(place, 'Gravando…');
      const { arquivo, gravados, sobrepostos } = await post('gravar');
      await this.load();
      const warnings = sobrepostos.map(
        ({ base, chave, variavel, ao_reiniciar }) =>
          ` Atenção: a variável ${variavel} vale mais que o arquivo; ao reiniciar, ${NOMES[chave][0]} de ${base} volta a ${formatWhole(ao_reiniciar)} enquanto ela estiver definida.`,
      );
      const written = gravados.length === 1 ? '1 ajuste gravado' : `${gravados.length} ajustes gravados`;
      say(place, `${written} em ${arquivo}.`);
      place.append(...warnings.map((warning) => h('span', { class: 'ressalva' }, warning)));
    } catch (error) {
      sayFailure(place, error);
    }
  }
}

function differenceText({ base, chave, valor, ao_reiniciar }) {
  const place = base === 'servico' ? '' : `bases.${base}.`;
  return `${place}${chave}: de ${formatWhole(ao_reiniciar)} para ${formatWhole(valor)} (${NOMES[chave][0]})`;
}

function unsaved(count, changes) {
  if (count > 0)
    return count === 1 ? '1 ajuste que um reinício perderia' : `${count} ajustes que um reinício perderia`;
  return changes === 0 ? 'Nenhuma mudança desde que o serviço iniciou.' : 'Tudo como um reinício o deixaria.';
}
