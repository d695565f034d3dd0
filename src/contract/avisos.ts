/** The codes of the header `Jurisprudencia-Avisos`, each with its sentence for the user. */
export const AVISOS = {
  ASPAS_TIPOGRAFICAS: 'as aspas “ ” „ « » foram lidas como ", e o que está entre elas é uma frase exata',
  HIFEN_NAO_EXCLUI: 'o - antes de uma palavra não a exclui; para excluir, escreva NOT: dano NOT moral',
  ASTERISCO_NO_MEIO: 'o * só vale no fim do começo de uma palavra: dan*o é lido como dan* AND o',
  OPERADOR_COMO_PALAVRA:
    'and, or, not e ou valem aqui como palavras; os operadores escrevem-se AND, OR e NOT, em maiúsculas',
  OPERADOR_DE_TRIBUNAL:
    'sinais da busca dos tribunais (E, NÃO, COM, MESMO, ADJ, PROX, !, ||, $, ?, ~, ^, .EMEN., @DTDE) valem aqui como texto; escreva AND, OR, NOT, NEAR(tutela urgência, 5), indeniz*, ementa : "penhora", data_de',
  ORDINAL_LITERAL:
    'nº, n° e n., e também 5º, 5° e 5o, são palavras diferentes; para achar todas, junte-as com OR: "súmula nº 331" OR "súmula n. 331"',
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
