import { describe, expect, test } from 'vitest';
import { PARAMETROS } from '../../src/contract/vocabulary.ts';
import { readQueryString } from '../../src/query/query-string.ts';

const erro = (raw: string) => {
  const read = readQueryString(raw);
  if (!('codigo' in read)) throw new Error('not refused');
  return read.erro;
};

test('U+FFFD is an ordinary character; invalid UTF-8 is refused', () => {
  expect(readQueryString('q=%EF%BF%BDab')).toEqual({ q: '\ufffdab' });
  for (const bytes of ['%FF', '%EF%BF', '%ED%A0%80', '%C0%80', '%F4%90%80%80', '%'])
    expect(erro(`q=${bytes}ab`)).toContain('codificação % inválida');
});

describe('a parameter that does not exist', () => {
  test.each(['limit', 'Data-de', 'ordens'])('is refused with the nearest one: %s', (name) => {
    const near = { limit: 'limite', 'Data-de': 'data_de', ordens: 'ordem' }[name] ?? '';
    expect(erro(`q=dano&${name}=1`)).toBe(`o parâmetro "${name}" não existe; o mais próximo é ${near}`);
  });

  test('unlike any other is refused with the list of all', () => {
    expect(erro('q=dano&relatoria=1')).toBe(
      `o parâmetro "relatoria" não existe; os aceitos são ${PARAMETROS.join(', ')}`,
    );
  });

  test('is shown up to thirty characters', () => {
    const name = 'ç'.repeat(30);
    expect(erro(`${encodeURIComponent(name)}=1`)).toContain(`"${name}" não existe`);
    expect(erro(`${encodeURIComponent(name)}x=1`)).toContain(`"${name}…" não existe`);
  });
});
