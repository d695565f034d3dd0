/*
 * Classes of cases as citations name them. A class is a key, the same for all its names: `AgRg`, `AgR` and `Agravo Regimental` are
 * `agr`. A key that is also a sigla of a court is the sigla in lower case.
 */

/** Siglas of classes that one court alone has, by court. */
const OF_COURT: Readonly<Record<string, string>> = {
  stj: 'REsp AREsp EREsp EAREsp EAg RMS SEC HDE APn SLS IDC SIRDR',
  stf: 'RE ARE ADI ADC ADO ADPF ACO STA PSV PPE SL STP TPA',
  tst: 'RR AIRR ARR RRAg ROAR ROMS RODC RXOF ReeNec IUJRR',
  tse: 'REspe REspEl AREspE',
};
/** Classes of several courts. */
const SHARED =
  'HC RHC MS MI HD Rcl CC AR AC AP AI AO Ag Pet Inq Ext SS RO ROT RORSum AIAP AIRO MSCiv ApRemNec RCIJEF PUIL PEDILEF RSE ApCiv ' +
  'ApCrim ACr CP PC RvC CorPar HCCrim TutPrv MC';
/** Classes that stand in front of another, or behind a number: `AgRg no REsp`, `RE 123.456 AgR`. */
const INCIDENTS = 'AgR AgRg AgInt ED EDcl EDs EmbDecl EDv E EmbDiv QO RG IUJ Ref TPI RtPaut MC Ag';
/** Keys whose siglas are other words as well, so that they count only before another class or a full case number. */
const NEVER_ALONE = new Set('e ed agr agint edv qo rg iuj ref tpi rtpaut mc cp so al'.split(' '));
/** Names of one class that differ. */
const SAME: Readonly<Record<string, string>> = {
  agrg: 'agr',
  edcl: 'ed',
  eds: 'ed',
  embdecl: 'ed',
  embdiv: 'edv',
  pedilef: 'puil',
  apciv: 'ac',
  apcrim: 'acr',
  respel: 'respe',
  adin: 'adi',
  al: 'ai',
};

const ALL = [...Object.values(OF_COURT), SHARED, INCIDENTS, 'ADIn'].join(' ').split(' ');
const BY_SIGLA: ReadonlyMap<string, string> = new Map(
  ALL.flatMap((sigla) => {
    const key = SAME[sigla.toLowerCase()] ?? sigla.toLowerCase();
    // Short ones in lower case are words: `re`, `ai`, `ed`.
    const forms = sigla.length > 3 ? [sigla.toLowerCase()] : [sigla, sigla.toUpperCase()];
    return forms.map((form) => [form, key] as const);
  }),
);
const COURT_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(OF_COURT).flatMap(([court, siglas]) =>
    siglas.split(' ').flatMap((sigla) => (sigla === 'RMS' ? [] : [[sigla.toLowerCase(), court] as const])),
  ),
);
const INCIDENT_KEYS: ReadonlySet<string> = new Set(
  INCIDENTS.split(' ').map((sigla) => SAME[sigla.toLowerCase()] ?? sigla.toLowerCase()),
);

/** Names in words, without accents, in lower case; a space is any blank. The longer of two that begin alike comes first. */
const NAMES: readonly (readonly [key: string, name: string])[] = [
  ['adpf', 'arguicao de descumprimento de preceito fundamental'],
  ['ado', '(?:acao|acoes) diret?i?[rt]as? de inconstitucionalidade por omissao'],
  ['adi', '(?:acao|acoes) diretas? de inconstitucionalidade'],
  ['adc', 'acao (?:direta|declaratoria) de constitucionalidade'],
  ['aco', 'acao civel originaria'],
  ['ao', 'acao originaria'],
  ['ar', 'acao rescisoria'],
  ['ap', 'acao penal(?: militar| originaria)?'],
  ['acautelar', 'acao cautelar(?: inominada)?'],
  ['acp', '(?:acao civil publica|acoes civis publicas)'],
  ['airr', 'agravo de instrumento em recurso de revista'],
  ['aiap', 'agravo de instrumento em agravo de peticao'],
  ['airo', 'agravo de instrumento em recurso ordinario'],
  ['aresp', 'agravo em recurso especial'],
  ['ai', 'agravos? de instrumento'],
  ['ap', 'agravo de peticao'],
  ['agexpe', 'agravo (?:de|em) execucao penal'],
  ['agr', 'agravos? regimenta(?:l|is)'],
  ['agint', 'agravos? internos?'],
  ['acr', 'apelac(?:ao|oes) crimina(?:l|is)'],
  ['ac', 'apelac(?:ao|oes) c(?:ivel|iveis)'],
  ['apremnec', 'apelacao/remessa necessaria'],
  ['apel', 'apelac(?:ao|oes)'],
  ['cc', 'conflitos?(?: negativo| positivo)? de competencia'],
  ['corpar', 'correicao parcial'],
  ['eresp', 'embargos de divergencia em recurso especial'],
  ['earesp', 'embargos de divergencia em agravo em recurso especial'],
  ['edv', 'embargos de divergencia'],
  ['ed', 'embargos (?:de declaracao|declaratorios)'],
  ['ei', 'embargos infringentes'],
  ['e', 'embargos'],
  ['hc', 'habeas corpus(?: criminal)?'],
  ['hd', 'habeas data'],
  ['inq', 'inquerito'],
  ['iuj', 'incidente de uniformizacao de jurisprudencia'],
  ['msciv', 'mandado de seguranca civel'],
  ['ms', 'mandados? de seguranca'],
  ['mi', 'mandado de injuncao'],
  ['mc', 'medida cautelar'],
  ['puil', 'pedido de uniformizacao(?: de interpretacao de lei)?(?: federal)?(?: \\(turma\\))?'],
  ['pet', 'peticao'],
  ['pc', 'prestacao de contas'],
  ['rcl', 'reclamac(?:ao|oes)'],
  ['are', 'recursos? extraordinarios? com agravo'],
  ['re', 'recursos? extraordinarios?'],
  ['respe', 'recursos? especia(?:l|is) eleitora(?:l|is)'],
  ['resp', 'recursos? especia(?:l|is)'],
  ['arr', 'recurso de revista com agravo'],
  ['rr', 'recursos? de revista'],
  ['rse', 'rec(?:urso|\\.?)? em sentido estrito'],
  ['rhc', 'recurso(?: ordinario)? em habeas corpus'],
  ['rms', 'recurso(?: ordinario)? em mandado de seguranca'],
  ['rot', 'recurso ordinario trabalhista'],
  ['rorsum', 'recurso ordinario - rito sumarissimo'],
  ['ro', 'recurso ordinario'],
  ['rcijef', 'recurso (?:civel|inominado)'],
  ['rcrim', 'recurso (?:criminal|eleitoral)'],
  ['sls', 'suspensao de liminar e de sentenca'],
  ['ss', 'suspensao de seguranca'],
];
interface Named {
  readonly key: string;
  readonly pattern: RegExp;
}
/** By their first two letters, since every word of a text is looked up. */
const BY_START = new Map<string, Named[]>();
for (const [key, name] of NAMES) {
  const start = name.replace(/^\(\?:/u, '').slice(0, 2);
  const words = name.replaceAll(' ', '\\s{1,3}');
  const pattern = new RegExp(`${words}(?![a-z])(?:\\s?-?\\s?c[vr](?![a-z]))?`, 'iy');
  BY_START.set(start, [...(BY_START.get(start) ?? []), { key, pattern }]);
}

export interface ClassFound {
  readonly key: string;
  readonly end: number;
}

/** The class that begins with the word at a place of a text without accents; null if the word begins none. */
export function classAt(plain: string, at: number, word: string): ClassFound | null {
  const one = /^[A-Z]\w+s$/u.test(word) ? word.slice(0, -1) : word;
  const key =
    BY_SIGLA.get(word) ?? BY_SIGLA.get(one) ?? (one.length > 3 ? BY_SIGLA.get(one.toLowerCase()) : undefined);
  if (key !== undefined) return { key, end: at + word.length };
  if (word === 'Al') return { key: 'al', end: at + 2 };
  if (word.length < 3) return null;
  for (const { key: named, pattern } of BY_START.get(word.slice(0, 2).toLowerCase()) ?? []) {
    pattern.lastIndex = at;
    if (pattern.test(plain)) return { key: named, end: pattern.lastIndex };
  }
  return null;
}

/** True for a key that, before a short number, is no class of its own: `E 12`. */
export function needsMore(key: string): boolean {
  return NEVER_ALONE.has(key);
}

export function isIncident(key: string): boolean {
  return INCIDENT_KEYS.has(key);
}

/** The court that alone has a class; null if several have it. */
export function courtOfClasses(keys: readonly string[]): string | null {
  return keys.map((key) => COURT_OF.get(key)).findLast((court) => court !== undefined) ?? null;
}

/** The class of the case itself, without incidents. */
export function mainClass(keys: readonly string[]): string | undefined {
  return keys.findLast((key) => !isIncident(key)) ?? keys.at(-1);
}

/** Classes that sources name in more and less detail. */
const ALIKE: readonly (readonly string[])[] = [
  ['apel', 'ac', 'acr', 'apremnec'],
  ['ms', 'msciv'],
  ['ro', 'rot', 'rorsum'],
  ['hc', 'hccrim'],
];

/** True if both name the same class, with the same incidents, in whatever order. */
export function sameClasses(some: readonly string[], others: readonly string[]): boolean {
  const [a, b] = [some, others].map((keys) => [...new Set(keys)].toSorted());
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  return a.every((key) => b.some((other) => isAlike(key, other)));
}

export function isAlike(key: string | undefined, other: string | undefined): boolean {
  if (key === undefined || other === undefined) return false;
  return key === other || ALIKE.some((keys) => keys.includes(key) && keys.includes(other));
}
