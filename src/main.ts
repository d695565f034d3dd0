import { rmSync } from 'node:fs';
import { BASES } from './contract/vocabulary.ts';
import { followedMark } from './index/format/schema.ts';
import type { Following } from './replicas/files/follow.ts';
import { explain } from './process/fail.ts';
import { onLauncherGone } from './process/launcher.ts';
import { tryAddresses } from './process/listen.ts';
import { onSignals } from './process/signals.ts';
import { visibleLines } from './process/visible.ts';
import {
  commandFor,
  issueCommand,
  makeDataFolder,
  readConfig,
  refuseUnwritable,
  type Config,
} from './config/config.ts';
import { removeTemporaries } from './process/files.ts';
import { isUnused, issueDemoKey, makeDemoBases } from './start/first-start.ts';
import { hasNoBases } from './index/write/base-file.ts';
import { madeUpBases } from './index/write/kinds.ts';
import { isUnwiped } from './index/write/wipe.ts';
import { keysFolder } from './keys/store.ts';
import { createLog, terminalFormat, type ServiceLog, LOG_END_MS_MAX } from './observe/log.ts';
import { BASE_SETTINGS, DATA_DIR_DEFAULT, SERVICE_SETTINGS } from './config/settings.ts';
import { startSystem, type System } from './system.ts';
import type { Shared } from './serving.ts';
import { openTraces } from './observe/traces/open.ts';

// Without arguments the argument parser is not loaded, which saves 14 ms at each start.
if (process.argv.length > 2) await readCommandLine();
else await startOrFail();

/** Prints help or an error: a start takes no arguments. */
async function readCommandLine(): Promise<void> {
  const { operatorCommand } = await import('./process/command.ts');
  await operatorCommand(
    'start',
    'Serve the search service. Settings come from the environment and from DATA_DIR/config.toml.',
    `Environment, with defaults:\n${settingsText()}`,
  )
    .showHelpAfterError('(run with --help for the settings)')
    .action(startOrFail)
    .parseAsync();
}

function settingsText(): string {
  return [
    `  DATA_DIR (${DATA_DIR_DEFAULT})`,
    ...SERVICE_SETTINGS.map(({ env, fallback }) => `  ${env} (${String(fallback)})`),
    ...BASE_SETTINGS.map(
      ({ env, fallback }) => `  BASES_${env}, or BASES_TST_${env} for one base (${fallback})`,
    ),
  ].join('\n');
}

async function startOrFail(): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`start: ${visibleLines(explain(error))}\n`);
    process.exit(1);
  }
}

/** Stops a start that has no service yet. */
function exitNow(): void {
  process.exit(1);
}

async function start(): Promise<void> {
  // Only the owner may read the files of the data folder.
  process.umask(0o077);
  let stop: () => void = exitNow;
  onLauncherGone(() => stop());
  const config = readConfig();
  const serviceLog = createLog(config.log_level, { format: await terminalFormat() });
  const { log } = serviceLog;
  makeDataFolder(config.data_dir);
  for (const folder of [config.data_dir, keysFolder(config.data_dir)]) removeTemporaries(folder);
  // Logs an error outside requests, which must not end the service.
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled rejection');
  });
  await fillUnusedFolder(config);
  for (const base of BASES.filter((one) => isUnwiped(config.data_dir, one)))
    log.warn({ base }, `a withdrawal was stopped; end it: bun run withdraw ${base}`);
  const files = await followed(config, log);
  const traces = await openTraces(process.env, log);
  const system = startSystem(config, log, { ...(await sharedOf(config, log)), files }, traces);
  const key = config.demo === 0 || config.nats_url.length > 0 ? null : issueDemoKey(config.data_dir);
  // Before the greeting, because a program that waits for the greeting may stop the service immediately.
  stop = stopOnSignal(system, serviceLog);
  greet(system, key, config);
  process.on('SIGUSR2', () => {
    log.info({ bases: system.states() }, 'state');
  });
}

/** Follows published base files, if any are named; else the bases here can be loaded. */
async function followed(config: Config, log: ServiceLog['log']): Promise<Following | null> {
  if (config.bases_url !== '') return (await import('./replicas/files/follow.ts')).followFiles(config, log);
  for (const base of BASES) rmSync(followedMark(config.data_dir, base), { force: true });
  return null;
}

/** Fills an unused folder with a demo, and prints which bases are made up. */
async function fillUnusedFolder(config: Config): Promise<void> {
  if (config.bases_url !== '') return;
  if (isUnused(config.data_dir)) await initialise(config);
  const madeUp = madeUpBases(config.data_dir);
  if (madeUp.length > 0) console.log(madeUpNotice(madeUp, config.data_dir));
  else if (hasNoBases(config.data_dir)) console.log(withoutBases(config));
}

/** Loads the code for replicas only with `NATS_URL`. */
async function sharedOf(config: Config, log: ServiceLog['log']): Promise<{ shared?: Shared }> {
  if (config.nats_url.length === 0) return {};
  const { joinReplicas } = await import('./replicas/join.ts');
  return { shared: await joinReplicas(config, log) };
}

/** Creates demo bases in an unused folder, after checking that the service can listen and write. */
async function initialise(config: Config): Promise<void> {
  tryAddresses(config, config.share_port === 1);
  refuseUnwritable(config.data_dir);
  if (config.demo === 0) return;
  const isOurs = await makeDemoBases(config.data_dir, (base) => {
    console.log(`Creating demo base ${base} (made-up decisions)…`);
  });
  if (isOurs) console.log(`Six demo bases are in ${config.data_dir}`);
}

/** Warns that the decisions of a demo are not real. */
function madeUpNotice(bases: readonly string[], dataDir: string): string {
  return [
    `The decisions of ${bases.join(', ')} are made up: this is a demo.`,
    'Before you load real decisions, remove them and the key demo:',
    `  ${commandFor(dataDir, 'demo', 'remove')}`,
  ].join('\n');
}

/** The notice for a used folder without bases; demo bases are not created there. */
function withoutBases({ data_dir, demo }: Config): string {
  const load = `Load one:  ${commandFor(data_dir, 'ingest', 'BASE FILE')}`;
  if (demo === 0) return `No bases are in ${data_dir}, and DEMO=0 makes no demo.\n${load}`;
  return [
    `No bases are in ${data_dir}, though it has keys or was served before.`,
    load,
    'For a demo, set DATA_DIR to a new folder.',
  ].join('\n');
}

function greet({ url, adminUrl }: System, key: string | null, config: Config): void {
  const first = [
    `Your key, shown this once: ${key}`,
    '\nTry:\n',
    `curl -H 'Authorization: Bearer ${key}' \\`,
    `  '${url}/v1/jurisprudencia/busca?q=dano+moral&limite=6'\n`,
  ];
  const later = [`Coverage needs no key:  curl '${url}/v1/jurisprudencia/cobertura'`, ...keyHint(config)];
  const lines = [`Serving at ${url}`, `Administration at ${adminUrl}`, ...(key === null ? later : first)];
  console.log([...lines, 'Ctrl-C stops it.'].join('\n'));
}

function keyHint(config: Config): string[] {
  return ['Searches need a key: one issued before, or a new one:', `  ${issueCommand(config)}`];
}

async function stopAndExit(system: System, log: ServiceLog): Promise<void> {
  try {
    await system.stop();
    await log.end(LOG_END_MS_MAX);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`start: ${visibleLines(explain(error))}\n`);
    process.exit(1);
  }
}

/** The first signal lets running requests end; a second one does not wait. @returns a function that acts as the first. */
function stopOnSignal(system: System, log: ServiceLog): () => void {
  return onSignals(['SIGINT', 'SIGTERM'], {
    first: () => {
      console.log('Stopping…');
      void stopAndExit(system, log);
    },
    again: () => void log.end(0).then(() => process.exit(1)),
  });
}
