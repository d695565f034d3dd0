import { stringify } from 'csv-stringify/sync';
import type { Pagina, Resumo } from '../../client/client.ts';
import { countsText, highlighter, itemText } from './text.ts';

/** Formats a search's pages in order. */
export interface Output {
  readonly page: (page: Pagina) => string;
  /** The text after the last page. @param isSearched false if no base answered. */
  readonly end: (isSearched: boolean) => string;
}

export type Format = 'text' | 'json' | 'jsonl' | 'csv';

/** @param all true if there may be more than one page. */
export function outputOf(format: Format, q: string, all: boolean): Output {
  if (format === 'json') return all ? jsonArray() : { page: jsonLine, end: () => '' };
  if (format === 'jsonl') return { page: ({ itens }) => itens.map(jsonLine).join(''), end: () => '' };
  return format === 'csv' ? csv() : readable(q);
}

/** Waits until the text is written, so that a slow reader limits the speed. */
export async function write(text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Writes page by page, so that only one is in memory. */
function jsonArray(): Output {
  let before = '[';
  return {
    page: (page) => {
      const line = before + JSON.stringify(page);
      before = ',\n';
      return line;
    },
    end: () => ']\n',
  };
}

/** RFC 4180. Escapes texts that a spreadsheet would read as a formula. */
function csv(): Output {
  let header = true;
  return {
    page: ({ itens }) => {
      const rows = stringify(itens.map(flat), { header, columns: COLUMNS, escape_formulas: true });
      header = false;
      return rows;
    },
    end: () => '',
  };
}

const COLUMNS = [
  'id',
  'base',
  'fonte',
  'tipo',
  'processo',
  'classe_sigla',
  'classe_descricao',
  'orgao_julgador',
  'relator',
  'data_julgamento',
  'data_publicacao',
  'ementa_status',
  'trecho_da_ementa',
];

function flat({ classe, ...fields }: Resumo) {
  return { ...fields, classe_sigla: classe.sigla, classe_descricao: classe.descricao };
}

function readable(q: string): Output {
  const highlight = highlighter(q);
  let count = 0;
  return {
    page: (page) => {
      const head = count === 0 && page.itens.length > 0 ? `${countsText(page)}\n\n` : '';
      return head + page.itens.map((item) => `${itemText(item, (count += 1), highlight)}\n\n`).join('');
    },
    end: (isSearched) => (count === 0 && isSearched ? 'nada encontrado\n' : ''),
  };
}
