import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './service.ts';

/** Queries as users type them: the real ones beside the checkout, else a list of ours. */
export function usersQueries(): { readonly queries: readonly string[]; readonly areReal: boolean } {
  const file = join(ROOT, '../shared/corpora/consultas.txt');
  if (!existsSync(file)) return { queries: OWN_QUERIES, areReal: false };
  const lines = readFileSync(file, 'utf8').split('\n');
  return { queries: lines.filter((line) => line !== ''), areReal: true };
}

const OWN_QUERIES = [
  'dano moral inscrição indevida',
  'atraso de voo indenização',
  'plano de saúde negativa de cobertura',
  'prescrição intercorrente execução fiscal',
  'usucapião extraordinária requisitos',
  'guarda compartilhada alteração',
  'revisão de contrato bancário juros abusivos',
  'capitalização mensal de juros',
  'horas extras cartão de ponto',
  'equiparação salarial',
  'adicional de insalubridade grau máximo',
  'aposentadoria especial ruído',
  'auxílio-doença incapacidade temporária',
  'pensão por morte união estável',
  'servidor público progressão funcional',
  'concurso público cadastro de reserva nomeação',
  'licitação dispensa improbidade administrativa',
  'desapropriação juros compensatórios',
  'icms base de cálculo pis cofins',
  'honorários de sucumbência fixação equidade',
  'embargos de declaração omissão inexistente',
  'tutela de urgência requisitos ausentes',
  'busca e apreensão alienação fiduciária',
  'penhora de salário impenhorabilidade',
  'tráfico de drogas causa de diminuição',
  'prisão preventiva fundamentação idônea',
  'roubo emprego de arma reconhecimento pessoal',
  'violência doméstica medida protetiva',
  'compra e venda de imóvel atraso na entrega',
  'responsabilidade civil do estado omissão',
];
