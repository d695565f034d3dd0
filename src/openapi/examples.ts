import { BASES, TIPOS, type Parametro } from '../contract/vocabulary.ts';
import type { Busca } from '../contract/busca.ts';
import { TRIBUNAIS } from '../contract/catalog.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Documento } from '../contract/documento.ts';
import type { Codigo } from '../contract/recusa.ts';
import type { Resumo } from '../contract/resumo.ts';
import type { Example } from './model.ts';

/** All examples are made up; no case, judge or decision is real. */
export const EXEMPLO_ID = 'stj:1598';

export const EXEMPLOS_DE_PARAMETRO: Record<Parametro, string | number> = {
  q: '"dano moral" AND (banco OR financeira)',
  tribunal: 'stj,tjmg',
  uf: 'MG,BR',
  ramo: 'superior,estadual',
  tipo: 'acordao',
  data_de: '2024-01-01',
  data_ate: '2024-12-31',
  ordem: 'relevancia',
  limite: 20,
  cursor: 'CHyPNb8yc4G6TqpXbW9kZWxv',
};

export const EXEMPLOS_DE_ERRO: Record<Codigo, string> = {
  PARAMETRO_INVALIDO: 'data_de: 2024-02-30 não existe no calendário; corrija a data',
  CONSULTA_INVALIDA: 'q: há aspas abertas; feche-as ou retire-as',
  NAO_AUTORIZADO: 'falta a chave; envie o cabeçalho Authorization: Bearer <chave>',
  ROTA_NAO_ENCONTRADA: 'não há esta rota',
  DECISAO_NAO_ENCONTRADA: 'não há decisão com este id; use-o como veio na busca, por exemplo stj:123',
  METODO_NAO_PERMITIDO: 'só GET é aceito nesta rota; repita com GET',
  COTA_ESGOTADA: 'a cota de 50000 consultas do dia acabou; renova-se à meia-noite UTC',
  ERRO_INTERNO: 'falha do serviço; repita, e se persistir informe o X-Request-Id',
  TEMPO_ESGOTADO: 'a base stj não respondeu; tente de novo',
};

const comum = {
  id: EXEMPLO_ID,
  base: 'stj',
  fonte: 'STJ',
  tipo: 'acordao',
  processo: 'REsp 9999999/MG',
  classe: { sigla: 'REsp', descricao: 'Recurso Especial' },
  orgao_julgador: 'Terceira Turma',
  relator: 'VICENTE LODAROS TORSSARINI',
  data_julgamento: '2024-03-11',
  data_publicacao: '2024-03-18',
  ementa_status: 'completa',
} as const;
const EMENTA =
  'CIVIL. RESPONSABILIDADE DO BANCO. DANO MORAL.\n1. A inscrição indevida em cadastro de inadimplentes gera dano moral presumido. 2. Recurso não provido.';

const resumo: Resumo = { ...comum, trecho_da_ementa: EMENTA };

const documento: Documento = {
  ...comum,
  redator: null,
  ementa: EMENTA,
  tese: null,
  dispositivo: null,
  inteiro_teor: { existe_na_origem: true, caracteres: 18_204 },
  citacao: null,
  legislacao_citada: ['CDC, art. 14'],
  temas: ['Responsabilidade civil'],
  extras: { numero_registro: '202400099999' },
};

const pagina: Busca = {
  itens: [resumo],
  por_base: [
    { base: 'stj', ordem_aplicada: 'relevancia', encontrados_ate_1000: 1000, ha_mais_de_1000: true, ms: 12 },
    { base: 'tjmg', ordem_aplicada: 'recentes', encontrados_ate_1000: 116, ha_mais_de_1000: false, ms: 1507 },
  ],
  bases_sem_resposta: [],
  proximo_cursor: 'CHyPNb8yc4G6TqpXbW9kZWxv',
};

const incompleta: Busca = {
  itens: [resumo],
  por_base: [
    { base: 'stj', ordem_aplicada: 'relevancia', ms: 9 },
    { base: 'tjmg', ordem_aplicada: 'recentes', ms: 2504 },
  ],
  bases_sem_resposta: [{ base: 'tjmg', tempo_esgotado: true }],
  proximo_cursor: null,
};

const cobertura: Cobertura = {
  bases: BASES.map((base) =>
    base === 'stj'
      ? {
          base,
          calculado: true,
          total: 1598,
          periodo_do_julgamento: { de: '2019-02-05', ate: '2024-03-11' },
          periodo_da_publicacao: { de: '2019-02-12', ate: '2024-03-18' },
          tipos: ['acordao'],
          calculado_em: '2024-03-20T04:05:06.789Z',
        }
      : { base, calculado: false },
  ),
  tipos_aceitos: [...TIPOS],
  tribunais: [...TRIBUNAIS],
};

export const EXEMPLOS = {
  cobertura: { calculando: { summary: 'Uma base calculada, as outras ainda não', value: cobertura } },
  busca: {
    pagina: { summary: 'Primeira página; uma base respondeu por recentes', value: pagina },
    incompleta: { summary: 'Última página; uma base não respondeu a tempo', value: incompleta },
  },
  decisao: { acordao: { summary: 'Um acórdão', value: documento } },
} as const satisfies Record<string, Readonly<Record<string, Example>>>;
