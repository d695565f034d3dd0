import type { Documento } from '../../src/contract/documento.ts';
import type { Rng } from '../../src/tools/demo/rng.ts';

/** The parts of a citation. */
export interface Said {
  /** `AgInt no REsp`, `AIRR`, `Apelação Cível`; '' if the source gives none. */
  readonly classe: string;
  /** Digits, or a CNJ number with zeros. */
  readonly numero: string;
  readonly uf: string;
  readonly juiz: string;
  readonly julgada: string;
  readonly publicada: string;
  readonly tribunal: string;
  readonly titulo: 'Min.' | 'Des.';
}

export type Falsified = 'digit' | 'year' | 'court' | 'judge';

const NAMES: Readonly<Record<string, string>> = {
  STF: 'Supremo Tribunal Federal',
  STJ: 'Superior Tribunal de Justiça',
  TST: 'Tribunal Superior do Trabalho',
  TJMG: 'Tribunal de Justiça de Minas Gerais',
  TRT3: 'TRT da 3ª Região',
  TRF6: 'TRF da 6ª Região',
  TNU: 'Turma Nacional de Uniformização',
};
const LONG: Readonly<Record<string, string>> = {
  REsp: 'Recurso Especial',
  'AgInt no REsp': 'Agravo Interno no Recurso Especial',
  'AgInt no AREsp': 'Agravo Interno no Agravo em Recurso Especial',
  'EDcl no REsp': 'Embargos de Declaração no Recurso Especial',
  HC: 'Habeas Corpus',
  RE: 'Recurso Extraordinário',
  Rcl: 'Reclamação',
  MS: 'Mandado de Segurança',
  RR: 'Recurso de Revista',
  AIRR: 'Agravo de Instrumento em Recurso de Revista',
  ADI: 'Ação Direta de Inconstitucionalidade',
};
const MONTHS =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ');
const SHORT_MONTHS = 'jan. fev. mar. abr. maio jun. jul. ago. set. out. nov. dez.'.split(' ');

const parts = (iso: string) => iso.split('-').map(Number) as [number, number, number];
const slashed = (iso: string) => iso.split('-').toReversed().join('/');
const dotted = (iso: string) => slashed(iso).replaceAll('/', '.');
const bare = (iso: string) => (([y, m, d]) => `${d}.${m}.${y}`)(parts(iso));
const brief = (iso: string) => (([y, m, d]) => `${d}/${m}/${String(y).slice(2)}`)(parts(iso));
const inWords = (iso: string) =>
  (([y, m, d]) => `${d === 1 ? '1º' : d} de ${MONTHS[m - 1]} de ${y}`)(parts(iso));
const abnt = (iso: string) => (([y, m, d]) => `${d} ${SHORT_MONTHS[m - 1]} ${y}`)(parts(iso));
const monthOf = (iso: string) => (([y, m]) => `${MONTHS[m - 1]} de ${y}`)(parts(iso));
const roman = (iso: string) =>
  (([y, m, d]) => `${d}/${'I II III IV V VI VII VIII IX X XI XII'.split(' ')[m - 1]}/${y}`)(parts(iso));
const hyphened = (iso: string) => (([y, m, d]) => `${d}-${MONTHS[m - 1]?.slice(0, 3)}-${y}`)(parts(iso));
const grouped = (numero: string) =>
  numero.includes('-') ? numero : numero.replaceAll(/\B(?=(?:\d{3})+$)/gu, '.');
const digits = (numero: string) => numero.replaceAll(/\D/gu, '');
const withoutZeros = (numero: string) => numero.replace(/^0+/u, '');
const surname = (name: string) => name.split(' ').at(-1) ?? '';
const title = ({ titulo }: Said) => titulo;
/** `/SP`, where the court has one. */
const state = ({ uf }: Said, before = '/') => (uf === '' ? '' : before + uf);
const head = ({ classe, numero }: Said, sign = '', written = grouped) =>
  `${classe === '' ? 'Processo' : classe}${sign} ${written(numero)}`;
const long = (said: Said) => ({ ...said, classe: LONG[said.classe] ?? said.classe });

/** Ways to cite a decision. */
export const STYLES: readonly ((said: Said) => string)[] = [
  (s) =>
    `${head(s)}${state(s)}, Rel. ${title(s)} ${s.juiz}, julgado em ${slashed(s.julgada)}, DJe ${slashed(s.publicada)}`,
  (s) =>
    `(${s.tribunal}, ${head(s, ' n.')}${state(s)}, relator Ministro ${s.juiz}, DJe de ${bare(s.publicada)})`,
  (s) => `${s.tribunal} - ${head(s, ' nº', String)} - Relator: ${s.juiz} - j. ${dotted(s.julgada)}`,
  (s) => `${head(long(s), ' nº')}${state(s, ' - ')}, julgado em ${inWords(s.julgada)}`,
  (s) =>
    `BRASIL. ${NAMES[s.tribunal]}. ${head(long(s), ' n.')}${state(s)}. Relator: ${title(s)} ${s.juiz}. Brasília, ${abnt(s.julgada)}. DJe ${abnt(s.publicada)}`,
  (s) => `${head(s)}${state(s, ' / ')} (rel. ${title(s)} ${surname(s.juiz)}, j. ${brief(s.julgada)})`,
  (s) =>
    `conforme decidiu o ${NAMES[s.tribunal]} no ${head(s, ' n.º', String)}${state(s)}, em voto da relatoria de ${title(s)} ${s.juiz}`,
  (s) =>
    `Processo: ${head(s)}${state(s)}\nRelator: ${s.juiz}\nData do julgamento: ${slashed(s.julgada)}\nData da publicação: DJe ${slashed(s.publicada)}`,
  (s) =>
    `${head(s)}-${s.uf === '' ? s.tribunal : s.uf}, DJe ${slashed(s.publicada)}`.replace(
      /-(?=TST|TRT3|TJMG|TRF6|TNU|STF)/u,
      '/',
    ),
  (s) =>
    `${head(s, ' N°', String).toUpperCase()}${state(s)}, REL. ${title(s).toUpperCase()} ${s.juiz.toUpperCase()}, DJE ${slashed(s.publicada)}`,
  (s) => `${head(s)}${state(s, '⁄')}; Rel. ${title(s)} ${s.juiz}; DJe ${dotted(s.publicada)}`,
  (s) =>
    `${head(s, '', (n) => (n.includes('-') ? withoutZeros(n) : grouped(n)))}, ${s.tribunal}, ${title(s)} ${s.juiz}`,
  (s) =>
    `${head(s, ' n.', (n) => (n.includes('-') ? digits(n) : n))}${state(s)}, julgado em ${slashed(s.julgada)}`,
  (s) => `${s.tribunal}: ${head(s)}${state(s)}, de ${slashed(s.julgada)}`,
  (s) =>
    `(${head(s)}${state(s)}, Relator(a): ${s.juiz}, julgamento em ${slashed(s.julgada)}, publicação em ${slashed(s.publicada)})`,
  (s) => `${head(s)} do ${s.tribunal}`,
  (s) =>
    `${head(s, ' nº')}${state(s, ' – ')}, Relatora a Ministra ${s.juiz}, publicado no DJe em ${slashed(s.publicada)}`,
  (s) => `nos termos do ${head(s)}${state(s)} (${s.tribunal}, ${slashed(s.julgada)})`,
  (s) => `${title(s)} ${s.juiz}, ${head(s)}${state(s)}, DJe ${slashed(s.publicada)}`,
  (s) =>
    `${head(s)}${state(s)}. Rel. ${title(s)} ${s.juiz}. Segunda Turma. Julgado em ${slashed(s.julgada)}. DJe de ${slashed(s.publicada)}`,
  (s) => `[${s.tribunal}, ${head(s)}${state(s)}, ${surname(s.juiz)}, ${s.julgada.slice(0, 4)}]`,
  (s) =>
    `No julgamento do ${head(s)}${state(s)}, de relatoria de ${s.juiz}, ocorrido em ${inWords(s.julgada)}`,
  (s) => `o ${NAMES[s.tribunal]}, sob a relatoria de ${s.juiz}, no ${head(s, ' n.')}${state(s)}`,
  (s) => `o ${s.tribunal} julgou, em ${slashed(s.julgada)}, o ${head(s)}${state(s)}`,
  (s) => `Em ${inWords(s.julgada)}, a Segunda Seção firmou tese no ${head(s)}${state(s)}`,
  (s) => `Segundo entende o ${NAMES[s.tribunal]}, em caso idêntico ao dos autos, o ${head(s)}${state(s)}`,
  (s) => `O voto do relator, ${title(s)} ${s.juiz}, assentou, no ${head(s)}${state(s)}, o mesmo`,
  (s) => `${head(s)}${state(s)}, apreciado pelo ${s.tribunal} em ${roman(s.julgada)}`,
  (s) => `${head(s)}${state(s)}, DJe-${slashed(s.publicada)}, julgado em ${monthOf(s.julgada)}`,
  (s) => `${s.tribunal}\t${head(s, '', String)}${state(s)}\t${s.juiz}\t${slashed(s.julgada)}`,
  (s) => `| ${head(s)}${state(s)} | ${s.juiz} | ${hyphened(s.julgada)} | ${s.tribunal} |`,
  (s) =>
    `${head(s)}${state(s)}; rel: ${s.juiz}; pub: ${slashed(s.publicada)}; ano ${s.julgada.slice(0, 4)} [${s.tribunal}]`,
];

/** The parts of a true citation; null for a decision that lacks some, or is no case. */
export function trueOf(decision: Omit<Documento, 'id'>): Said | null {
  const { base, processo, classe, relator, fonte } = decision;
  const { data_julgamento: julgada, data_publicacao: publicada } = decision;
  const [, before = '', numero = '', after = ''] =
    /^(.*?)\s*(?:- )?(\d[\d.-]*\d)(.*)$/u.exec(processo ?? '') ?? [];
  if (relator === null || julgada === null || publicada === null || classe.sigla === classe.descricao)
    return null;
  const cnj = numero.includes('-') ? numero.padStart(25, '0') : numero;
  const tribunal = base === 'eproc' ? (fonte.split(' ')[0] ?? '') : base.toUpperCase();
  return {
    classe: before.replace(/ -$/u, '') || (classe.sigla ?? classe.descricao ?? ''),
    numero: cnj,
    uf: /\/ ([A-Z]{2})$/u.exec(after)?.[1] ?? '',
    juiz: relator.replace(/^(?:Min\.|Des\.\(a\)) /u, ''),
    julgada,
    publicada,
    tribunal,
    titulo: /^ST[FJ]|TST/u.test(tribunal) ? 'Min.' : 'Des.',
  };
}

const COURTS = Object.keys(NAMES);

/** The same with one thing wrong. */
export function falsified(said: Said, what: Falsified, others: readonly Said[], rng: Rng): Said {
  if (what === 'court')
    return { ...said, tribunal: rng.pick(COURTS.filter((court) => court !== said.tribunal)) };
  if (what === 'judge') {
    const { juiz } = rng.pick(others.filter((one) => surname(one.juiz) !== surname(said.juiz)));
    return { ...said, juiz };
  }
  if (what === 'year') {
    const other = (iso: string) => `${Number(iso.slice(0, 4)) + 1}${iso.slice(4)}`;
    return { ...said, julgada: other(said.julgada), publicada: other(said.publicada) };
  }
  const at = said.numero.includes('-') ? 6 : said.numero.length - 1;
  const digit = (Number(said.numero.charAt(at)) + rng.between(1, 9)) % 10;
  return { ...said, numero: said.numero.slice(0, at) + digit + said.numero.slice(at + 1) };
}
