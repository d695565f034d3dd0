const TIPOS = {
  acordao: 'acórdão',
  decisao_monocratica: 'decisão monocrática',
  decisao_presidencia: 'decisão da Presidência',
  decisao_vice_presidencia: 'decisão da Vice-Presidência',
  decisao_corregedoria: 'decisão da Corregedoria',
  sumula: 'súmula',
  orientacao_jurisprudencial: 'orientação jurisprudencial',
  precedente_normativo: 'precedente normativo',
  informativo: 'informativo',
};

/** The name of a type of decision; a new one stays as it is written. */
export function typeName(tipo) {
  return TIPOS[tipo] ?? tipo;
}
