import type { Base } from '../../contract/vocabulary.ts';
import { eprocHtml } from './eproc-html.ts';
import type { Formato } from './format.ts';
import { jsonl } from './jsonl.ts';
import { stfPesquisa } from './stf-pesquisa.ts';
import { stjEspelhos } from './stj-espelhos.ts';
import { tjmgHtml } from './tjmg-html.ts';
import { tjmgJson } from './tjmg-json.ts';
import { trt3Falcao } from './trt3-falcao.ts';
import { tstPesquisa } from './tst-pesquisa.ts';

/** All formats. A new one is a module and a row here. */
export const FORMATOS: readonly Formato[] = [
  jsonl,
  stjEspelhos,
  stfPesquisa,
  tstPesquisa,
  eprocHtml,
  tjmgHtml,
  tjmgJson,
  trt3Falcao,
];

/** The formats that can hold decisions of a base. */
export function formatsOf(base: Base): readonly Formato[] {
  return FORMATOS.filter(({ bases }) => bases.includes(base));
}
