import type { Environment } from '../../src/config/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { startSystem, type System } from '../../src/system.ts';
import { configIn, makeBases, temporaryFolder, type Decisions } from '../support/service.ts';

/** A data folder with its bases, before any service runs on it: for what must be so at the start. */
export function preparedFolder(decisions?: Decisions): string {
  const dataDir = temporaryFolder();
  makeBases(dataDir, decisions);
  return dataDir;
}

/** Starts the service on a folder; starting it again on the same one is a restart. */
export function startIn(
  dataDir: string,
  environment: Environment = {},
  tested?: Parameters<typeof startSystem>[2],
): System {
  return startSystem(configIn(dataDir, environment), createLog('silent').log, tested);
}
