import { percent, rate, short, whole } from './format.ts';
import type { Run } from './result.ts';

/** What was asked for and from where, as pairs of a name and a value. A recording brings its own requests and times. */
export function planRows({ plan, url, machine, requests, data, recording }: Run): [string, string][] {
  const all = requests.before + requests.warm_up + requests.measured;
  const warmUp = plan.warmup_s === 0 ? '' : ` after ${short(plan.warmup_s)} s of warm-up`;
  const passes = plan.passes === 1 ? '' : `, ${plan.passes} passes`;
  const list = `${plan.queries} (${whole(plan.queries_count)})`;
  const mix = `${percent(plan.records)} records; of the searches ${percent(plan.follow)} follow a cursor`;
  const asked: [string, string][] =
    recording === null
      ? [
          ['queries', `${list}; ${plan.ordem}, ${plan.limite} items`],
          ['mix', `${mix}; ${plan.arrivals}, seed ${plan.seed}`],
        ]
      : [
          ['recorded', recordedText(recording.data, (data ?? '').split(', '))],
          [
            'recording',
            `${list}, at ${short(recording.speed)} times its speed; ${whole(recording.left_out)} with a fault of the client left out`,
          ],
        ];
  return [
    ['service', url],
    ['data', data ?? 'not named'],
    ...asked,
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

function recordedText(recorded: readonly string[], now: readonly string[]): string {
  const isSame = recorded.length > 0 && recorded.every((one) => now.includes(one));
  return isSame ? 'of the same data' : `of ${recorded.join(', ') || 'data that is not named'}`;
}
