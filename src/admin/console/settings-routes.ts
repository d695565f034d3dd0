import { Elysia } from 'elysia';
import type { Logger } from 'pino';
import { isOneOf } from '../../contract/vocabulary.ts';
import { liveSettings, PLACES } from '../../config/settings.ts';
import { adminErro, adminJson, fileFault } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import { isNewValue, readBody } from './body.ts';
import { writeSettings } from './live-file.ts';
import type { Change, Refusal, SettingToWrite, Tuning } from './tuning.ts';

export interface SettingsOptions {
  readonly tuning: Tuning;
  readonly liveFile: string;
  /** Gets a line for each change and each write. */
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const STATUS = { invalido: 400, sem_efeito: 409, a_confirmar: 409, sem_nats: 503 } as const;

/** Shows and changes the settings of each base, and writes them to `live.toml`. */
export function settingsRoutes({ tuning, liveFile, log }: SettingsOptions): AdminPart {
  return new Elysia()
    .get('/console/api/ajustes', () => adminJson(200, settingsReport(tuning)))
    .put(
      '/console/api/ajustes/:base/:chave',
      async ({ request, params: { base, chave } }) => {
        if (!isOneOf(PLACES, base)) return adminErro(404, `não há base ${base}; há ${PLACES.join(', ')}`);
        const keys = liveSettings(base).map(({ key }) => key);
        if (!isOneOf(keys, chave)) return adminErro(404, `não há ajuste ${chave}; há ${keys.join(', ')}`);
        const body = await readBody(request, isNewValue, '{"valor": 4}');
        if (body instanceof Response) return body;
        const { valor, confirmado = false } = body;
        const result = await tuning.change(base, chave, valor, confirmado);
        return 'recusa' in result && result.recusa === 'a_confirmar'
          ? unconfirmed(result.erro, valor)
          : answer(result, log);
      },
      { parse: 'none' },
    )
    .post('/console/api/gravar', () => write({ tuning, liveFile, log }));
}

export type SettingsReport = ReturnType<typeof settingsReport>;

function settingsReport(tuning: Tuning) {
  return { ajustes: tuning.report(), historico: tuning.history };
}

function answer(result: Change | Refusal, log: SettingsOptions['log']): Response {
  if ('recusa' in result) return adminErro(STATUS[result.recusa], result.erro);
  const { numero, base, chave, de, para } = result;
  log.info({ change: numero, base, setting: chave, before: de, after: para }, 'console: setting changed');
  return adminJson(200, result);
}

/** The risk and how to confirm the change. `risco` is the risk alone, for the page's question. */
function unconfirmed(risco: string, valor: number): Response {
  const how = `para mudar mesmo assim, envie {"valor": ${valor}, "confirmado": true}`;
  return adminJson(STATUS.a_confirmar, { erro: `${risco}; nada mudou: ${how}`, risco });
}

/** Writes the settings that a restart would lose. */
function write({ tuning, liveFile: file, log }: SettingsOptions): Response {
  let settings: readonly SettingToWrite[];
  try {
    settings = tuning.unwritten();
  } catch (error) {
    return adminErro(409, unreadable(error));
  }
  if (settings.length > 0) {
    try {
      writeSettings(file, settings);
    } catch (error) {
      return fileFault(`não foi possível gravar ${file}`, error);
    }
    const written = settings.map(({ base, chave, valor }) => ({ base, setting: chave, value: valor }));
    log.info({ file, settings: written }, 'console: settings written');
  }
  tuning.noteWritten();
  return adminJson(200, { arquivo: file, gravados: settings });
}

/** The files' mistakes, as the service prints them at start, under a Portuguese title. */
function unreadable(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  const mistakes = lines.length > 1 ? lines.slice(1) : lines;
  const title =
    'os arquivos de ajustes não são válidos, e nada foi gravado; corrija-os (mensagens da leitura, em inglês):';
  return [title, ...mistakes].join('\n');
}
