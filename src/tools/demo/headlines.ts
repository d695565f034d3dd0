/** Headline fragments, one a line, put in capitals where they stand; the slots are template.ts's. */
export const ANY_FRAGMENTS = `
Reconhecimento {d fato}
Valoração {d prova}
Exame {d pedido}
Validade {d ato}
Nulidade {d ato}. Inexistência
Efeitos {d decisao}
Admissibilidade {d recurso}
Desnecessidade {d ato}
Livre apreciação da prova
Segurança jurídica. Preservação
Sessão virtual. Regularidade
Sustentação oral. Indeferimento
Juízo de retratação
Questão prejudicial. Afastamento
Conversão em diligência
{xT}
{xT}. Requisitos
{xT}. Ausência de comprovação
{xT}. Análise do caso concreto
Aplicação {dL}
Violação {aL}. Não ocorrência
Interpretação {dL}
Preliminar rejeitada
Preliminar de nulidade. Rejeição
Nulidade da decisão. Não configuração
Alegação de nulidade. Ausência de prejuízo
Fundamentação suficiente
Matéria preclusa
Inovação recursal
Recurso tempestivo
Vício de fundamentação. Inexistência
Ofensa {a norma}. Inexistência
Observância {d norma}
Jurisprudência consolidada
Distinção em relação ao precedente. Não ocorrência
Ausência de impugnação específica
Exame de matéria de ordem pública
Supressão de instância. Vedação
Efeito suspensivo. Indeferimento
Comarca de {U}
Ônus da prova. Distribuição
Prova suficiente
Insuficiência de provas
Parecer do Ministério Público
Embargos protelatórios. Multa
Erro material. Correção
`;
export const CIVIL_FRAGMENTS = `
Ilegitimidade passiva. Rejeição
Interesse de agir. Presença
Inépcia da inicial. Não ocorrência
Revelia. Efeitos
Prescrição. Não consumação
Decadência. Inocorrência
Cerceamento de defesa. Não configuração
Julgamento antecipado da lide. Possibilidade
Majoração dos honorários
Juros de mora. Termo inicial
Correção monetária. Índice aplicável
Valor da condenação. Manutenção
Redução do valor. Impossibilidade
Nexo de causalidade. Ausência
Boa-fé. Presunção
Inversão do ônus da prova
Prova pericial. Suficiência
Sentença mantida por seus fundamentos
Pedido de gratuidade. Deferimento
Litigância de má-fé. Não caracterização
Obrigação de fazer. Multa diária
Tutela antecipada. Revogação
Litisconsórcio necessário. Inexistência
Coisa julgada. Limites
Recurso adesivo. Prejudicado
Pagamento de {R}. Comprovação
`;
export const PRIVATE_FRAGMENTS = `
Denunciação da lide. Descabimento
Contrato firmado com {E}
Relação contratual. Prova
Título de crédito. Autonomia
Teoria da aparência
Empresa {E}
Culpa concorrente. Não demonstração
Responsabilidade contratual
`;
export const PUBLIC_FRAGMENTS = `
Município de {U}
Ato administrativo. Presunção de legitimidade
Fazenda Pública. Juros e correção
Estado de {estado}
Lei municipal. Vigência
Controle judicial. Limites
Remessa necessária
Prescrição quinquenal
Legitimidade do ente público
Dotação orçamentária. Irrelevância
`;
export const PENAL_FRAGMENTS = `
Absolvição. Impossibilidade
Autoria e materialidade demonstradas
Pena-base. Circunstâncias judiciais
Regime prisional. Manutenção
Confissão espontânea. Reconhecimento
Reincidência. Agravante
Substituição da pena. Não cabimento
Nulidade do flagrante. Não ocorrência
Cadeia de custódia. Preservação
Direito de recorrer em liberdade
Exame aprofundado de provas. Inviabilidade
Flagrante ilegalidade. Inexistência
Palavra dos policiais. Validade
Desclassificação. Impossibilidade
Individualização da pena
Detração. Juízo da execução
Crime cometido em {U}
Denúncia apta
Continuidade delitiva. Fração
Bis in idem. Não ocorrência
Multa. Proporcionalidade
Operação {nome}
`;
export const LABOUR_FRAGMENTS = `
Reexame de fatos e provas. Súmula 126 do TST
Ausência de transcendência
Requisitos do art. 896, § 1º-A, da CLT
Prescrição quinquenal
Multa do art. 467 da CLT
Honorários sindicais
Descontos previdenciários e fiscais
Responsabilidade da segunda reclamada
Norma coletiva. Validade
Confissão ficta
Recolhimentos fundiários
Vale-transporte
Intervalo do art. 384 da CLT
Trabalho como {ocup}
Exposição a {agente}
Reflexos em descanso semanal remunerado
Dano existencial. Não configuração
Plano de cargos da empresa {E}
`;
export const STJ_FRAGMENTS = `
Reexame de prova. Súmula 7 do STJ
Súmula 83 do STJ
Ausência de prequestionamento
Violação do art. 1.022 do CPC. Inexistência
Dissídio jurisprudencial não demonstrado
Súmula 284 do STF
Negativa de prestação jurisdicional. Não ocorrência
Súmula 182 do STJ
Acórdão recorrido em consonância com a jurisprudência
Fundamento não impugnado. Súmula 283 do STF
`;
export const STF_FRAGMENTS = `
Matéria infraconstitucional
Ofensa indireta à Constituição
Súmula 279 do STF
Ausência de repercussão geral
Legislação do Estado de {estado}
Fundamentos não infirmados
Art. 93, IX, da Constituição. Motivação
Prequestionamento. Súmulas 282 e 356
`;
export const FEDERAL_FRAGMENTS = `
Reexame de prova. Súmula 42 da TNU
Questão de Ordem 13 da TNU
Portador de {doenca}
Atividade de {ocup}
Juros e correção. Manual de cálculos
Data de início do benefício
Requerimento administrativo
Cadastro nacional de informações sociais
Laudo judicial. Prevalência
Exposição a {agente}
Segurado facultativo. Baixa renda
Período de graça
`;
export const STATE_FRAGMENTS = `
Sentença confirmada
Remessa necessária. Não conhecimento
Agravo interno prejudicado
Preliminar de ofício
Recurso ministerial
Primeiro recurso provido em parte
Segundo recurso prejudicado
Lei estadual. Aplicação
Voto vencido
`;
/** Abstract control of norms. */
export const CONTROL_FRAGMENTS = `
{xT}
{xT}. Análise da norma
Aplicação {dL}
Violação {aL}. Não ocorrência
Lei do Estado de {estado}
Lei do Município de {U}
Comércio de {merc}
Disciplina do ramo de {ramo}
Vício formal. Não ocorrência
Vício de iniciativa. Reconhecimento
Competência legislativa. União
Competência suplementar dos Estados
Pertinência temática. Presença
Legitimidade da requerente
Medida cautelar. Referendo
Julgamento definitivo do mérito
Modulação dos efeitos. Deferimento
Interpretação conforme a Constituição
Inconstitucionalidade por arrastamento
Separação de poderes. Preservação
Ofensa {a norma}. Inexistência
Norma de repetição obrigatória
Perda parcial do objeto
Amicus curiae. Admissão
Parecer da Procuradoria-Geral da República
Precedentes do Plenário
Livre iniciativa. Restrição desproporcional
Proporcionalidade em sentido estrito
Pacto federativo. Observância
`;
