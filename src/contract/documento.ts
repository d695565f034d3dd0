import { Type, type Static } from 'typebox';
import { closed } from './closed.ts';
import { nullable } from './nullable.ts';
import { camposComuns } from './resumo.ts';

/**
 * Decision record: the fields of a Resumo except the excerpt, and the fields below. All are always present. `extras` is outside
 * the stable contract and is returned exactly as received.
 */
export const DocumentoSchema = closed(
  'Documento',
  'Registro de uma decisão: metadados e ementa, nunca o inteiro teor. Todos os campos estão sempre presentes.',
  {
    ...camposComuns,
    redator: nullable(Type.String(), 'Quem redigiu a decisão, quando não foi o relator.'),
    ementa: nullable(Type.String(), 'Ementa.'),
    tese: nullable(Type.String(), 'Tese.'),
    dispositivo: nullable(
      Type.String(),
      'Resultado à parte da ementa, quando a origem o dá; no `stf` vem da ata da sessão.',
    ),
    inteiro_teor: Type.Object(
      {
        existe_na_origem: nullable(Type.Boolean(), 'Se a origem tem o inteiro teor.'),
        caracteres: nullable(Type.Integer({ minimum: 0 }), 'Seu tamanho, em caracteres.'),
      },
      {
        description: 'Só informação sobre o inteiro teor na origem; o texto nunca é servido.',
        additionalProperties: false,
      },
    ),
    citacao: nullable(Type.String(), 'Citação como a origem a dá.'),
    legislacao_citada: textos('Legislação citada, no texto da origem, sem padronização.'),
    temas: textos('Temas, no texto da origem, sem padronização.'),
    extras: Type.Object(
      {},
      {
        description: 'Campos próprios da origem, como vieram; fora do contrato estável.',
        additionalProperties: true,
      },
    ),
  },
);
export type Documento = Static<typeof DocumentoSchema>;

function textos(description: string) {
  return nullable(Type.Array(Type.String()), description);
}
