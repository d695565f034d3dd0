import { get, type Answers } from './api.ts';
import { formatDay, formatMoment, formatWhole, typeName } from './format.ts';
import { byId, say, show } from './html.ts';
import { table, type Column } from './table.ts';

type Report = Answers['cobertura']['bases'][number];

const COLUMNS: readonly Column<Report>[] = [
  ['base', '', ({ base }) => base],
  ['decisões', 'numero', ({ total }) => total !== undefined && formatWhole(total)],
  ['julgamento', '', ({ periodo_do_julgamento }) => period(periodo_do_julgamento)],
  ['publicação', '', ({ periodo_da_publicacao }) => period(periodo_da_publicacao)],
  ['tipos', 'texto', ({ tipos }) => tipos?.map(typeName).join(', ')],
  ['calculada em', '', ({ calculado_em }) => (calculado_em ? formatMoment(calculado_em) : 'ainda não')],
];

/** Coverage as published. */
export async function loadCoverage() {
  const { bases } = await get('cobertura');
  const missing = bases.filter(({ calculado }) => !calculado).map(({ base }) => base);
  const notice = `Ainda sem cálculo: ${missing.join(', ')}. O primeiro começa cinco minutos depois do início do serviço.`;
  say(byId('cobertura-aviso'), missing.length === 0 ? '' : notice);
  show('cobertura-tabela', table(COLUMNS, bases));
}

function period(value: Report['periodo_do_julgamento']) {
  if (value === undefined) return '';
  return value.de ? `${formatDay(value.de)} a ${formatDay(value.ate)}` : 'sem datas';
}
