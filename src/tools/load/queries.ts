import { readFileSync, writeFileSync } from 'node:fs';
import { PlainError } from '../../process/fail.ts';
import { Q_MAX, Q_MIN } from '../../contract/vocabulary.ts';

/** Bytes of a query file beyond which it is surely another file. */
const FILE_BYTES_MAX = 16 * 2 ** 20;

/** What people look for every day: common and rare words, phrases, prefixes, each kind of filter. */
const BUILT_IN: readonly Readonly<Record<string, string>>[] = [
  { q: 'dano moral' },
  { q: 'horas extras' },
  { q: 'adicional de insalubridade grau máximo' },
  { q: 'rescisão indireta atraso de salário' },
  { q: 'vínculo de emprego motorista de aplicativo' },
  { q: 'estabilidade da gestante contrato por prazo determinado' },
  { q: 'responsabilidade subsidiária administração pública' },
  { q: 'intervalo intrajornada supressão parcial' },
  { q: 'equiparação salarial' },
  { q: 'justa causa abandono de emprego' },
  { q: 'aposentadoria por invalidez' },
  { q: 'benefício assistencial renda familiar' },
  { q: 'tempo especial ruído exposição' },
  { q: 'pensão por morte união estável' },
  { q: 'revisão do benefício decadência' },
  { q: 'plano de saúde negativa de cobertura' },
  { q: 'fornecimento de medicamento' },
  { q: 'inscrição indevida cadastro de inadimplentes' },
  { q: 'juros remuneratórios abusividade' },
  { q: 'alienação fiduciária busca e apreensão' },
  { q: 'empréstimo consignado fraude' },
  { q: 'usucapião extraordinária posse' },
  { q: 'alimentos exoneração maioridade' },
  { q: 'guarda compartilhada' },
  { q: 'inventário partilha de bens' },
  { q: 'acidente de trânsito culpa concorrente' },
  { q: 'atraso na entrega de imóvel' },
  { q: 'condomínio cotas em atraso' },
  { q: 'execução fiscal prescrição intercorrente' },
  { q: 'ICMS base de cálculo' },
  { q: 'imunidade tributária' },
  { q: 'repetição de indébito contribuição' },
  { q: 'licitação dispensa improbidade' },
  { q: 'concurso público nomeação cadastro de reserva' },
  { q: 'servidor público licença prêmio' },
  { q: 'desapropriação indireta juros compensatórios' },
  { q: 'tráfico de drogas causa de diminuição' },
  { q: 'prisão preventiva fundamentação' },
  { q: 'habeas corpus excesso de prazo' },
  { q: 'princípio da insignificância furto' },
  { q: 'violência doméstica medida protetiva' },
  { q: 'repercussão geral' },
  { q: 'embargos de declaração omissão' },
  { q: 'honorários advocatícios' },
  { q: 'recurso' },
  { q: 'art. 7º' },
  { q: 'súmula 331' },
  { q: 'servidão de passagem aqueduto' },
  { q: 'enfiteuse laudêmio' },
  { q: '"dano moral"' },
  { q: '"boa-fé objetiva"' },
  { q: '"coisa julgada" AND "ação rescisória"' },
  { q: '"tutela de urgência" AND (medicamento OR cirurgia)' },
  { q: 'indeniz*' },
  { q: 'previdenci* AND rural' },
  { q: 'penhora NOT salário' },
  { q: 'NEAR(contrato rescisão, 5)' },
  { q: 'responsabilidade civil', tribunal: 'stj' },
  { q: 'terceirização', ramo: 'trabalhista' },
  { q: 'auxílio-doença', tribunal: 'tnu,trf6' },
  { q: 'dano estético', uf: 'MG' },
  { q: 'competência', tipo: 'sumula' },
  { q: 'controle de constitucionalidade', tribunal: 'stf', tipo: 'acordao' },
  { q: 'prescrição', data_de: '2022-01-01' },
  { q: 'contrato', data_de: '2019-01-01', data_ate: '2020-12-31' },
];

/** The built-in searches as query strings. */
export function builtInSearches(): string[] {
  return BUILT_IN.map((search) => new URLSearchParams(search).toString());
}

/**
 * Searches of a file, one `q` a line, empty lines aside, as query strings.
 * @throws PlainError that names the line; the system's errors.
 */
export function searchesOf(file: string): string[] {
  const bytes = readFileSync(file);
  if (bytes.length > FILE_BYTES_MAX)
    throw new PlainError(`${file} is over 16 MiB; one query a line is meant`);
  const searches: string[] = [];
  for (const [at, line] of bytes.toString('utf8').split(/\r?\n/u).entries()) {
    const q = line.replace(/^\uFEFF/u, '').trim();
    if (q === '') continue;
    const length = [...q].length;
    if (length < Q_MIN || length > Q_MAX)
      throw new PlainError(
        `${file}, line ${at + 1}: a query has ${Q_MIN} to ${Q_MAX} characters, this ${length}`,
      );
    searches.push(new URLSearchParams({ q }).toString());
  }
  if (searches.length === 0) throw new PlainError(`${file} holds no query; write one a line`);
  return searches;
}

/** Writes searches as `searchesOf` reads them: the `q` of each on a line. @throws the system's errors. */
export function writeQueries(file: string, searches: readonly string[]): void {
  const lines = searches.map((search) => new URLSearchParams(search).get('q') ?? '');
  writeFileSync(file, `${lines.join('\n')}\n`);
}
