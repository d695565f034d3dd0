import type { doubtsOf } from '../comparison.ts';
import { failedStep } from '../knee.ts';
import type { Run, Step, Warning } from '../result.ts';
import { formatPercent, formatRate, formatWhole, ms } from './numbers.ts';

export function warningInPortuguese({ code, value, limit, rate_per_s }: Warning): string {
  const at = rate_per_s === null ? '' : `A ${formatRate(rate_per_s)}, `;
  switch (code) {
    case 'interrupted':
      return 'O teste foi encerrado antes do fim; os pedidos então em andamento não entram em nenhum número.';
    case 'machine_busy':
      return `A máquina já estava ocupada antes do teste (carga média ${formatFigure(value)}, ${formatWhole(limit)} núcleos): parte da latência é de outros trabalhos.`;
    case 'generator_cpu':
      return `${at}o gerador usou ${formatPercent(value)} de um núcleo por thread: parte da latência pode ser dele. Use --workers (não numa gravação) ou baixe a taxa.`;
    case 'generator_late':
      return `${at}1 em cada 100 pedidos saiu com ${ms(value)} ms de atraso do próprio gerador: parte da latência é dele. Deixe-lhe um núcleo livre, ou use --workers (não numa gravação).`;
    case 'connections_busy':
      return `${at}${formatPercent(value)} dos pedidos não acharam conexão livre: com mais de ${formatWhole(limit)} ao mesmo tempo o serviço teria sentido mais. Veja --connections.`;
    case 'quota_low':
      return `A chave tinha ${formatWhole(value)} pedidos restantes no dia, e o teste faz ${formatWhole(limit)}. Emita outra com --quota maior.`;
    case 'ip_limit':
      return `O limite por IP recusou ${formatWhole(value)} pedidos. Inicie o serviço com IP_REQUESTS maior.`;
    case 'few_samples':
      return `${at}houve só ${formatWhole(value)} respostas: o percentil 99 se apoia em menos de dez. Use --duration maior.`;
    case 'cached':
      return `${at}${formatPercent(value)} das respostas vieram das guardadas (result cache): os números dizem mais delas que das bases. Use --unique, ou RESULT_CACHE_MB=0 no serviço.`;
    case 'few_queries':
      return `As palavras das bases só deram ${formatWhole(value)} consultas diferentes para ${formatWhole(limit)} primeiras páginas: algumas se repetiram. Carregue mais decisões ou peça menos.`;
  }
}

export function doubtInPortuguese(doubt: ReturnType<typeof doubtsOf>[number]): string {
  switch (doubt.about) {
    case 'passes':
      return 'Com uma só passagem, as margens não contam o que muda de um minuto a outro. Use --passes 8 nas duas execuções.';
    case 'load':
      return `A carga média da máquina era ${formatFigure(doubt.was)} antes e ${formatFigure(doubt.is)} depois: uma diferença pode vir de outros trabalhos.`;
    case 'cache':
      return `Vieram das guardadas ${formatPercent(doubt.was)} das respostas antes e ${formatPercent(doubt.is)} depois: a segunda execução repete consultas da primeira. Use outro --seed, ou reinicie o serviço.`;
  }
}

const QUERY_LISTS: Readonly<Record<string, string>> = {
  'built-in': 'lista própria',
  unique: 'todas diferentes, das palavras das próprias bases',
};

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'sem resposta no prazo',
  unsent: 'não enviado: nenhuma conexão livre no prazo',
  connect: 'conexão recusada',
  closed: 'conexão cortada',
  unframed: 'resposta ilegível como HTTP',
  not_a_search: 'resposta ilegível como busca',
  others: 'outros',
  '429': 'status 429 (limite por IP)',
};

export function errorText(name: string): string {
  return ERRORS[name] ?? `status ${name}`;
}

/** A run's plan as pairs of name and value. */
export function planRows({ plan, url, machine, requests, recording }: Run): [string, string][] {
  const rates = plan.rates_per_s.map(formatRate).join(', ');
  return [
    ['Endereço', url],
    ...recordingRows(recording, plan),
    ['Taxas', rates],
    [
      'Duração de cada taxa',
      `${formatFigure(plan.duration_s)} s, depois de ${formatFigure(plan.warmup_s)} s de aquecimento`,
    ],
    ['Passagens pelas taxas', formatWhole(plan.passes)],
    [
      'Pedidos feitos',
      `${formatWhole(requests.measured)} medidos, ${formatWhole(requests.warm_up)} do aquecimento, ${formatWhole(requests.before)} antes dele`,
    ],
    ...(recording === null ? mixRows(plan) : []),
    [
      'Gerador',
      `${formatWhole(plan.threads)} thread(s), até ${formatWhole(plan.connections)} conexões, prazo de ${formatFigure(plan.timeout_s)} s`,
    ],
    [
      'Máquina do gerador',
      `${formatWhole(machine.cores)} núcleos (${machine.processor}), ${formatFigure(machine.memory_gib)} GiB, ${machine.system}, Bun ${machine.bun}`,
    ],
    ['Carga da máquina antes do início', formatFigure(machine.load_average)],
  ];
}

/** What a load makes up itself; a recording has its own requests and times. */
function mixRows(plan: Run['plan']): [string, string][] {
  return [
    ['Chegadas', plan.arrivals === 'poisson' ? 'ao acaso (Poisson)' : 'a intervalos iguais'],
    ['Leituras de decisão', `${formatPercent(plan.records)} dos pedidos`],
    ['Buscas que seguem um cursor', formatPercent(plan.follow)],
    ['Ordem e limite', `${plan.ordem}, ${formatWhole(plan.limite)} itens`],
    ['Consultas', `${QUERY_LISTS[plan.queries] ?? plan.queries} (${formatWhole(plan.queries_count)})`],
    ['Semente', String(plan.seed)],
  ];
}

function recordingRows(recording: Run['recording'], plan: Run['plan']): [string, string][] {
  if (recording === null) return [];
  const { speed, data, data_now, left_out } = recording;
  return [
    [
      'Gravação',
      `${plan.queries} (${formatWhole(plan.queries_count)}), a ${formatFigure(speed)} vezes a velocidade; ${formatWhole(left_out)} pedidos com erro do cliente deixados de fora`,
    ],
    ['Versão dos dados na gravação', data.join(', ') || 'não informada'],
    ['Versão dos dados agora', data_now ?? 'não informada'],
  ];
}

const NOT_OF_THE_PLAN = new Set(['Endereço', 'Carga da máquina antes do início', 'Pedidos feitos']);

/** The names of the rows in which two runs' plans differ. */
export function differencesOf(a: Run, b: Run): string[] {
  const other = new Map(planRows(b));
  return planRows(a)
    .filter(([name, value]) => !NOT_OF_THE_PLAN.has(name) && other.get(name) !== value)
    .map(([name]) => name);
}

function formatFigure(value: number): string {
  return value.toLocaleString('pt-BR', { maximumFractionDigits: 3 });
}

export function kneeWords(run: Run): string {
  const { knee, steps } = run;
  const last = formatRate(steps.at(-1)?.rate_per_s ?? 0);
  switch (knee.found) {
    case 'knee':
      return `O serviço acompanhou até ${formatRate(knee.rate_per_s ?? 0)} (joelho). ${kneeReason(run)}`;
    case 'above':
      return `O serviço acompanhou todas as taxas, até ${last}: o joelho está acima delas.`;
    case 'below':
      return `O serviço não acompanhou nem a primeira taxa: o joelho está abaixo dela. ${kneeReason(run)}`;
    case 'single':
      return `Uma só taxa, ${last}: sem varredura não há joelho.`;
  }
}

function kneeReason(run: Run): string {
  const failed = failedStep(run);
  if (failed === null) return '';
  const { step, isSlow, isIncomplete, limitMs } = failed;
  const ended = step.due - step.interrupted - step.gone;
  const all = step.latency_ms.all;
  const reasons = [
    isIncomplete
      ? `${formatWhole(ended - step.complete)} de ${formatWhole(ended)} pedidos ficaram sem resposta completa`
      : '',
    isSlow
      ? `o percentil 99 de ${formatWhole(all?.count)} respostas foi de ${ms(all?.p99)} ms, acima de ${ms(limitMs)} ms (3 vezes o da primeira taxa mais 10)`
      : '',
  ];
  return `A ${formatRate(step.rate_per_s)}, ${reasons.filter(Boolean).join(', e ')}.`;
}

export function isKnee({ knee }: Run, { rate_per_s }: Step): boolean {
  return knee.found === 'knee' && rate_per_s === knee.rate_per_s;
}

/** The knee for a legend; empty if there is none. */
export function kneeLabel(run: Run): string {
  const step = run.steps.find((one) => isKnee(run, one));
  return step === undefined ? '' : ` (anel: joelho, ${formatRate(step.rate_per_s)})`;
}
