/** The codes of the header `Jurisprudencia-Avisos`, each with its sentence for the user. */
export const AVISOS = {
  ASPAS_TIPOGRAFICAS: 'as aspas “ ” „ « » foram lidas como ", e o que está entre elas é uma frase exata',
  HIFEN_NAO_EXCLUI: 'o - antes de uma palavra não a exclui; para excluir, escreva NOT: dano NOT moral',
  ASTERISCO_NO_MEIO: 'o * só vale no fim do começo de uma palavra: dan*o é lido como dan* AND o',
  OPERADOR_COMO_PALAVRA:
    'and, or, not e ou valem aqui como palavras; os operadores escrevem-se AND, OR e NOT, em maiúsculas',
  OPERADOR_DE_TRIBUNAL:
    'E, NÃO, $, ADJ e PROX não são operadores aqui; escreva AND, NOT, indeniz* e NEAR(tutela urgência, 5)',
  CAMPO_SEM_ASPAS: 'para buscar num só campo, ponha o texto entre aspas: tese : "prova"',
  PARTE_SEM_PALAVRA:
    'uma parte sem letra nem algarismo não conta entre palavras, e ao lado de um operador nada acha',
  PROXIMOS_ACHAM:
    'com o primeiro dos termos próximos no lugar de cada termo ausente, a mesma busca acha decisões',
} as const;
export type Aviso = keyof typeof AVISOS;

/** A text with the double quotes of word processors and other keyboards as `"`. Single ones stay apostrophes. */
export function withPlainQuotes(q: string): string {
  return q.replaceAll(/[“”„‟«»＂]/gu, '"');
}
