import { isNoise } from './shift.ts';
import type { Compared, Doubt } from './comparison.ts';
import { endedOf } from './figures.ts';
import { failedStep } from './knee.ts';
import { listed, type Language } from './language.ts';
import type { Run, Step, Verdict, Warning } from './result.ts';

/** A reason to doubt the figures, and the mend that this run takes: a replay has no rate of its own. */
export function warningText(warning: Warning, { recording }: Pick<Run, 'recording'>, t: Language): string {
  const { code, value, limit, rate_per_s } = warning;
  const { say, whole, percent, rate, ms, short } = t;
  const at = rate_per_s === null ? '' : say(`at ${rate(rate_per_s)} `, `a ${rate(rate_per_s)} `);
  const isReplay = recording !== null;
  const less = isReplay
    ? say('give a lower --speed', 'use --speed menor')
    : say('lower the rate', 'baixe a taxa');
  switch (code) {
    case 'interrupted':
      return say(
        'the load was stopped early; requests that were running then are in no figure',
        'o teste foi encerrado antes do fim; os pedidos então em andamento não entram em nenhum número',
      );
    case 'machine_busy':
      return say(
        `this machine was busy before the load (load average ${short(value)}, ${limit} cores): some of the latency comes from other work`,
        `a máquina já estava ocupada antes do teste (carga média ${short(value)}, ${limit} núcleos): parte da latência é de outros trabalhos`,
      );
    case 'generator_cpu':
      return say(
        `${at}the generator took ${percent(value)} of a core: some of the latency may be its own; ${less}`,
        `${at}o gerador usou ${percent(value)} de um núcleo: parte da latência pode ser dele; ${less}`,
      );
    case 'generator_late':
      return say(
        `${at}the generator was ${ms(value)} ms late for 1 request in 100: some of the latency is its own; leave it a core, or ${less}`,
        `${at}1 em cada 100 pedidos saiu com ${ms(value)} ms de atraso do próprio gerador: parte da latência é dele; deixe-lhe um núcleo livre, ou ${less}`,
      );
    case 'connections_busy':
      return say(
        `${at}${percent(value)} of the requests found all connections busy, or had to open one: with more than ${whole(limit)} at once the service would have felt more; see --connections`,
        `${at}${percent(value)} dos pedidos não acharam conexão livre: com mais de ${whole(limit)} ao mesmo tempo o serviço teria sentido mais; veja --connections`,
      );
    case 'quota_low':
      return say(
        `the key had ${whole(value)} requests left today and the run makes ${whole(limit)}; issue one with a greater --quota`,
        `a chave tinha ${whole(value)} pedidos restantes no dia, e o teste faz ${whole(limit)}; emita outra com --quota maior`,
      );
    case 'ip_limit':
      return say(
        `the per-IP limit refused ${whole(value)} requests; start the service with a greater IP_REQUESTS`,
        `o limite por IP recusou ${whole(value)} pedidos; inicie o serviço com IP_REQUESTS maior`,
      );
    case 'few_samples':
      return say(
        `${at}there were only ${whole(value)} answers: the 99th percentile rests on fewer than ten; ${isReplay ? 'repeat the recording with --loop and --duration' : 'give a longer --duration'}`,
        `${at}houve só ${whole(value)} respostas: o percentil 99 se apoia em menos de dez; ${isReplay ? 'repita a gravação com --loop e --duration' : 'use --duration maior'}`,
      );
    case 'cached':
      return say(
        `${at}${percent(value)} of the answers came from the result cache: the figures show the cache more than the bases; ${isReplay ? 'start the service with RESULT_CACHE_MB=0' : 'give more --queries, or start the service with RESULT_CACHE_MB=0'} if that is not wanted`,
        `${at}${percent(value)} das respostas vieram das guardadas (result cache): os números dizem mais delas que das bases; se não for o que se quer, ${isReplay ? 'inicie o serviço com RESULT_CACHE_MB=0' : 'dê mais --queries, ou inicie o serviço com RESULT_CACHE_MB=0'}`,
      );
  }
}

export function doubtText(
  { about, was, is }: Doubt,
  { recording }: Pick<Run, 'recording'>,
  t: Language,
): string {
  const { say, percent, short } = t;
  if (about === 'load')
    return say(
      `the machine's load average was ${short(was)} before and ${short(is)} now: a difference may come from other work`,
      `a carga média da máquina era ${short(was)} antes e ${short(is)} agora: uma diferença pode vir de outros trabalhos`,
    );
  const mend =
    recording === null
      ? say('give another --seed, or restart the service', 'use outro --seed, ou reinicie o serviço')
      : say('restart the service before each replay', 'reinicie o serviço antes de cada repetição');
  return say(
    `of the answers ${percent(was)} came from the result cache before and ${percent(is)} now, so the runs measure different things: ${mend}`,
    `vieram das guardadas ${percent(was)} das respostas antes e ${percent(is)} agora, e assim as execuções medem coisas diferentes: ${mend}`,
  );
}

/** Up to which rate the service kept up, and why no further. */
export function kneeText(run: Run, t: Language): string {
  const { say, rate } = t;
  const { knee, steps } = run;
  const last = rate(steps.at(-1)?.rate_per_s ?? 0);
  switch (knee.found) {
    case 'knee':
      return say(
        `knee: the service kept up with ${rate(knee.rate_per_s ?? 0)}, and no more: ${kneeReason(run, t)}`,
        `O serviço acompanhou até ${rate(knee.rate_per_s ?? 0)} (joelho), e não mais: ${kneeReason(run, t)}.`,
      );
    case 'above':
      return say(
        `no knee: the service kept up with every rate up to ${last}; try higher ones`,
        `O serviço acompanhou todas as taxas, até ${last}: o joelho está acima delas.`,
      );
    case 'below':
      return say(
        `no knee: the service did not keep up with the first rate; try lower ones: ${kneeReason(run, t)}`,
        `O serviço não acompanhou nem a primeira taxa: ${kneeReason(run, t)}.`,
      );
    case 'single':
      return say('', `Uma só taxa, ${last}: sem varredura não há joelho.`);
  }
}

function kneeReason(run: Run, t: Language): string {
  const { say, whole, ms, rate } = t;
  const failed = failedStep(run);
  if (failed === null) return '';
  const { step, isSlow, isIncomplete, limitMs } = failed;
  const ended = endedOf(step);
  const missing = whole(ended - step.complete);
  const { count, p99 } = step.latency_ms.all ?? { count: 0, p99: null };
  const reasons = [
    isIncomplete
      ? say(
          `${missing} of ${whole(ended)} requests had no complete answer`,
          `${missing} de ${whole(ended)} pedidos ficaram sem resposta completa`,
        )
      : '',
    isSlow
      ? say(
          `the 99th percentile of ${whole(count)} answers was ${ms(p99)} ms, above ${ms(limitMs)} ms (3 times the first rate's plus 10)`,
          `o percentil 99 de ${whole(count)} respostas foi de ${ms(p99)} ms, acima de ${ms(limitMs)} ms (3 vezes o da primeira taxa mais 10)`,
        )
      : '',
  ];
  const texts = reasons.filter((text) => text !== '').join(say(', and ', ', e '));
  return say(`at ${rate(step.rate_per_s)} ${texts}`, `a ${rate(step.rate_per_s)}, ${texts}`);
}

/** The result of a condition of `--fail-if`, with the figure nearest to meeting it. */
export function verdictText({ condition, value, rate_per_s, is_noise }: Verdict, t: Language): string {
  const { say, rate, short, signed } = t;
  const isDifference = /[<>]=?[+-]/u.test(condition);
  const unit = condition.endsWith('%') ? '%' : '';
  const figure =
    value === null
      ? say('no answer to measure it by', 'não houve o que medir')
      : `${isDifference ? signed(value) : short(value)}${unit}`;
  const at = rate_per_s === null ? '' : say(` at ${rate(rate_per_s)}`, ` a ${rate(rate_per_s)}`);
  return `${figure}${at}${is_noise ? say(', within noise', ', dentro do acaso') : ''}`;
}

/** What two runs show in one sentence. */
export function comparisonText(rows: readonly Compared[], t: Language): string {
  const { say } = t;
  const different = rows.filter(({ change }) => !isNoise(change)).map(({ name }) => figureName(name, t));
  if (different.length > 0)
    return say(`${listed(different, 'and')} differ`, `Diferem: ${listed(different, 'e')}.`);
  if (rows.every(({ change }) => change.low === Number.NEGATIVE_INFINITY))
    return say(
      'too short to tell anything; give both a longer --duration, or more --passes',
      'As execuções são curtas demais para comparar: use --duration ou --passes maior nas duas.',
    );
  return say('no difference, all is within noise', 'Nenhuma diferença: tudo pode ser acaso.');
}

export function figureName(name: Compared['name'], { say }: Language): string {
  const words: Partial<Record<Compared['name'], string>> = {
    p50: 'mediana',
    p99: 'percentil 99',
    complete: 'respostas completas',
  };
  return say(name, words[name] ?? name);
}

export function errorText(name: string, { say }: Language): string {
  const texts: Readonly<Record<string, string>> = {
    timeout: say('timed out', 'sem resposta no prazo'),
    unsent: say('never sent (no free connection)', 'não enviados: nenhuma conexão livre no prazo'),
    connect: say('not connected', 'conexão recusada'),
    closed: say('cut off', 'conexão cortada'),
    unframed: say('not readable as HTTP', 'resposta ilegível como HTTP'),
    not_a_search: say('not readable as a search', 'resposta ilegível como busca'),
    others: say('other errors', 'outros'),
    '429': say('status 429 (per-IP limit)', 'status 429 (limite por IP)'),
  };
  return texts[name] ?? `status ${name}`;
}

/** Why a rate failed, or that it did not. */
export function stateText({ knee }: Run, step: Step, at: number, { say }: Language): string {
  const reasons = { incomplete: say('missing', 'faltaram respostas'), slow: say('slow', 'lento') };
  const texts = (knee.reasons[at] ?? []).map((reason) => reasons[reason]);
  if (texts.length > 0) return say(texts.join('+'), `não: ${texts.join(' e ')}`);
  const isKnee = knee.found === 'knee' && step.rate_per_s === knee.rate_per_s;
  return isKnee ? say('knee', 'sim (joelho)') : say('yes', 'sim');
}
