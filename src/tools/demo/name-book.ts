import { at } from './bounds.ts';
import {
  CHEMICALS,
  COMPANIES,
  DISEASES,
  DRUGS,
  GIVEN_NAMES_MEN,
  GIVEN_NAMES_WOMEN,
  listed,
  PLACES,
  SURNAMES,
} from './coinage.ts';
import { barred, readSections } from './lists.ts';
import { keep, NOTHING, type Piece, type TextBuffer } from './pieces.ts';
import type { Rng } from './rng.ts';

/** Share of names that the decision reuses. */
const REPEAT_NAME = 0.65;
/** Share of diseases, agents and machines with a real name. */
const KNOWN = 0.5;
/** Number of words of a list with about the same frequency. */
const WORLD_SHIFT = 120;
/** How often a person has two surnames. */
const TWO_SURNAMES = 0.85;
/** How often a firm has two made-up words. */
const TWO_PART_FIRM = 0.35;
/** Draws before a repetition within a sentence is accepted. */
const TRIES = 6;

const particles = [' ', ' ', ' ', ' de ', ' da '].map(keep);
const SPACE = keep(' ');
const MAKE = keep(' da marca ');
const SYNDROMES = ['síndrome de ', 'doença de ', 'mal de '].map(keep);
const menNames = GIVEN_NAMES_MEN.map((name) => keep(`${name} `));
const womenNames = GIVEN_NAMES_WOMEN.map((name) => keep(`${name} `));
const companyKinds = listed('company_kinds').map((kind) => keep(kind === '' ? kind : ` ${kind}`));
const models = Array.from({ length: 90 }, (_, index) =>
  keep(` ${'ABCDEGKLMPRSTXZ'[index % 15]}${index * 5 + 10}`),
);
const districtKinds = listed('district_kinds').map((kind) => keep(kind === '' ? kind : `${kind} `));
const streetKinds = listed('street_kinds').map((kind) => keep(`${kind} `));
const nicknames = listed('nicknames').map(keep);
const stateNames = listed('state_names').map(keep);

const world = readSections('world');
/** The slots that draw a word of the world. */
export const WORLD_NAMES: readonly string[] = [...world.keys()];
/** The words of each slot, in the order of WORLD_NAMES, as pieces. */
const worldPieces = [...world.values()].map((words) => barred(words).map(keep));
const AGENTS = WORLD_NAMES.indexOf('nocivo');
const MACHINES = WORLD_NAMES.indexOf('aparelho');
const KNOWN_DISEASES = WORLD_NAMES.indexOf('mal');

/** The piece that identifies a name among its kind, then its text. */
type Name = readonly [key: Piece, ...spoken: Piece[]];

/** The made-up names, by their mark in braces in the word lists. */
export const COINED_KINDS = [
  'Fm', // a man,
  'Ff', // a woman,
  'X', // a person, all of them in passing
  'F', // a person
  'E', // a company
  'U', // a municipality
  'K2', // a proper name, such as a farm's
  'nome', // the name of a police operation
  'apelido', // a nickname
  'bairro', // a district
  'rua', // a street
  'marca', // a make and model
  'med', // a medicine
  'doenca', // a disease
  'agente', // a harmful agent
  'maq', // a machine
  'estado', // a state
] as const;
/** Incidental people, such as an expert, come first; the decision does not reuse their names. */
const ALWAYS_NEW = COINED_KINDS.indexOf('F');
type CoinedKind = (typeof COINED_KINDS)[number];

/** The people, firms, places and things of one decision, which reuses one of each kind. */
export class NameBook {
  readonly #rng: Rng;
  readonly #own: (Name | undefined)[] = [];

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** Starts a new decision. */
  begin(): void {
    this.#own.length = 0;
  }

  /**
   * Says a name that `said` does not hold, and adds it there. `place`: which kind of name, among
   * COINED_KINDS and then WORLD_NAMES.
   */
  say(out: TextBuffer, place: number, said: number[]): void {
    const rng = this.#rng;
    let name = this.#own[place];
    if (name === undefined) {
      name = this.#draw(place);
      this.#own[place] = name;
    } else if (place < ALWAYS_NEW || !rng.chance(REPEAT_NAME)) name = this.#draw(place);
    for (let turn = 0; turn < TRIES && said.includes(name[0]); turn += 1) name = this.#draw(place);
    said.push(name[0]);
    for (let index = 1; index < name.length; index += 1) out.put(at(name, index));
  }

  #draw(place: number): Name {
    const kind = COINED_KINDS[place];
    return kind === undefined ? alone(this.#world(place - COINED_KINDS.length)) : this.#coin(kind);
  }

  #coin(kind: CoinedKind): Name {
    const rng = this.#rng;
    switch (kind) {
      case 'F':
      case 'X':
        return this.#person(rng.chance(0.5) ? menNames : womenNames);
      case 'Fm':
        return this.#person(menNames);
      case 'Ff':
        return this.#person(womenNames);
      case 'E': {
        const company = COMPANIES.draw(rng);
        if (!rng.chance(TWO_PART_FIRM)) return [company, company, rng.pick(companyKinds)];
        return [company, company, SPACE, COMPANIES.draw(rng), rng.pick(companyKinds)];
      }
      case 'U':
      case 'K2':
      case 'nome':
        return alone(PLACES.draw(rng));
      case 'apelido':
        return alone(rng.pick(nicknames));
      case 'bairro':
        return after(rng.pick(districtKinds), PLACES.draw(rng));
      case 'rua': {
        const surname = SURNAMES.draw(rng);
        return [surname, rng.pick(streetKinds), rng.pick(menNames), surname];
      }
      case 'marca': {
        const company = COMPANIES.draw(rng);
        return [company, company, rng.pick(models)];
      }
      case 'med':
        return alone(DRUGS.draw(rng));
      case 'doenca':
        return this.#disease();
      case 'agente':
        return alone(rng.chance(KNOWN) ? this.#world(AGENTS) : CHEMICALS.draw(rng));
      case 'maq': {
        const machine = this.#world(MACHINES);
        return rng.chance(KNOWN) ? alone(machine) : [machine, machine, MAKE, COMPANIES.draw(rng)];
      }
      case 'estado':
        return alone(rng.pick(stateNames));
    }
  }

  /** A given name, more often than not a mother's surname, and a father's. */
  #person(given: readonly Piece[]): Name {
    const rng = this.#rng;
    const last = SURNAMES.draw(rng);
    if (!rng.chance(TWO_SURNAMES)) return after(rng.pick(given), last);
    return [last, rng.pick(given), SURNAMES.draw(rng), rng.pick(particles), last];
  }

  #disease(): Name {
    const rng = this.#rng;
    if (rng.chance(KNOWN)) return alone(this.#world(KNOWN_DISEASES));
    return rng.chance(KNOWN) ? alone(DISEASES.draw(rng)) : after(rng.pick(SYNDROMES), SURNAMES.draw(rng));
  }

  /** A word of a list of the world; the first ones are the most frequent. */
  #world(place: number): Piece {
    const words = at(worldPieces, place);
    return words[this.#rng.zipf(words.length, WORLD_SHIFT)] ?? NOTHING;
  }
}

function alone(piece: Piece): Name {
  return [piece, piece];
}

function after(first: Piece, key: Piece): Name {
  return [key, first, key];
}
