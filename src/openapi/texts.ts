import { ERROS } from '../contract/recusa.ts';
import { PREFIXO, type Rota } from '../contract/rotas.ts';

/** The only group of routes; a module in generated clients. */
export const ETIQUETA = {
  name: 'jurisprudencia',
  description: 'Busca em decisões públicas e leitura de seus registros.',
};

/** The introduction above the routes, in CommonMark. */
export const INTRODUCAO = `Busca em decisões públicas (acórdãos, decisões monocráticas, súmulas e outras) de seis bases, e leitura do registro de uma decisão. Só há leitura, só GET, e toda resposta com corpo é JSON, exceto a do limite por endereço IP. O inteiro teor das decisões nunca é servido.

Um campo é \`null\` quando a origem não tem a informação. Datas são \`AAAA-MM-DD\`. A ausência de um item na busca não prova que a decisão não existe na origem.

**Ordem das verificações:** limite por IP (429), rota (404), método (405), chave (401), parâmetros (400), cota (429), e só então o trabalho.

**Cota:** uma busca executada ou a leitura de uma decisão custa uma unidade, também quando nada é encontrado (404) ou a base não responde (504); um 400, 401 ou 405 não custa nada. Renova-se à meia-noite UTC e quando o serviço reinicia.

**Fora das rotas:** qualquer outro caminho é ${ERROS.ROTA_NAO_ENCONTRADA.status} com \`codigo\` \`ROTA_NAO_ENCONTRADA\` (a resposta \`RotaNaoEncontrada\`); uma barra final ou dobrada faz outro caminho. O que nem chega a ser uma requisição (endereço ou cabeçalhos além de 16 kB, HTTP malformado) é recusado sem corpo.

A versão do contrato é a 0, de um beta fechado, sob o prefixo \`${PREFIXO.split('/', 2).join('/')}\`.`;

export const ROTAS: Record<Rota, { readonly summary: string; readonly description: string }> = {
  cobertura: {
    summary: 'Tribunais, bases, totais e períodos',
    description:
      'Não precisa de chave nem tem parâmetros. É calculada cinco minutos depois de um início sem relatório guardado e de novo a cada 24 horas, sem o que foi carregado desde então; até então uma base diz `calculado: false`. Não prova que todos os julgados de um tribunal ou período estão presentes.',
  },
  busca: {
    summary: 'Busca por texto e filtros',
    description:
      'As bases são consultadas em paralelo, cada uma em sua janela de tempo, e os resultados vêm intercalados, um de cada base por vez. Uma base que não consegue ordenar por relevância a tempo responde por `recentes`, e `ordem_aplicada` o diz; uma que nem assim responde está em `bases_sem_resposta`, e a resposta é 200 com o que as outras encontraram. Não há filtro por relator, órgão julgador ou classe. Um parâmetro desconhecido, repetido ou vazio é recusado. As páginas, emendadas pelo cursor, são uma só página longa, sem repetição e sem lacuna.',
  },
  decisao: {
    summary: 'Registro de uma decisão',
    description:
      'Metadados e ementa, nunca o inteiro teor. Um `id` que não pode existir é 404, como um que não existe: esta rota não tem 400.',
  },
};
