import { isRawNumber } from './raw-number.ts';

/**
 * Numbers that name a person. A court's answer may carry the CPF of who signed or of a party beside the decision;
 * such a field must not reach `extras`, whatever it is called, and a number inside another field is masked. The text
 * of a decision itself is public as it was published, and stays as it is.
 */
export const MASK = '[CPF omitido]';

/** True for a field whose name says that it holds personal numbers. */
export function isPersonalField(name: string): boolean {
  return PERSONAL_NAME.test(name);
}

/** The value with each CPF in it masked, fields named for one left out, and all else as it came. */
export function withoutPersonal(value: unknown): unknown {
  if (typeof value === 'string') return masked(value);
  if (typeof value === 'number') return isCpf(String(value)) ? MASK : value;
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(withoutPersonal);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isPersonalField(name))
      .map(([name, member]) => [name, withoutPersonal(member)]),
  );
}

/** `codCPFSignatario`, `cpf_parte`: no word of Portuguese holds these three letters. */
const PERSONAL_NAME = /cpf/iu;
/** 123.456.789-09, 123456789-09 or 12345678909, and not a part of a longer number. */
const CPF = /(?<!\d)(?<!\d[./-])\d{3}\.?\d{3}\.?\d{3}[-/.]?\d{2}(?!\d|[./-]\d)/gu;

function masked(text: string): string {
  return text.replaceAll(CPF, (found) => (isCpf(found.replaceAll(/\D/gu, '')) ? MASK : found));
}

/** Eleven digits whose last two check the others; eleven equal ones do so too and are nobody's. */
function isCpf(digits: string): boolean {
  if (!/^\d{11}$/u.test(digits) || /^(\d)\1*$/u.test(digits)) return false;
  return [9, 10].every((length) => checkDigit(digits.slice(0, length)) === digits[length]);
}

function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  return String(((sum * 10) % 11) % 10);
}
