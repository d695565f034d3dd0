import { isRawNumber } from './raw-number.ts';

/**
 * Removes personal numbers. A court's answer may contain a signer's or a party's CPF. A field named for it does not reach
 * `extras`, and a CPF inside another field is masked. The decision's text is public and stays unchanged.
 */
export const MASK = '[CPF omitido]';

/** True if the field's name says that it holds a CPF. */
export function isPersonalField(name: string): boolean {
  return PERSONAL_NAME.test(name);
}

/** The value with each CPF masked and without the fields named for one. */
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

/** Eleven digits with two valid check digits. Eleven equal digits pass the check but belong to nobody. */
function isCpf(digits: string): boolean {
  if (!/^\d{11}$/u.test(digits) || /^(\d)\1*$/u.test(digits)) return false;
  return [9, 10].every((length) => checkDigit(digits.slice(0, length)) === digits[length]);
}

function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  return String(((sum * 10) % 11) % 10);
}
