/**
 * Words without accents that say nothing of a question's subject: articles, prepositions, pronouns, auxiliary verbs, and what
 * questions are asked with.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a o as os um uma uns umas d de do da dos das e em no na nos nas num numa neste nesta nesse nessa deste desta desse dessa
  ao aos por pelo pela pelos pelas per para pra com sem sob sobre entre ate desde apos durante contra ante perante ou nem mas pois porque
  que se como quando onde qual quais quem quanto quanta cujo cuja cujos cujas este esta estes estas esse essa esses essas
  isso isto aquele aquela aqueles aquelas aquilo eu ele ela eles elas lhe lhes me meu minha nosso nossa seu sua seus suas
  ser sao foi foram sendo sido era eram seja sejam sera serao estao estar estava ter tem tinha ha haver houver houve
  havendo nao sim ja ainda mais menos muito tambem so somente apenas mesmo mesma outro outra outros outras algum alguma
  alguns algumas qualquer cada todo toda todos todas pode podem poder poderia podera deve devem dever devera deveria cabe
  existe existem acontece ocorre fazer diz dizem possivel necessario necessaria caso casos entendimento jurisprudencia n nº
  and or not near`.split(/\s+/u),
);
