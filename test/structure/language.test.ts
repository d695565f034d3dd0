import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

/** Rooms whose names are the contract's, or fields of the courts. */
const PORTUGUESE = /^src\/(?:contract|ingest\/formats)\//u;

/** Endings and beginnings of Portuguese words that no English word of a program has. */
const ENDINGS =
  /(?:cao|coes|sao|dade|mente|[ai]d[oa]s?|encia|ancia|orio|orios|agem|agens|avel|ivel|eiro|eira)$/u;
const BEGINNINGS =
  /^(?:acha|ajust[ea]|atras|carreg|chave|conjunt|consult[ae]|desc[ao]nh|encontr|escolh|espelh|etiquet|exempl|falh|faltan|fatia|fech|filtr[ao]|form[ao]to|geral|grav[ao]|guard[ao]|inici[ao]|inteir|intro[dz]u|jane[il]|ligad|linha|lista[sd]|lot[ae]|maior|menor|moldur|mostra|nenhum|nov[ao]s?$|numer[ao]s?$|pagin[ao]|palavr|pedid|pesquis|pont[ao]s?$|prazo|primeir|proxim|quadr[ao]|quant[ao]|reinici|resposta|resumos?$|risc[ao]|rotul|segund|selec[ao]|servico|sobre|sugest|tabela|tamanh|temp[ao]s?$|titul|total[a-z]*mente|trech|ultim|valor|vari[ao]s|vazi|verbet|vinculant|vizinh)/u;

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function codeOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gmu, '');
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/gu) ?? []).map((word) => word.toLowerCase());
}

/** Of the contract's identifiers, fields and values. */
const contract = new Set(
  sources('src/contract').flatMap((file) => (codeOf(file).match(/[A-Za-z]\w*/gu) ?? []).flatMap(wordsOf)),
);

/**
 * Portuguese words that names have had since before this test: mostly fields of the console's JSON and what the client
 * offers. None is added.
 */
const KNOWN = new Set(
  (
    'estados etiqueta exemplos guardadas instancia introducao listas numero pagina pedido pedidos ponto risco ' +
    'selecao selecionada servico sobrepostos sugestao valor'
  ).split(' '),
);

function isContracts(word: string): boolean {
  return contract.has(word) || contract.has(word.replace(/s$/u, ''));
}

test('names in the code are English, except for words of the contract', () => {
  const found = [...sources('src'), ...sources('workers')]
    .filter((file) => !PORTUGUESE.test(file))
    .flatMap((file) => {
      const declared =
        /\b(?:const|let|function|class|interface|type)\s+([A-Za-z_$][\w$]*)|(?<![\w.])(#[a-z]\w*)/gu;
      const names = [...codeOf(file).matchAll(declared)].map(([, name, own]) => name ?? own ?? '');
      return (
        [...new Set(names)]
          // Fields of JSON.
          .filter((name) => !/^[a-z]+_/u.test(name))
          .flatMap((name) => wordsOf(name).map((word) => ({ word, name: `${file}: ${name}` })))
          .filter(({ word }) => !isContracts(word) && (ENDINGS.test(word) || BEGINNINGS.test(word)))
          .filter(({ word }) => !KNOWN.has(word))
          .map(({ name }) => name)
      );
    });
  expect(found).toEqual([]);
});
