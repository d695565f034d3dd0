import { PlainError, explain, runPlainly } from '../process/fail.ts';
import { authority, reachable } from '../process/listen.ts';
import { readConfig } from '../config/config.ts';

/** Longest wait of the command `healthcheck` for the answer. */
const HEALTHCHECK_MS_MAX = 3_000;

/** Exits with 0 if the service with this configuration is ready, else with 1 and the reason: images have Bun but no curl. */
await runPlainly('healthcheck', async () => {
  const { admin_host, admin_port, admin_token } = readConfig();
  const url = `http://${authority(reachable(admin_host), admin_port)}/health/ready`;
  const headers = admin_token === '' ? undefined : { authorization: `Bearer ${admin_token}` };
  const signal = AbortSignal.timeout(HEALTHCHECK_MS_MAX);
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw new PlainError(`no answer from ${url} (ADMIN_HOST, ADMIN_PORT): ${explain(error)}`, {
      cause: error,
    });
  });
  const body = (await response.text()).trim();
  if (!response.ok) throw new PlainError(`${response.status} ${body}`);
  console.log(body);
});
