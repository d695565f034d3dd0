import type { Language } from './language.ts';
import type { Run } from './result.ts';

/** What was asked for and from where, as pairs of a name and a value. */
export function planRows(run: Run, t: Language): [string, string][] {
  const { say, whole, short, rate } = t;
  const { plan, url, machine, requests } = run;
  const all = requests.before + requests.warm_up + requests.measured;
  const passes = plan.passes === 1 ? '' : say(`, ${plan.passes} passes`, `, ${plan.passes} passagens`);
  return [
    [say('service', 'Serviço'), url],
    ...dataRows(run, t),
    ...requestRows(run, t),
    [
      say('rates', 'Taxas'),
      say(
        `${plan.rates_per_s.map(rate).join(', ')}; ${short(plan.duration_s)} s each after ${short(plan.warmup_s)} s of warm-up${passes}`,
        `${plan.rates_per_s.map(rate).join(', ')}; ${short(plan.duration_s)} s cada uma depois de ${short(plan.warmup_s)} s de aquecimento${passes}`,
      ),
    ],
    [
      say('sent', 'Pedidos feitos'),
      say(
        `${whole(all)} requests in all: ${whole(requests.measured)} measured, ${whole(requests.warm_up)} of the warm-up, ${whole(requests.before)} before it`,
        `${whole(all)} ao todo: ${whole(requests.measured)} medidos, ${whole(requests.warm_up)} do aquecimento, ${whole(requests.before)} antes dele`,
      ),
    ],
    [
      say('generator', 'Gerador'),
      say(
        `up to ${whole(plan.connections)} connections, timeout ${short(plan.timeout_s)} s`,
        `até ${whole(plan.connections)} conexões, prazo de ${short(plan.timeout_s)} s`,
      ),
    ],
    [
      say('machine', 'Máquina do gerador'),
      say(
        `${whole(machine.cores)} cores (${machine.processor}), ${short(machine.memory_gib)} GiB, ${machine.system}, Bun ${machine.bun}; load average before ${short(machine.load_average)}`,
        `${whole(machine.cores)} núcleos (${machine.processor}), ${short(machine.memory_gib)} GiB, ${machine.system}, Bun ${machine.bun}; carga média antes ${short(machine.load_average)}`,
      ),
    ],
  ];
}

function dataRows({ data, recording }: Run, { say }: Language): [string, string][] {
  const unnamed = say('not named', 'não informada');
  const now: [string, string] = [say('data', 'Versão dos dados'), data ?? unnamed];
  if (recording === null) return [now];
  const versions = (data ?? '').split(', ');
  const isSame = recording.data.length > 0 && recording.data.every((one) => versions.includes(one));
  const then = isSame ? say('the same', 'a mesma') : recording.data.join(', ') || unnamed;
  return [now, [say('recorded', 'Versão na gravação'), then]];
}

/** A load makes up its own requests and times; a recording brings them. */
function requestRows({ plan, recording }: Run, t: Language): [string, string][] {
  const { say, whole, short, percent } = t;
  if (recording !== null)
    return [
      [
        say('recording', 'Gravação'),
        say(
          `${plan.queries} (${whole(plan.queries_count)}), at ${short(recording.speed)} times its speed; ${whole(recording.left_out)} requests with faults of clients left out`,
          `${plan.queries} (${whole(plan.queries_count)}), a ${short(recording.speed)} vezes a velocidade; ${whole(recording.left_out)} pedidos com erro do cliente deixados de fora`,
        ),
      ],
    ];
  const lists: Readonly<Record<string, string>> = {
    'built-in': say('the built-in list', 'lista própria'),
  };
  return [
    [
      say('queries', 'Consultas'),
      `${lists[plan.queries] ?? plan.queries} (${whole(plan.queries_count)}); ${plan.ordem}, ${say(`${plan.limite} items`, `${plan.limite} itens`)}`,
    ],
    [
      say('mix', 'Mistura'),
      say(
        `${percent(plan.records)} records; of the searches ${percent(plan.follow)} follow a cursor; ${plan.arrivals}, seed ${plan.seed}`,
        `${percent(plan.records)} leituras de decisão; das buscas ${percent(plan.follow)} seguem um cursor; chegadas ${plan.arrivals === 'poisson' ? 'ao acaso (Poisson)' : 'a intervalos iguais'}, semente ${plan.seed}`,
      ),
    ],
  ];
}

/** The names of the parts in which the plans of two runs differ. */
export function planDifferences(before: Run, now: Run): string[] {
  const other: Readonly<Record<string, unknown>> = now.plan;
  return Object.entries(before.plan).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(other[name]) ? [] : [name],
  );
}
