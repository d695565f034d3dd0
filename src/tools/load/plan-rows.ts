import { percent, rate, short, whole } from './format.ts';
import type { Run } from './result.ts';

/** What was asked for and from where, as pairs of a name and a value. */
export function planRows(run: Run): [string, string][] {
  const { plan, url, machine, requests } = run;
  const all = requests.before + requests.warm_up + requests.measured;
  const warmUp = plan.warmup_s === 0 ? '' : ` after ${short(plan.warmup_s)} s of warm-up`;
  const passes = plan.passes === 1 ? '' : `, ${plan.passes} passes`;
  return [
    ['service', url],
    ...dataRows(run),
    ...requestRows(run),
    ['rates', `${plan.rates_per_s.map(rate).join(', ')}; ${short(plan.duration_s)} s each${warmUp}${passes}`],
    [
      'sent',
      `${whole(all)} requests in all: ${whole(requests.measured)} measured, ${whole(requests.warm_up)} of the warm-up, ${whole(requests.before)} before it`,
    ],
    ['generator', `up to ${whole(plan.connections)} connections, timeout ${short(plan.timeout_s)} s`],
    [
      'machine',
      `${whole(machine.cores)} cores (${machine.processor}), ${short(machine.memory_gib)} GiB, ${machine.system}, Bun ${machine.bun}; load average before ${short(machine.load_average)}`,
    ],
  ];
}

function dataRows({ data, recording }: Run): [string, string][] {
  const now: [string, string] = ['data', data ?? 'not named'];
  if (recording === null) return [now];
  const versions = (data ?? '').split(', ');
  const isSame = recording.data.length > 0 && recording.data.every((one) => versions.includes(one));
  return [
    now,
    ['recorded', isSame ? 'of the same data' : `of ${recording.data.join(', ') || 'data that is not named'}`],
  ];
}

/** A load makes up its own requests and times; a recording brings them. */
function requestRows({ plan, recording }: Run): [string, string][] {
  const list = `${plan.queries} (${whole(plan.queries_count)})`;
  if (recording !== null)
    return [
      [
        'recording',
        `${list}, at ${short(recording.speed)} times its speed; ${whole(recording.left_out)} with a fault of the client left out`,
      ],
    ];
  return [
    ['queries', `${list}; ${plan.ordem}, ${plan.limite} items`],
    [
      'mix',
      `${percent(plan.records)} records; of the searches ${percent(plan.follow)} follow a cursor; ${plan.arrivals}, seed ${plan.seed}`,
    ],
  ];
}
