import { isObject } from './formats/fields.ts';

/**
 * The field that says that a record's case is under secrecy (`sigiloso`, `processo.segredoJustica`, `nivelSigilo` above 0), at
 * any depth; null if none does. Courts publish such a record by mistake.
 */
export function sealedBy(value: unknown, path = ''): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`;
    const isSaid = !Array.isArray(value) && isSecrecyName(name) && saysSecret(member);
    const found = isSaid ? at : sealedBy(member, at);
    if (found !== null) return found;
  }
  return null;
}

/** Any name of secrecy; most texts have none. */
export const SECRECY_SIGN = /sigil|segred|confiden/iu;

/** True for the name of a field, or of a label on a page, about the secrecy of a case. */
export function isSecrecyName(name: string): boolean {
  if (!SECRECY_SIGN.test(name)) return false;
  return SECRECY_NAME.test(
    name
      .normalize('NFD')
      .replaceAll(/[\p{Mn}\s_.:-]/gu, '')
      .toLowerCase(),
  );
}

/** True in any spelling of true, for a level above 0, and for words such as `Segredo de Justiça`. */
export function saysSecret(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value > 0;
  if (Array.isArray(value)) return value.some(saysSecret);
  if (isObject(value))
    return Object.entries(value).some(([name, one]) => VALUE_NAME.test(name) && saysSecret(one));
  return (
    typeof value === 'string' && SECRET_VALUE.test(value.trim()) && !/sem |n[ãa]o|p[úu]blic/iu.test(value)
  );
}

const SECRECY_NAME =
  /^(?:is|ind|indicador|in|fl|flag|st|em|possui|tem|processo|processos?em|processo|caso|tipo|nivel|grau|nivelde|graude)?(?:sob)?(?:(?:em)?segredo(?:de|da)?(?:justica)?|sigilo(?:so|sa)?(?:processo|processual|s)?|processosigiloso|segredojustica|sigilojudicial|confidencial)$/u;
const SECRET_VALUE =
  /^(?:s|sim\b.*|t|true|v|verdadeiro|verdade|y|yes|x|on|ativo|0*[1-9]\d?|(?:n[íi]vel )?[1-5]\b.*|.*(?:sigil|segred|confidenc|restrit).*)$/iu;
/** Members of an object that stand for its value. */
const VALUE_NAME = /^(?:valor|value|codigo|id|nivel|descricao|nome|sigla|ativo)$/iu;
