import { vi } from 'vitest';

/** For `expect.poll`: longer than any machine that is merely busy takes. */
export const WAIT = { timeout: 60_000 };
const TEST_MS_MAX = 600_000;

/** For the head of a test file that waits for much: its tests may take as long as a busy machine makes them. */
export function bePatient(): void {
  vi.setConfig({ testTimeout: TEST_MS_MAX, hookTimeout: TEST_MS_MAX });
}
