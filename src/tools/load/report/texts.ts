import type { Run, Warning } from '../result.ts';
import { inteiro, ms, porcento, taxa } from './numbers.ts';

/** A warning in one sentence, with a correction. */
export function aviso({ code, value, limit, rate_per_s }: Warning): string {
  const em = rate_per_s === null ? '' : `A ${taxa(rate_per_s)}, `;
  switch (code) {
    case 'interrupted':
      return 'O teste foi encerrado antes do fim; os pedidos então em andamento não entram em nenhum número.';
    case 'machine_busy':
      return `A máquina já estava ocupada antes do teste (carga média ${curtos(value)}, ${inteiro(limit)} núcleos): parte da latência é de outros trabalhos.`;
    case 'generator_cpu':
      return `${em}o gerador usou ${porcento(value)} de um núcleo por thread: parte da latência pode ser dele. Use --workers ou baixe a taxa.`;
    case 'generator_late':
      return `${em}1 em cada 100 pedidos saiu com ${ms(value)} ms de atraso do próprio gerador: parte da latência é dele. Use --workers ou deixe-lhe um núcleo livre.`;
    case 'connections_busy':
      return `${em}${porcento(value)} dos pedidos não acharam conexão livre: com mais de ${inteiro(limit)} ao mesmo tempo o serviço teria sentido mais. Veja --connections.`;
    case 'quota_low':
      return `A chave tinha ${inteiro(value)} pedidos restantes no dia, e o teste faz ${inteiro(limit)}. Emita outra com --quota maior.`;
    case 'ip_limit':
      return `O limite por IP recusou ${inteiro(value)} pedidos. Inicie o serviço com IP_REQUESTS maior.`;
    case 'few_samples':
      return `${em}houve só ${inteiro(value)} respostas: o percentil 99 se apoia em menos de dez. Use --duration maior.`;
    case 'cached':
      return `${em}${porcento(value)} das respostas vieram das guardadas (result cache): os números dizem mais delas que das bases. Use --unique.`;
    case 'few_queries':
      return `As palavras das bases só deram ${inteiro(value)} consultas diferentes para ${inteiro(limit)} primeiras páginas: algumas se repetiram. Carregue mais decisões ou peça menos.`;
  }
}

const LISTAS: Readonly<Record<string, string>> = {
  'built-in': 'lista própria',
  unique: 'todas diferentes, das palavras das próprias bases',
};

const ERROS: Readonly<Record<string, string>> = {
  timeout: 'sem resposta no prazo',
  unsent: 'não enviado: nenhuma conexão livre no prazo',
  connect: 'conexão recusada',
  closed: 'conexão cortada',
  unframed: 'resposta ilegível como HTTP',
  not_a_search: 'resposta ilegível como busca',
  others: 'outros',
  '429': 'status 429 (limite por IP)',
};

export function erro(name: string): string {
  return ERROS[name] ?? `status ${name}`;
}

/** The plan of a run in rows of name and value. */
export function plano({ plan, url, machine }: Run): [string, string][] {
  const rates = plan.rates_per_s.map(taxa).join(', ');
  return [
    ['Endereço', url],
    ['Taxas', rates],
    [
      'Duração de cada taxa',
      `${curtos(plan.duration_s)} s, depois de ${curtos(plan.warmup_s)} s de aquecimento`,
    ],
    ['Chegadas', plan.arrivals === 'poisson' ? 'ao acaso (Poisson)' : 'a intervalos iguais'],
    ['Leituras de decisão', `${porcento(plan.records)} dos pedidos`],
    ['Buscas que seguem um cursor', porcento(plan.follow)],
    ['Ordem e limite', `${plan.ordem}, ${inteiro(plan.limite)} itens`],
    ['Consultas', `${LISTAS[plan.queries] ?? plan.queries} (${inteiro(plan.queries_count)})`],
    ['Semente', String(plan.seed)],
    [
      'Gerador',
      `${inteiro(plan.threads)} thread(s), até ${inteiro(plan.connections)} conexões, prazo de ${curtos(plan.timeout_s)} s`,
    ],
    [
      'Máquina do gerador',
      `${inteiro(machine.cores)} núcleos (${machine.processor}), ${curtos(machine.memory_gib)} GiB, ${machine.system}, Bun ${machine.bun}`,
    ],
    ['Carga da máquina antes do início', curtos(machine.load_average)],
  ];
}

/** The names of the rows in which the plans of two runs differ. */
export function diferencas(a: Run, b: Run): string[] {
  const other = new Map(plano(b));
  return plano(a)
    .filter(([name, value]) => name !== 'Endereço' && !name.startsWith('Carga') && other.get(name) !== value)
    .map(([name]) => name);
}

function curtos(value: number): string {
  return value.toLocaleString('pt-BR', { maximumFractionDigits: 3 });
}
