import type { CodigoTribunal, Tipo } from '../../contract/enums.ts';
import { PLACES, STATE_CODES } from './coinage.ts';
import type { CaseClass, Field } from './courts.ts';
import { OF } from './morphology.ts';
import { grouped, hexadecimal, padded } from './numbers.ts';
import type { Outcome } from './outcomes.ts';
import type { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import type { Voice } from './voice.ts';

const INDICATORS = [
  'Tramitação Eletrônica',
  'Conector PJe-JT - eSIJ',
  'Rito Sumaríssimo',
  'Segredo de Justiça',
];

/** The kind of case of a subject. */
export function fieldOf(subject: Subject): Field {
  const [main] = subject.branches;
  if (main === 'penal') return 'penal';
  return main === 'civil' ? 'civil' : 'publico';
}

/** The case number as the source writes it; `number` is the CNJ one. */
export function processo(rng: Rng, tribunal: CodigoTribunal, { sigla }: CaseClass, number: string): string {
  switch (tribunal) {
    case 'stf':
      return `${sigla ?? 'RE'} ${rng.between(400_000, 1_600_000)}`;
    case 'stj':
      return `${sigla ?? 'REsp'} ${rng.between(400_000, 2_300_000)} / ${rng.pick(STATE_CODES)}`;
    case 'tst':
      return `${sigla ?? 'RR'} - ${number}`;
    case 'tjmg':
      return `${number} (${rng.between(1, 2)})`;
    case 'tnu':
      return rng.chance(0.5) ? `${number}/TNU` : number;
    case 'trt3':
    case 'trf6':
      return number;
  }
}

/** The name of a statement of settled case law, which has its own number and no case. */
export function statementName(rng: Rng, tipo: Tipo): string {
  const number = rng.between(1, 700);
  if (tipo === 'informativo') return `Informativo ${grouped(number + 400)}`;
  if (tipo === 'orientacao_jurisprudencial') return `Orientação Jurisprudencial ${number} da SDI-1`;
  if (tipo === 'precedente_normativo') return `Precedente Normativo ${number}`;
  return `Súmula ${number}`;
}

/** The court's text of the outcome, separate from the ementa. */
export function dispositivo(
  voice: Voice,
  tribunal: CodigoTribunal,
  { body, outcome: { verdict } }: { readonly body: string | null; readonly outcome: Outcome },
): string {
  const { rng } = voice;
  const manner = rng.chance(0.85) ? 'por unanimidade' : 'por maioria';
  const topic = voice.topic().texts[OF] ?? '';
  switch (tribunal) {
    case 'tst':
      return `${manner}, ${verdict} quanto ao tema ${topic}.`;
    case 'stf':
      return `A Turma, ${manner}, decidiu ${verdict}, nos termos do voto do Relator. ${body ?? 'Plenário'}, Sessão Virtual.`;
    case 'stj':
      return `Vistos e relatados estes autos, acordam os Ministros da ${body ?? 'Turma'} do Superior Tribunal de Justiça, ${manner}, ${verdict}, nos termos do voto do relator.`;
    case 'tjmg':
      return `${verdict.toUpperCase()}.`;
    case 'trt3':
      return `O Tribunal, ${manner}, resolveu ${verdict}, na parte que trata ${topic}.`;
    case 'tnu':
    case 'trf6':
      return `A Turma decidiu, ${manner}, ${verdict}, nos termos do voto do relator.`;
  }
}

/** The source's own fields, outside the stable contract. */
export function extras(voice: Voice, tribunal: CodigoTribunal, number: string): Record<string, unknown> {
  const { rng } = voice;
  const own = { demonstracao: true, assunto: voice.subject.name };
  switch (tribunal) {
    case 'tst':
      return { ...own, id_origem: hexadecimal(rng, 32), indicadores: INDICATORS.slice(0, rng.between(1, 4)) };
    case 'stf':
      return { ...own, numero_unico: number, ambiente: rng.pick(['Virtual', 'Presencial']) };
    case 'stj':
      return {
        ...own,
        numero_unico: number,
        numero_registro: `${number.slice(11, 15)}${padded(rng.below(99_999_999), 8)}`,
        jurisprudencia_citada: null,
      };
    case 'tjmg':
      return {
        ...own,
        numero_tjmg: `1.0000.${number.slice(13, 15)}.${padded(rng.below(600_000), 6)}-${rng.below(10)}/001`,
        comarca: PLACES.drawText(rng),
      };
    case 'trt3':
      return {
        ...own,
        sistema: 'PJe',
        rito: rng.pick(['Ordinário', 'Sumaríssimo']),
        vara: PLACES.drawText(rng),
      };
    case 'tnu':
      return { ...own, origem: 'TNU', uf: rng.pick(STATE_CODES) };
    case 'trf6':
      return { ...own, origem: 'TRF6', subsecao: PLACES.drawText(rng) };
  }
}
