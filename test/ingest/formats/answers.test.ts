import { expect, test } from 'vitest';
import { Damaged } from '../../../src/ingest/damaged.ts';
import { eprocHtml } from '../../../src/ingest/formats/eproc-html.ts';
import type { Formato } from '../../../src/ingest/formats/format.ts';
import { stfPesquisa } from '../../../src/ingest/formats/stf-pesquisa.ts';
import { tjmgHtml } from '../../../src/ingest/formats/tjmg-html.ts';
import { tjmgJson } from '../../../src/ingest/formats/tjmg-json.ts';
import { trt3Falcao } from '../../../src/ingest/formats/trt3-falcao.ts';
import { tstPesquisa } from '../../../src/ingest/formats/tst-pesquisa.ts';
import { read } from './support.ts';

const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body>${body}</body></html>`;
const EPROC = ':: eproc - Jurisprudência ::';
const TJMG = 'TJMG - Pesquisa por Jurisprud&ecirc;ncia';

const EMPTY: readonly (readonly [Formato, string])[] = [
  [eprocHtml, page(EPROC, '<h2>Nenhum documento encontrado</h2>')],
  [tjmgHtml, page(TJMG, 'Nenhum Espelho do Ac&oacute;rd&atilde;o foi encontrado.')],
  [tjmgJson, '{"totalRecords":0,"jurisprudencias":[]}'],
  [trt3Falcao, '{"quantidadeTotal":0,"documentos":[]}'],
  [tstPesquisa, '{"totalRegistros":0,"registros":[]}'],
];

test.each(EMPTY)(
  'an answer without results has no decision and is not damaged (%#)',
  async (format, text) => {
    expect((await read(format, format.bases[0]!, text)).items).toEqual([]);
  },
);

const CUT = 'cut: the JSON ends too early';
const DAMAGED: readonly (readonly [what: string, Formato, text: string, message: string])[] = [
  ['an error', stfPesquisa, '{"result": {"error": "timeout"}}', 'JSON without the list result.hits.hits'],
  ['a cut answer', stfPesquisa, '{"result":{"hits":{"hits":[{"_source":{"id":"1"}}]}', CUT],
  ['an error', tstPesquisa, '{"message":"x"}', 'JSON without the list registros: JSON that begins with'],
  ['a cut page', tstPesquisa, '{"totalRegistros":1,"registros":[{"registro":{"id":"1"}}', CUT],
  ['a refusal', tstPesquisa, '<html><title>Acesso negado</title>', 'titled "Acesso negado"'],
  ['an error', tjmgJson, '{"status":500}', 'JSON without the list jurisprudencias'],
  ['a refusal', trt3Falcao, '<html><title>403 Forbidden</title>', '403 Forbidden'],
  ['a page', eprocHtml, page('Erro', 'x'), 'not a page of results, but an HTML page titled "Erro"'],
  [
    'a CAPTCHA',
    eprocHtml,
    '<html><body><div class="g-recaptcha"></div></body></html>',
    'without a title, which asks for a CAPTCHA',
  ],
  ['JSON', eprocHtml, '{"erro": 1}', 'not an HTML page: it begins with'],
  ['the form', tjmgHtml, page(TJMG, '<form>Palavras</form>'), 'an HTML page titled "TJMG - Pesquisa por'],
  [
    'a CAPTCHA',
    tjmgHtml,
    page(TJMG, 'Digite os n&uacute;meros: <img id="captcha_image">'),
    'asks for a CAPTCHA',
  ],
];

test.each(DAMAGED)('%s in place of an answer is damaged (%#)', async (_, format, text, message) => {
  const failure = await read(format, format.bases[0]!, text).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Damaged);
  expect(failure).toMatchObject({ message: expect.stringContaining(message) });
});
