import type { TipoDaBase } from '../../contract/catalog.ts';
import type { Base, CodigoTribunal } from '../../contract/vocabulary.ts';

/** The kind of case, which decides its class and its judging body. */
export type Field = 'penal' | 'civil' | 'publico';

/** A class of case as a source gives it, and as a headline names it. */
export interface CaseClass {
  readonly sigla: string | null;
  readonly descricao: string | null;
  readonly headline: string;
}

/** What sets a court's records apart. Shares are between 0 and 1. */
export interface Court {
  readonly relatores: number;
  readonly nameStyle: (name: string) => string;
  readonly classes: Readonly<Record<Field, readonly CaseClass[]>>;
  readonly bodies: Readonly<Record<Field, readonly string[]>>;
  readonly bodyShare: number;
  readonly dispositivoShare: number;
  readonly teseShare: number;
  readonly temasShare: number;
  readonly legislacaoShare: number;
  readonly citacaoShare: number;
}

const upper = (name: string): string => name.toUpperCase();

/** Descriptions that a source shortens, as a headline has them. */
const HEADLINES: Readonly<Record<string, string>> = {
  'Rec em Sentido Estrito': 'RECURSO EM SENTIDO ESTRITO',
  'Ap Cível/Rem Necessária': 'APELAÇÃO CÍVEL E REMESSA NECESSÁRIA',
  'Apelação/Remessa Necessária': 'APELAÇÃO E REMESSA NECESSÁRIA',
};

/** Reads `SIGLA=Descrição` entries; `shown` picks what the source itself gives. */
function classes(shown: 'both' | 'sigla' | 'descricao', text: string): readonly CaseClass[] {
  return text.split('|').map((entry) => {
    const [sigla = '', descricao = ''] = entry.split('=');
    return {
      sigla: shown === 'descricao' ? null : sigla,
      descricao: shown === 'sigla' ? null : descricao,
      headline: HEADLINES[descricao] ?? descricao.replace(/-Cv$| \(Turma\)$/u, '').toUpperCase(),
    };
  });
}

/** The same list for every kind of case. */
function everyField<T>(list: readonly T[]): Readonly<Record<Field, readonly T[]>> {
  return { penal: list, civil: list, publico: list };
}

function ordinals(upTo: number, suffix: string): readonly string[] {
  return Array.from({ length: upTo }, (_, index) => `${index + 1}ª ${suffix}`);
}

const STJ_CIVIL = classes(
  'both',
  'REsp=RECURSO ESPECIAL|AgInt no AREsp=AGRAVO INTERNO NO AGRAVO EM RECURSO ESPECIAL|AgInt no REsp=AGRAVO INTERNO NO RECURSO ESPECIAL|EDcl no REsp=EMBARGOS DE DECLARAÇÃO NO RECURSO ESPECIAL|EREsp=EMBARGOS DE DIVERGÊNCIA EM RECURSO ESPECIAL|MS=MANDADO DE SEGURANÇA',
);

export const COURTS: Record<CodigoTribunal, Court> = {
  tst: {
    relatores: 27,
    nameStyle: upper,
    classes: everyField(
      classes(
        'sigla',
        'RR=Recurso de Revista|AIRR=Agravo de Instrumento em Recurso de Revista|Ag=Agravo em Agravo de Instrumento em Recurso de Revista|ED=Embargos de Declaração em Recurso de Revista|E=Embargos em Recurso de Revista|ROT=Recurso Ordinário Trabalhista|RR=Recurso de Revista|AIRR=Agravo de Instrumento',
      ),
    ),
    bodies: everyField([
      ...ordinals(8, 'Turma'),
      ...ordinals(8, 'Turma'),
      'Subseção I Especializada em Dissídios Individuais',
      'Seção Especializada em Dissídios Coletivos',
      'Órgão Especial',
    ]),
    bodyShare: 1,
    dispositivoShare: 0.9,
    teseShare: 0.03,
    temasShare: 0.8,
    legislacaoShare: 0.05,
    citacaoShare: 0,
  },
  trt3: {
    relatores: 52,
    nameStyle: (name) => name,
    classes: everyField(
      classes(
        'both',
        'ROT=Recurso Ordinário Trabalhista|RORSum=Recurso Ordinário - Rito Sumaríssimo|AP=Agravo de Petição|AIAP=Agravo de Instrumento em Agravo de Petição|MSCiv=Mandado de Segurança Cível|ROT=Recurso Ordinário Trabalhista',
      ),
    ),
    // prettier-ignore
    bodies: everyField(['Primeira Turma', 'Segunda Turma', 'Terceira Turma', 'Quarta Turma', 'Quinta Turma', 'Sexta Turma', 'Sétima Turma', 'Oitava Turma', 'Nona Turma', 'Décima Turma', 'Décima Primeira Turma', 'Seção de Dissídios Individuais']),
    bodyShare: 0.97,
    dispositivoShare: 0.5,
    teseShare: 0.02,
    temasShare: 0.4,
    legislacaoShare: 0.1,
    citacaoShare: 0.1,
  },
  stf: {
    relatores: 16,
    nameStyle: (name) => `Min. ${name.toUpperCase()}`,
    classes: {
      penal: classes(
        'both',
        'HC=HABEAS CORPUS|RHC=RECURSO ORDINÁRIO EM HABEAS CORPUS|HC AgR=AGRAVO REGIMENTAL NO HABEAS CORPUS|AP=AÇÃO PENAL',
      ),
      civil: classes(
        'both',
        'RE=RECURSO EXTRAORDINÁRIO|ARE AgR=AGRAVO REGIMENTAL NO RECURSO EXTRAORDINÁRIO COM AGRAVO|Rcl=RECLAMAÇÃO|MS=MANDADO DE SEGURANÇA',
      ),
      publico: classes(
        'both',
        'RE=RECURSO EXTRAORDINÁRIO|ARE AgR=AGRAVO REGIMENTAL NO RECURSO EXTRAORDINÁRIO COM AGRAVO|RE AgR=AGRAVO REGIMENTAL NO RECURSO EXTRAORDINÁRIO|ADI=AÇÃO DIRETA DE INCONSTITUCIONALIDADE|ADPF=ARGUIÇÃO DE DESCUMPRIMENTO DE PRECEITO FUNDAMENTAL|Rcl AgR=AGRAVO REGIMENTAL NA RECLAMAÇÃO|RE ED=EMBARGOS DE DECLARAÇÃO NO RECURSO EXTRAORDINÁRIO',
      ),
    },
    bodies: everyField(['Tribunal Pleno', 'Primeira Turma', 'Segunda Turma']),
    bodyShare: 0.93,
    dispositivoShare: 0.35,
    teseShare: 0.12,
    temasShare: 0.1,
    legislacaoShare: 0.3,
    citacaoShare: 0.04,
  },
  stj: {
    relatores: 36,
    nameStyle: upper,
    classes: {
      penal: classes(
        'both',
        'HC=HABEAS CORPUS|AgRg no HC=AGRAVO REGIMENTAL NO HABEAS CORPUS|RHC=RECURSO EM HABEAS CORPUS|AgRg no AREsp=AGRAVO REGIMENTAL NO AGRAVO EM RECURSO ESPECIAL|REsp=RECURSO ESPECIAL',
      ),
      civil: STJ_CIVIL,
      publico: STJ_CIVIL,
    },
    bodies: {
      penal: ['QUINTA TURMA', 'SEXTA TURMA', 'QUINTA TURMA', 'SEXTA TURMA', 'TERCEIRA SEÇÃO'],
      civil: [
        'TERCEIRA TURMA',
        'QUARTA TURMA',
        'TERCEIRA TURMA',
        'QUARTA TURMA',
        'SEGUNDA SEÇÃO',
        'CORTE ESPECIAL',
      ],
      publico: ['PRIMEIRA TURMA', 'SEGUNDA TURMA', 'PRIMEIRA TURMA', 'SEGUNDA TURMA', 'PRIMEIRA SEÇÃO'],
    },
    bodyShare: 0.99,
    dispositivoShare: 0.7,
    teseShare: 0.06,
    temasShare: 0.08,
    legislacaoShare: 0.4,
    citacaoShare: 0,
  },
  tjmg: {
    relatores: 90,
    nameStyle: (name) => `Des.(a) ${name}`,
    classes: {
      penal: classes(
        'descricao',
        '=Apelação Criminal|=Rec em Sentido Estrito|=Habeas Corpus Criminal|=Agravo de Execução Penal',
      ),
      civil: classes(
        'descricao',
        '=Apelação Cível|=Agravo de Instrumento-Cv|=Embargos de Declaração-Cv|=Apelação Cível',
      ),
      publico: classes(
        'descricao',
        '=Apelação Cível|=Remessa Necessária-Cv|=Agravo de Instrumento-Cv|=Ap Cível/Rem Necessária|=Mandado de Segurança-Cv',
      ),
    },
    bodies: {
      penal: ordinals(9, 'CÂMARA CRIMINAL'),
      civil: ordinals(21, 'CÂMARA CÍVEL').slice(8),
      publico: ordinals(8, 'CÂMARA CÍVEL'),
    },
    bodyShare: 0.5,
    dispositivoShare: 0.1,
    teseShare: 0.02,
    temasShare: 0.03,
    legislacaoShare: 0.05,
    citacaoShare: 0.05,
  },
  tnu: {
    relatores: 16,
    nameStyle: upper,
    classes: everyField([
      ...classes('descricao', '=Pedido de Uniformização de Interpretação de Lei (Turma)'),
      ...classes('both', 'PUIL=Pedido de Uniformização de Interpretação de Lei (Turma)'),
    ]),
    bodies: everyField(['TURMA NACIONAL DE UNIFORMIZAÇÃO']),
    // The national court's own search leaves the judging body out.
    bodyShare: 0,
    dispositivoShare: 0.8,
    teseShare: 0.1,
    temasShare: 0.15,
    legislacaoShare: 0.05,
    citacaoShare: 0.12,
  },
  trf6: {
    relatores: 20,
    nameStyle: upper,
    classes: everyField(
      classes(
        'both',
        'AC=Apelação Cível|ApRemNec=Apelação/Remessa Necessária|AI=Agravo de Instrumento|RCIJEF=RECURSO CÍVEL|AC=Apelação Cível',
      ),
    ),
    bodies: everyField([
      ...ordinals(4, 'Turma'),
      ...ordinals(2, 'Turma Suplementar'),
      ...ordinals(6, 'Turma Recursal dos Juizados Especiais Federais de Minas Gerais'),
    ]),
    bodyShare: 0.98,
    dispositivoShare: 0.6,
    teseShare: 0.03,
    temasShare: 0.1,
    legislacaoShare: 0.1,
    citacaoShare: 0.25,
  },
};

/** The types of a base, each with its cumulative share. */
export const SHARES_OF_TIPOS: {
  readonly [B in Base]: readonly (readonly [tipo: TipoDaBase<B>, upTo: number])[];
} = {
  tst: [
    ['acordao', 0.86],
    ['decisao_monocratica', 0.91],
    ['decisao_presidencia', 0.93],
    ['decisao_vice_presidencia', 0.945],
    ['decisao_corregedoria', 0.96],
    ['sumula', 0.975],
    ['orientacao_jurisprudencial', 0.99],
    ['precedente_normativo', 1],
  ],
  stf: [
    ['acordao', 0.8],
    ['decisao_monocratica', 0.95],
    ['sumula', 0.96],
    ['informativo', 1],
  ],
  stj: [['acordao', 1]],
  tjmg: [['acordao', 1]],
  trt3: [['acordao', 1]],
  eproc: [
    ['acordao', 0.88],
    ['decisao_monocratica', 0.98],
    ['sumula', 1],
  ],
};
