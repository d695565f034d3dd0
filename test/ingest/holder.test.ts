import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainLoad } from '../../src/ingest/holder.ts';
import { publicationLock, takeLock } from '../../src/process/lock.ts';
import { temporaryFolder } from '../support/service.ts';

test('a load that waited in vain says whether a publication or another load has its base', () => {
  const folder = temporaryFolder();
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  const release = takeLock(folder, 0, publicationLock('stj'));
  expect(explainLoad(busy, folder, 'stj')).toContain('bun run publish stj is copying this base; wait');
  expect(explainLoad(busy, folder, 'tst')).toContain('another load is writing to this base; wait');
  expect(explainLoad(new Error('no memory'), folder, 'stj')).toBe('no memory');
  release();
  expect(explainLoad(busy, folder, 'stj')).toContain('another load is writing');
  rmSync(folder, { recursive: true });
});
