import type { StatusEmenta } from '../../contract/enums.ts';
import { composeEmenta, type EmentaPlan } from './ementa.ts';
import { TJMG_CAP_MIN } from './courts.ts';
import { BARE } from './morphology.ts';
import type { Voice } from './voice.ts';

const ELLIPSES = ['...', '…', ' Ler mais...', '...'];
const TJMG_ENDING = ' Ler mais...';
/** Extra characters, so that the cut is inside the text. */
const CUT_MARGIN = 260;
/** A shorter ementa is suspect (`ementa_status`). */
const SUSPECT_MAX = 60;
const SUSPECT_MOJIBAKE = 0.45;

const windows1252 = new TextDecoder('windows-1252');

/** The cumulative shares of the statuses; `unit` in [0, 1) picks one. */
export function statusAt(unit: number): StatusEmenta {
  if (unit < 0.035) return 'ausente';
  if (unit < 0.05) return 'suspeita';
  return unit < 0.085 ? 'truncada' : 'completa';
}

/** The ementa of a decision as delivered by its source, with the given status. */
export function deliverEmenta(voice: Voice, plan: EmentaPlan, status: StatusEmenta): string | null {
  switch (status) {
    case 'ausente':
      return null;
    case 'suspeita':
      return suspect(voice, plan);
    case 'truncada': {
      const whole = composeEmenta(voice, { ...plan, length: plan.length + CUT_MARGIN });
      return cut(whole, plan.length, plan.length >= TJMG_CAP_MIN ? TJMG_ENDING : voice.rng.pick(ELLIPSES));
    }
    case 'completa':
      return composeEmenta(voice, plan);
  }
}

function cut(text: string, length: number, ending: string): string {
  const end = Math.min(text.length - 2, length) - ending.length;
  // A space or full stop before the ellipsis would look like an end.
  return text.slice(0, end).replace(/[\s.,;:-]+$/u, '') + ending;
}

function suspect(voice: Voice, plan: EmentaPlan): string {
  if (voice.rng.chance(SUSPECT_MOJIBAKE)) {
    return mojibake(`DECLARAÇÃO DE VOTO. ${composeEmenta(voice, { ...plan, length: 160 })}`);
  }
  const topic = voice.topic().texts[BARE] ?? '';
  const stub = voice.rng.pick([
    `${plan.className}.`,
    topic.toUpperCase(),
    'EMENTA PENDENTE DE PUBLICAÇÃO.',
    `Recurso sobre ${topic}.`,
  ]);
  return stub.slice(0, SUSPECT_MAX - 1).trimEnd();
}

/** The text with its UTF-8 bytes read as Windows-1252, the usual damage of old court systems. */
function mojibake(text: string): string {
  return windows1252.decode(new TextEncoder().encode(text));
}
