import { describe, expect, test } from 'vitest';
import { listenAt } from '../../src/process/listen.ts';

/** What is said of a host on which listening fails as Bun has it fail. */
function said(host: string, code: string, message = `${code}: some words, listen`): string {
  const fail = () => {
    throw Object.assign(new Error(message), { code });
  };
  try {
    listenAt({ host, port: 3000, admin_host: '127.0.0.1', admin_port: 0 }, () => undefined, fail);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('an address that cannot be listened on', () => {
  // A resolver's answer depends on the machine: it may know no name, not answer, or resolve every name.
  test.each(['EINVAL', 'EAGAIN', 'ENOENT', 'EADDRNOTAVAIL'])(
    'is reported for a foreign name, for any answer of the resolver (%s)',
    (code) => {
      expect(said('nowhere.invalid', code)).toBe(
        'HOST: nowhere.invalid does not resolve to an address of this machine; set it to one, for instance 127.0.0.1',
      );
    },
  );

  test.each([
    ['192.0.2.1', '192.0.2.1:3000'],
    ['2001:db8::1', '[2001:db8::1]:3000'],
  ])('is reported for %s as no address of this machine', (host, place) => {
    for (const code of ['EADDRNOTAVAIL', 'EINVAL']) {
      expect(said(host, code)).toBe(
        `${place} is not an address of this machine; set HOST to one, for instance 127.0.0.1`,
      );
    }
  });

  test('is reported as a port in use or a privileged port', () => {
    expect(said('127.0.0.1', 'EADDRINUSE')).toMatch(/^127\.0\.0\.1:3000 is in use; set PORT .*PORT=8080$/u);
    expect(said('nowhere.invalid', 'EADDRINUSE')).toMatch(/ in use, or nowhere\.invalid does not resolve /u);
    expect(said('127.0.0.1', 'EACCES')).toMatch(/^not allowed to listen on .*above 1023$/u);
  });

  test('is not reported for any other fault, which is reported unchanged', () => {
    expect(said('nowhere.invalid', 'EINVAL', 'a bug')).toBe('a bug');
  });
});
