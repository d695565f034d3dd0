import type { Filtro } from '../src/base/messages.ts';
import { COLUNAS, partKey, tipoCode, tribunalCode, type Coluna } from '../src/base/schema.ts';
import { clearBit, forEachBit, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';

/** The values of one column for a block, by offset: court and type codes, or dates `yyyymmdd`, 0 for none. */
export function column({ statement }: Connection, coluna: Coluna, block: number): Uint8Array | Uint32Array {
  const dados =
    statement<Buffer>('SELECT dados FROM coluna WHERE parte = ?').pluck().get(partKey(coluna, block)) ??
    Buffer.alloc(0);
  if (COLUNAS[coluna] === 1) return dados;
  // The bytes are little endian, as every machine that this runs on; the buffer may start anywhere.
  const aligned = dados.byteOffset % 4 === 0 ? dados : Uint8Array.from(dados);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4));
}

type Test = (offset: number) => boolean;

/** Which decisions of a block count; null when all do. */
export function filterOf(
  connection: Connection,
  filtro: Filtro,
): ((bits: Bits, block: number) => void) | null {
  const { tribunais, tipo, julgamento_de, julgamento_ate } = filtro;
  const tests: ((block: number) => Test)[] = [];
  if (tribunais !== null) {
    const mask = tribunais.reduce((bits, codigo) => bits | (1 << tribunalCode(codigo)), 0);
    tests.push((block) => {
      const values = column(connection, 'tribunal', block);
      return (offset) => ((1 << (values[offset] ?? 0)) & mask) !== 0;
    });
  }
  if (tipo !== null) {
    const code = tipoCode(tipo);
    tests.push((block) => {
      const values = column(connection, 'tipo', block);
      return (offset) => values[offset] === code;
    });
  }
  if (julgamento_de !== null || julgamento_ate !== null) {
    // A missing date lies in no period.
    const from = Math.max(1, julgamento_de ?? 1);
    const to = julgamento_ate ?? Number.POSITIVE_INFINITY;
    tests.push((block) => {
      const values = column(connection, 'julgamento', block);
      return (offset) => (values[offset] ?? 0) >= from && (values[offset] ?? 0) <= to;
    });
  }
  if (tests.length === 0) return null;
  return (bits, block) => {
    for (const test of tests) keep(bits, test(block));
  };
}

function keep(bits: Bits, test: Test): void {
  forEachBit(bits, (offset) => {
    if (!test(offset)) clearBit(bits, offset);
  });
}
