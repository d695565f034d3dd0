import type { TipoDaBase } from '../../contract/catalog.ts';
import { htmlText } from '../html-text.ts';
import { oneLine, withoutHeading } from '../normalise.ts';
import { missing, type Mapped } from './format.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { jsonFormat } from './json-format.ts';

/** Answers of the STF's search: acórdãos, decisões monocráticas, súmulas and informativos. */
export const stfPesquisa = jsonFormat({
  name: 'stf-pesquisa',
  about: 'answers of the STF’s search',
  bases: ['stf'],
  list: '$.result.hits.hits',
  noun: 'hit',
  own:
    'hits _source processo_codigo_completo processo_numero relator_processo_nome ' +
    'relator_acordao_nome relator_decisao_nome ministro_facet julgamento_data publicacao_data ' +
    'ementa_texto acordao_ata decisao_texto sumula_texto sumula_numero inteiro_teor_url ' +
    'inteiro_teor_texto is_repercussao_geral partes_lista_texto dg_atualizado_em resumo_noticia ' +
    'conteudo_noticia titulo_noticia',
  shared: 'result id base titulo orgao_julgador',
  changed: 'dg_atualizado_em',
  map: toMapped,
});

function toMapped(hit: Members): Mapped {
  const found = isObject(hit['_source']) ? hit['_source'] : hit;
  return 'base' in found || found !== hit ? toRegistro(found, hit['_id']) : { reject: '_source: missing' };
}

/** The search's names for its bases. */
const TIPO_OF_BASE = new Map<string, TipoDaBase<'stf'>>([
  ['acordaos', 'acordao'],
  ['decisoes', 'decisao_monocratica'],
  ['sumulas', 'sumula'],
  ['novo_informativo', 'informativo'],
  ['novo-informativo', 'informativo'],
  ['informativos', 'informativo'],
]);

/** The search truncates a decision's text to this length; most texts reach it. */
const DECISAO_CAP = 6_000;
const CAP_SLACK = 3;

function toRegistro(found: Members, hitId: unknown): Mapped {
  const fields = new Fields({ ...found, id: oneLine(found['id']) ?? hitId });
  const chave = fields.line('id');
  if (chave === null) return { reject: missing('id') };
  const base = fields.line('base');
  const tipo = TIPO_OF_BASE.get(base ?? '');
  if (tipo === undefined) return { leftOut: `base ${base ?? '(none)'}` };
  const isMonocratica = tipo === 'decisao_monocratica';
  const whole = fields.text('inteiro_teor_texto', ...(tipo === 'informativo' ? ['conteudo_noticia'] : []));
  const cut = fields.text('decisao_texto');
  const cutLength = typeof found['decisao_texto'] === 'string' ? found['decisao_texto'].length : 0;
  const ementa = ementaOf(fields, tipo);
  const ata = fields.prose('acordao_ata');
  const sigla = fields.line('processo_classe_processual_unificada_classe_sigla');
  const siglaWithIncident = fields.line('processo_classe_processual_unificada_sigla');
  const relator = relatorOf(fields, isMonocratica);
  const redator = fields.person('relator_acordao_nome');
  return {
    registro: {
      chave,
      fonte: 'STF',
      tipo,
      processo: processoOf(fields, tipo),
      classe: {
        sigla: sigla ?? siglaWithIncident,
        descricao: fields.line('processo_classe_processual_unificada_extenso'),
      },
      orgao_julgador: fields.line('orgao_julgador'),
      relator,
      redator: redator === relator ? null : redator,
      data_julgamento: fields.date('julgamento_data'),
      data_publicacao: fields.date('publicacao_data'),
      ementa,
      tese: fields.prose('documental_tese_texto'),
      dispositivo: tipo === 'acordao' ? ata : null,
      inteiro_teor: { existe_na_origem: fields.line('inteiro_teor_url') === null ? null : true },
      citacao: fields.prose('documental_publicacao_lista_texto'),
      legislacao_citada: fields.list('documental_legislacao_citada_texto'),
      temas: fields.list('documental_tese_tema_texto'),
      texto: whole ?? cut,
      extras: { id_origem: chave, ...fields.unread(), ...fields.kept('inteiro_teor_url') },
    },
    isTextoCut: whole === null && cutLength >= DECISAO_CAP - CAP_SLACK,
    texts: fields.texts,
  };
}

function ementaOf(fields: Fields, tipo: TipoDaBase<'stf'>): string | null {
  const ementa = withoutHeading(fields.prose('ementa_texto'));
  const sumula = fields.prose('sumula_texto');
  if (tipo === 'decisao_monocratica') return null;
  if (tipo === 'informativo') return ementa ?? htmlText(fields.raw('resumo_noticia'));
  return tipo === 'sumula' ? (sumula ?? ementa) : ementa;
}

/** The relator of a decision of the presidency is the president and not the relator of the case. */
function relatorOf(fields: Fields, isMonocratica: boolean): string | null {
  const relator = fields.person('relator_processo_nome');
  const ofDecision = fields.person('relator_decisao_nome');
  const isOfPresidency = fields.isTrue('is_decisao_presidencia');
  const own = isMonocratica
    ? (ofDecision ?? (isOfPresidency ? fields.person('presidente_nome') : null))
    : null;
  const named = fields.list('ministro_facet');
  return own ?? relator ?? (named?.length === 1 ? (named[0] ?? null) : null);
}

function processoOf(fields: Fields, tipo: TipoDaBase<'stf'>): string | null {
  const codigo = fields.line('processo_codigo_completo');
  const titulo = fields.line('titulo');
  const numero = fields.line('sumula_numero');
  if (tipo !== 'sumula') return codigo ?? titulo;
  const vinculante = fields.isTrue('is_vinculante') ? 'Vinculante ' : '';
  return titulo ?? (numero === null ? null : `Súmula ${vinculante}${numero}`);
}
