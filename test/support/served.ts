import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startService, type Service } from './service.ts';

/** A service for the tests of a file or group: started before the first, stopped after the last. */
export function served(...given: Parameters<typeof startService>): Service {
  const service = {} as Service;
  beforeAll(async () => {
    Object.assign(service, await startService(...given));
  });
  afterAll(() => service.stop());
  return service;
}

/** A service that is stopped after the test. */
export async function servedInTest(...given: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...given);
  onTestFinished(() => service.stop());
  return service;
}
