import { explain } from './process/fail.ts';
import { onLauncherGone } from './process/launcher.ts';
import { tryAddresses } from './process/listen.ts';
import { onSignals } from './process/signals.ts';
import { VISIBLE_ERRORS, visibleLines } from './process/visible.ts';
import { commandFor, makeDataFolder, readConfig, refuseUnwritable, type Config } from './config/config.ts';
import { removeTemporaries } from './process/files.ts';
import { isUnused, issueDemoKey, makeDemoBases } from './start/first-start.ts';
import { hasNoBases } from './index/write/base-file.ts';
import { madeUpBases } from './index/write/kinds.ts';
import { keysFolder } from './keys/store.ts';
import { createLog, terminalFormat, type ServiceLog } from './observe/log.ts';
import { BASE_SETTINGS, DATA_DIR_DEFAULT, SERVICE_SETTINGS } from './config/settings.ts';
import { createServing, startSystem, type System } from './system.ts';
import { openTraces } from './observe/traces/open.ts';
import { LOG_END_MS_MAX } from './config/limits.ts';

// Without arguments there is nothing to read: the library that reads them would take 14 ms of every such start.
if (isChild()) await serveAsChildOfService();
else if (process.argv.length > 2) await readCommandLine();
else await startOrSayWhy();

/** One of several processes that serve (`PROCESSES`): whoever types the word has no pipe to a parent. */
function isChild(): boolean {
  return process.argv[2] === 'child' && process.send !== undefined;
}

async function serveAsChildOfService(): Promise<void> {
  const { serveAsChild } = await import('./processes/child.ts');
  serveAsChild(createServing);
}

/** Help, or what is wrong with the arguments: there are none that a start takes. */
async function readCommandLine(): Promise<void> {
  const { Command } = await import('commander');
  await new Command('start')
    .description(
      'Serve the search service. Settings come from the environment and from DATA_DIR/config.toml.',
    )
    .addHelpText('after', `\nEnvironment, with defaults:\n${settingsText()}`)
    .configureOutput(VISIBLE_ERRORS)
    .showHelpAfterError('(run with --help for the settings)')
    .action(startOrSayWhy)
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

async function startOrSayWhy(): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`start: ${visibleLines(explain(error))}\n`);
    process.exit(1);
  }
}

/** Before there is a service to stop. */
function giveUp(): void {
  process.exit(1);
}

async function start(): Promise<void> {
  // Whatever is made in the data folder is for its owner alone.
  process.umask(0o077);
  let stop: () => void = giveUp;
  onLauncherGone(() => stop());
  const config = readConfig();
  const serviceLog = createLog(config.log_level, { format: await terminalFormat() });
  const { log } = serviceLog;
  makeDataFolder(config.data_dir);
  for (const folder of [config.data_dir, keysFolder(config.data_dir)]) removeTemporaries(folder);
  if (isUnused(config.data_dir)) await prepareFirst(config);
  const madeUp = madeUpBases(config.data_dir);
  if (madeUp.length > 0) console.log(madeUpNotice(madeUp, config.data_dir));
  else if (hasNoBases(config.data_dir)) console.log(withoutBases(config));
  const system = await startWhole(config, log);
  const key = config.demo === 0 ? null : issueDemoKey(config.data_dir);
  // Before anybody is told that it serves: whoever waits for that may stop it at once.
  stop = stopOnSignal(system, serviceLog);
  greet(system, key, config.data_dir);
  // A bug that no request owns must be seen, and must not end the service for all others.
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled rejection');
  });
  process.on('SIGUSR2', () => {
    log.info({ bases: system.states() }, 'state');
  });
}

/** Several processes are loaded only where they are asked for. */
async function startWhole(config: Config, log: ServiceLog['log']): Promise<System> {
  if (config.processes === 1) return startSystem(config, log, {}, await openTraces(process.env, log));
  const { startParent } = await import('./processes/parent.ts');
  return startParent(config, log);
}

/** Nothing is made in a folder before it is sure that it can be served from. */
async function prepareFirst(config: Config): Promise<void> {
  tryAddresses(config);
  refuseUnwritable(config.data_dir);
  if (config.demo === 0) return;
  const isOurs = await makeDemoBases(config.data_dir, (base) => {
    console.log(`Making demo base ${base} (made-up decisions)…`);
  });
  if (isOurs) console.log(`Six demo bases are in ${config.data_dir}`);
}

/** Nobody is to take a demo for what courts have decided. */
function madeUpNotice(bases: readonly string[], dataDir: string): string {
  return [
    `Made up are the decisions of ${bases.join(', ')}: a demo.`,
    'Before you load real ones, this removes them and the key demo:',
    `  ${commandFor(dataDir, 'demo', 'remove')}`,
  ].join('\n');
}

/** A folder that was used is never taken for a new one: what is gone from it is missing. */
function withoutBases({ data_dir, demo }: Config): string {
  const load = `Load one:  ${commandFor(data_dir, 'ingest', 'BASE FILE')}`;
  if (demo === 0) return `No bases are in ${data_dir}, and DEMO=0 makes no demo.\n${load}`;
  return [
    `No bases are in ${data_dir}, though it has keys or was served before.`,
    load,
    'For a demo, set DATA_DIR to a new folder.',
  ].join('\n');
}

function greet({ url, adminUrl }: System, key: string | null, dataDir: string): void {
  const first = [
    `Your key, shown this once: ${key}`,
    '\nTry:\n',
    `curl -H 'Authorization: Bearer ${key}' \\`,
    `  '${url}/v1/jurisprudencia/busca?q=dano+moral&limite=6'\n`,
  ];
  const later = [
    `Coverage needs no key:  curl '${url}/v1/jurisprudencia/cobertura'`,
    'A key for searches:',
    `  ${commandFor(dataDir, 'keys', 'issue NAME')}`,
  ];
  const lines = [`Serving at ${url}`, `Administration at ${adminUrl}`, ...(key === null ? later : first)];
  console.log([...lines, 'Ctrl-C stops it.'].join('\n'));
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

/** The first signal lets requests under way end; a second one does not wait. @returns does as the first. */
function stopOnSignal(system: System, log: ServiceLog): () => void {
  return onSignals(['SIGINT', 'SIGTERM'], {
    first: () => {
      console.log('Stopping…');
      void stopAndExit(system, log);
    },
    again: () => void log.end(0).then(() => process.exit(1)),
  });
}
