/** States, abbreviated and in full after "Estado de" (so without those that take an article). */
// prettier-ignore
export const STATE_CODES = ['SP', 'SP', 'RJ', 'MG', 'MG', 'RS', 'PR', 'SC', 'BA', 'DF', 'PE', 'CE', 'GO', 'ES', 'MT', 'MS', 'PA', 'AM', 'RN', 'PB'];
// prettier-ignore
export const STATE_NAMES = ['São Paulo', 'São Paulo', 'Minas Gerais', 'Minas Gerais', 'Goiás', 'Pernambuco', 'Santa Catarina', 'Mato Grosso', 'Mato Grosso do Sul', 'Sergipe', 'Alagoas', 'Rondônia', 'Roraima'];
/** The first words of district names and street names. */
export const DISTRICT_KINDS = ['Jardim ', 'Vila ', 'Parque ', 'Nova ', 'Alto ', 'Cidade ', ''];
export const STREET_KINDS = [
  'Rua ',
  'Rua ',
  'Avenida ',
  'Travessa ',
  'Alameda ',
  'Rua Doutor ',
  'Rua Coronel ',
];
/** Nicknames that police reports give. */
// prettier-ignore
export const NICKNAMES = ['Baixinho', 'Alemão', 'Gordo', 'Careca', 'Magrão', 'Bigode', 'Cabeça', 'Branco', 'Japa', 'Russo', 'Tio', 'Piolho', 'Lagartixa', 'Formiga', 'Tatu', 'Ratinho', 'Pezão', 'Ceará', 'Bahia', 'Paulista', 'Mineirinho', 'Galego', 'Caveira', 'Chumbinho', 'Fumaça', 'Grilo', 'Jacaré', 'Bocão', 'Dentinho', 'Cabelo', 'Índio', 'Playboy', 'Vovô', 'Sapo', 'Morcego', 'Pardal', 'Coruja', 'Gavião'];
