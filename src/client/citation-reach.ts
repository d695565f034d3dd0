/*
 * How far the words beside a citation are about it: names, marks, and the words below. Whatever else begins a clause of its own, whose
 * dates and courts are of other things: `REsp 1.234.567/SP, que reformou o acórdão de 12/3/2010`.
 */

const ABOUT = new Set(
  (
    'a ac acordao ao aos apreciado apreciada as ata camara com condutor conv convocada convocado d da das data de decidida decidido decisao ' +
    'des desembargador desembargadora designada designado dia disponibilizacao disponibilizada disponibilizado divulgacao divulgado do dos ' +
    'e em eminente especial exma exmo federal finalizado finalizada ilustre j julg julgada julgado julgados julgamento juiz juiza lavra ' +
    'lavrado lavratura maioria min ministra ministro monocratica n na nas no nos o ocorrida ocorrido orgao os p para pela pelo perante plenario ' +
    'plenaria por proferida proferido prolatada prolatado pub publ publicacao publicada publicado realizada realizado red redator redatora ' +
    'rel relatada relatado relator relatora relatoria secao sessao sob sr sra turma tribunal u un unanime unanimidade v virtual votacao ' +
    'voto ano jan fev mar abr mai jun jul ago set out nov dez janeiro fevereiro marco abril maio junho julho agosto setembro outubro ' +
    'novembro dezembro'
  ).split(' '),
);
/** What may stand between a court, a judge or a date and a citation behind it. */
const LEADING = new Set(
  (
    'acolheu afirmou apreciar assentou autos caso conheceu consignou decidir decidiu destacou deu entende entendeu escreveu firmou fixou ' +
    'identico ensinou julgar julgou negou ponderou precedente provimento quando reconheceu registrou rejeitou saber segundo tese votar'
  ).split(' '),
);
/** Capitals that begin something else. */
const OTHER = new Set(
  (
    'lei leis decreto portaria resolucao medida emenda constituicao codigo art arts sumula tema contrato edital cpc cc cf cp cdc clt cpp ' +
    'ctn impetrante impetrado paciente reclamante reclamado recorrente recorrido agravante agravado embargante embargado apelante apelado ' +
    'requerente requerido reqte proced autor reu interes adv advogado advogada origem'
  ).split(' '),
);
const WORD = /[A-Za-z]+/gu;

/** Where the words after a citation cease to be about it. */
export function reachAfter(after: string): number {
  return [...after.matchAll(WORD)].find(({ 0: word }) => !isAbout(word))?.index ?? after.length;
}

/** Where the words before a citation begin to be about it. */
export function reachBefore(before: string): number {
  const last = [...before.matchAll(WORD)].findLast(({ 0: word }) => !isAbout(word) && !LEADING.has(word));
  return last === undefined ? 0 : last.index + last[0].length;
}

function isAbout(word: string): boolean {
  const small = word.toLowerCase();
  return ABOUT.has(small) || (small !== word && !OTHER.has(small));
}
